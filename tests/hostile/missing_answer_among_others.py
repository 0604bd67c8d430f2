"""Leaves out the last of several answers, once.

levels: none process
forfeits at 1 table: none
forfeits at 4 tables: any=malformed
detail: exactly one answer for each decision expected
"""

import raw


def misdeed(answers, bad):
    if len(answers) > 1 and raw.is_first_time():
        answers.pop()


raw.serve(raw.handshake(), misdeed, always=True)
