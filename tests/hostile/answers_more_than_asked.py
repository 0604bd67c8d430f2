"""Answers a decision too many in a right frame.

forfeits: 2=malformed
detail: an answer to a decision that was never asked
"""

import raw

raw.play(lambda answers, bad: [*answers, {**answers[bad], "seq": 99}])
