"""Answers with a mebibyte.

forfeits: 2=malformed
detail: more than the limit of 4096 bytes per decision
got: (1048576 bytes)
"""

import raw

raw.play(lambda *_: b"x" * 2**20)
