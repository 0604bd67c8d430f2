"""Nests an unknown field deeply within the allowed length.

forfeits: 2=malformed
detail: nested too deeply
"""

import raw

raw.play(lambda *_: b'[{"type":"act","x":' + b"[" * 1900 + b"]" * 1900 + b"}]")
