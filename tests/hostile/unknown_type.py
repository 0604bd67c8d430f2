"""Answers with a message of a type that does not exist.

forfeits: 2=malformed
detail: Invalid value 'move' in `type`
"""

import raw

raw.play(raw.change(type="move"))
