"""Prints ten megabytes, then raises.

forfeits: 2=crash
detail: exited 1 at decision 2
got: RuntimeError: enough
"""

import raw


def misdeed(answers, bad):
    print("x" * 10_000_000, flush=True)
    raise RuntimeError("enough")


raw.play(misdeed)
