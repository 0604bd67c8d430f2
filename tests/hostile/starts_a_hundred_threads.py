"""Begins a hundred threads that sleep, with little stacks, so that memory does not stop it first.

levels: none process sandbox
forfeits: none
forfeits at none: 2=flood
forfeits at process as user: 2=flood
detail: more than 64 processes and threads
log at process as root: refused: RuntimeError
log at sandbox: refused: RuntimeError
"""

import threading
import time

import raw


def start():
    threading.stack_size(2**18)
    for _ in range(100):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    time.sleep(20)


raw.play(lambda *_: raw.is_refused(start) and None)
