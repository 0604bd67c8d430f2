"""Opens files without end.

levels: process sandbox
forfeits: none
log: refused: OSError(24, 'Too many open files')
"""

import os

import raw


def open_all():
    while len(opened) < 10_000:
        opened.append(os.open("/dev/null", os.O_RDONLY))


opened = []


def misdeed(answers, bad):
    raw.is_refused(open_all)
    for descriptor in opened:
        os.close(descriptor)


raw.play(misdeed)
