r"""Answers in what looks like JSON, or is none of the protocol's.

games: 22
forfeits: all=malformed
"""

import json

import raw


def instead(frame):
    return lambda *_: frame


def around(change):
    return lambda answers, _: change(json.dumps(answers).encode())


raw.play(
    [
        instead(b"null"),
        instead(b"{}"),
        instead(b"[null]"),
        instead(b"[[]]"),
        instead(b'"act"'),
        instead(b"1e999"),
        instead(b" "),
        instead(b"\x00"),
        instead(b"[]"),
        instead(b"[{}]"),
        instead(b'[{"type":null}]'),
        instead(b'[{"type":"bye"}]'),
        around(lambda frame: b"\xef\xbb\xbf" + frame),
        around(lambda frame: frame + frame),
        around(lambda frame: frame + b"\x00"),
        around(lambda frame: frame[:-1]),
        around(lambda frame: frame[:-1] + b",]"),
        around(lambda frame: frame.replace(b'"', b"'")),
        around(lambda frame: b"// an answer\n" + frame),
        around(lambda frame: frame.replace(b'"seq": 2', b'"seq": 02')),
        around(lambda frame: frame.replace(b'"seq"', b'"Seq"')),
        around(
            lambda frame: (
                frame.decode().encode("utf-7").replace(b"+", b"\xc0\x80")[:-1] + b"\xc0\x80"
            )
        ),
    ]
)
