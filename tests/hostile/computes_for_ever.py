"""Never ends a computation.

forfeits: 2=timeout
limits: move_ms=600
"""

import raw


def misdeed(answers, bad):
    while True:
        pass


raw.play(misdeed)
