"""Right frames made wrong, from a seed: the same frames wherever the same seed is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

Message = dict[str, Any]

NUMBERS: list[Any] = [
    *(-(2**63) - 1, -(2**31), -1, -0.0, 0, 1, 1.0, 2.5, 63, 64, 65),
    *(2**31 - 1, 2**31, 2**53 - 1, 2**53, 2**63 - 1, 2**63, 2**64, 10**400),
    *(1e308, -1e-308, float("nan"), float("inf")),
]
OTHERS: list[Any] = [None, True, False, "", "1", [], {}, [[]], [None], {"type": "act"}]
TEXTS = [
    *("\x00", "\x1b[2J", "\x07", "\r\n", "\x85\x9b", "\u2028", "\u2029", "\ufeff", "\ufffe"),
    *("\u202e", "\u2066", "\u200b\u200d", "\u0301" * 40, "\u6f22" * 64, "\U0001f468\u200d" * 20),
    *("\ud800", "\udfff", "\ud83d\ude00", "\udc00\ud800", "\U0010ffff", "\ue000", "\xad"),
    *("x" * 64, "x" * 65, "x" * 200, "x" * 201, "x" * 1000, "x" * 1001, "x" * 5000, "pass\x00"),
]
TYPES = ["act", "fail", "hello", "welcome", "decide", "bye", "Act", "", "act ", "\x1b[31m"]
NAMES = ["type", "table", "seq", "action", "note", "detail", "token", "protocol", "max_tables", "x"]


def mutants(right: Sequence[Message], random: Random) -> Iterator[bytes]:
    """Yield frames without an end, each made of the right one by some steps."""
    while True:
        yield mutant(right, random)


def mutant(right: Sequence[Message], random: Random) -> bytes:
    """Make one frame of the right one."""
    messages: list[Any] = [dict(message) for message in right]
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        random.choice(_IN_MESSAGES)(messages, random)
    frame = _encoded(messages, random)
    for _ in range(random.choice((0, 0, 0, 1, 1, 2, 8))):
        frame = random.choice(_IN_BYTES)(frame, random)
    return frame


# messages


def _change(messages: list[Any], random: Random, values: Sequence[Any]) -> None:
    message = _any_message(messages, random)
    message[random.choice([*message, *NAMES])] = deepcopy(random.choice(values))


def _any_message(messages: list[Any], random: Random) -> Message:
    found = [message for message in messages if isinstance(message, dict)]
    return random.choice(found) if found else {}


def _swap_fields(messages: list[Any], random: Random) -> None:
    message = _any_message(messages, random)
    if len(message) > 1:
        one, other = random.sample(list(message), 2)
        message[one], message[other] = message[other], message[one]


def _drop_field(messages: list[Any], random: Random) -> None:
    message = _any_message(messages, random)
    if message:
        del message[random.choice(list(message))]


def _rename_field(messages: list[Any], random: Random) -> None:
    message = _any_message(messages, random)
    if message:
        name = random.choice(list(message))
        message[random.choice([name.upper(), name + "\x00", *TEXTS])] = message.pop(name)


def _repeat_message(messages: list[Any], random: Random) -> None:
    if messages:
        messages += [random.choice(messages)] * random.choice((1, 1, 2, 15, 16, 17, 40))


def _drop_message(messages: list[Any], random: Random) -> None:
    if messages:
        del messages[random.randrange(len(messages))]


def _shuffle(messages: list[Any], random: Random) -> None:
    random.shuffle(messages)


def _put_in(messages: list[Any], random: Random) -> None:
    value = deepcopy(random.choice([*OTHERS, *NUMBERS, *TEXTS]))
    messages.insert(random.randint(0, len(messages)), value)


def _nest(messages: list[Any], random: Random) -> None:
    value: Any = deepcopy(random.choice([*OTHERS, *TEXTS]))
    for _ in range(random.choice((1, 2, 30, 300))):
        value = [value] if random.random() < 0.5 else {"x": value}
    _any_message(messages, random)[random.choice(NAMES)] = value


def _to(values: Sequence[Any]) -> Callable[[list[Any], Random], None]:
    return lambda messages, random: _change(messages, random, values)


_IN_MESSAGES = [
    *(_to(NUMBERS), _to(OTHERS), _to(TEXTS), _to(TYPES), _to(range(4))),
    *(_swap_fields, _drop_field, _rename_field),
    *(_repeat_message, _drop_message, _shuffle, _put_in, _nest),
]


def _encoded(messages: list[Any], random: Random) -> bytes:
    whole: Any = messages
    if random.random() < 0.03:
        whole = random.choice([*messages, None, {"x": messages}, [messages]])
    text = json.dumps(whole, ensure_ascii=random.random() < 0.5)
    encoding = random.choice(("utf-8",) * 30 + ("utf-16", "utf-32-be", "utf-8-sig", "utf-7"))
    return text.encode(encoding, "surrogatepass")


# bytes


def _flip(frame: bytes, random: Random) -> bytes:
    changed = bytearray(frame or b"\x00")
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _truncate(frame: bytes, random: Random) -> bytes:
    return frame[: random.randint(0, len(frame))]


def _insert(frame: bytes, random: Random) -> bytes:
    place = random.randint(0, len(frame))
    pieces = (random.randbytes(random.randint(1, 8)), b'"', b"\\", b"\\ud800", b"[", b"}", b",")
    return frame[:place] + random.choice(pieces) + frame[place:]


def _splice(frame: bytes, random: Random) -> bytes:
    one, other = sorted((random.randint(0, len(frame)), random.randint(0, len(frame))))
    return random.choice((frame[:one] + frame[other:], frame[:other] + frame[one:]))


def _repeat(frame: bytes, random: Random) -> bytes:
    one, other = sorted((random.randint(0, len(frame)), random.randint(0, len(frame))))
    times = random.choice((2, 3, 100, 2000))
    return frame[:one] + frame[one : min(other, one + 50)] * times + frame[other:]


def _brackets(frame: bytes, random: Random) -> bytes:
    place = random.randint(0, len(frame))
    bracket, depth = random.choice((b"[", b'{"x":')), random.choice((10, 500, 1000, 4000))
    return frame[:place] + bracket * depth + frame[place:]


_IN_BYTES = [_flip, _flip, _truncate, _insert, _splice, _repeat, _brackets]
