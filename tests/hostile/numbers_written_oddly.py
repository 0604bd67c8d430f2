r"""Writes the right number in other ways: with a fraction it is no whole one.

games: 3
forfeits: 1=malformed 2=malformed
detail: Expected `int`, got `float` in `seq`
"""

import json

import raw


def written(number):
    return lambda answers, _: (
        json.dumps(answers).replace('"seq": 2', '"seq":\n\t' + number).encode()
    )


raw.play([written("2"), written("2.0"), written("2e0")])
