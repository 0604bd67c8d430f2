"""Fills both its streams as fast as it can, while it plays.

forfeits: none
log: bytes cut
"""

import os
import threading

import raw


def print_for_ever(descriptor):
    while True:
        os.write(descriptor, b"na " * 10_000)


for descriptor in (1, 2):
    threading.Thread(target=print_for_ever, args=(descriptor,), daemon=True).start()
raw.play(lambda *_: None)
