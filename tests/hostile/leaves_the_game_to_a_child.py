"""Forks and exits; the child that would play is no process of the arena's.

given up: exited 0 before hello; it may lack the call of run() at its end
"""

import os
import time

import raw

if os.fork():
    os._exit(0)
time.sleep(0.3)
raw.play(raw.nothing)
