"""Frames to typed messages and back. Hostile bytes end here: what comes out is bounded and typed.

A frame is one JSON array of messages. What is wrong with a frame is said as a `Malformed` value,
never as an exception: a bot's misdeed is data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from arena.protocol.messages import Act, ArenaMessage, Fail, Hello

T = TypeVar("T")

MAX_ANSWER_BYTES = 4096
"""For each decision of a frame."""
_SHOWN_BYTES = 80
_SHOWN_CHARACTERS = 200

_PLACE_IN_FRAME = re.compile(r" - at `\$\[\d+\]\.?([^`]*)`$")
_BYTE = re.compile(r" \(byte \d+\)$")


class _Typed(msgspec.Struct):
    """What every message must have, and a decoder of one kind of message does not ask for."""

    type: str


_encoder = msgspec.json.Encoder()
_hello_decoder = msgspec.json.Decoder(tuple[Hello])
_typed_decoder = msgspec.json.Decoder(tuple[_Typed])
_answer_decoder = msgspec.json.Decoder(list[Act | Fail | Hello])
_raw_decoder = msgspec.json.Decoder(list[msgspec.Raw])


class Malformed(msgspec.Struct, frozen=True):
    """Why a frame could not be understood, in words fit for its author."""

    detail: str
    """The same however many games were open at once: without table numbers and places."""
    got: str = ""
    """The frame's first bytes, as printable ASCII."""


def encode(messages: Sequence[ArenaMessage]) -> bytes:
    """Encode the arena's messages as one frame."""
    return _encoder.encode(messages)


def decode_hello(frame: bytes) -> Hello | Malformed:
    """Decode a process's first frame: exactly one hello."""
    hello = _decode(_hello_decoder, frame, MAX_ANSWER_BYTES)
    if isinstance(hello, Malformed):
        return hello
    typed = _decode(_typed_decoder, frame, MAX_ANSWER_BYTES)
    return typed if isinstance(typed, Malformed) else hello[0]


def decode_answers(frame: bytes, decisions: int) -> list[Act | Fail | Hello] | Malformed:
    """Decode what a process sent after its handshake, while it owes `decisions` answers.

    The limit holds for each answer by itself, so that a bot fares the same at any number of tables.
    """
    answers = _decode(_answer_decoder, frame, MAX_ANSWER_BYTES * max(decisions, 1))
    if len(frame) <= MAX_ANSWER_BYTES or isinstance(answers, Malformed):
        return answers
    too_long = any(len(answer) > MAX_ANSWER_BYTES for answer in _raw_decoder.decode(frame))
    return _too_long(frame) if too_long else answers


def _decode(decoder: msgspec.json.Decoder[T], frame: bytes, limit: int) -> T | Malformed:
    if len(frame) > limit:
        return _too_long(frame)
    try:
        frame.decode()  # all of it: what the decoder skips as unknown must be UTF-8 too
        return decoder.decode(frame)
    except UnicodeDecodeError:
        return Malformed("not UTF-8", show(frame))
    except RecursionError:
        return Malformed("nested too deeply", show(frame))
    except msgspec.MsgspecError as error:
        return Malformed(_explain(str(error)), show(frame))


def _too_long(frame: bytes) -> Malformed:
    text = f"more than the limit of {MAX_ANSWER_BYTES} bytes per decision"
    return Malformed(text, show(frame))


def _explain(text: str) -> str:
    """Put a decoder's words so that they do not depend on tables and cannot harm a terminal."""
    placeless = _PLACE_IN_FRAME.sub(_name_field, _BYTE.sub("", text))
    shown = "".join(c if c.isascii() and c.isprintable() else ascii(c)[1:-1] for c in placeless)
    if len(shown) <= _SHOWN_CHARACTERS:
        return shown
    half = _SHOWN_CHARACTERS // 2
    return f"{shown[:half]}...{shown[-half:]}"


def _name_field(place: re.Match[str]) -> str:
    return f" in `{place[1]}`" if place[1] else ""


def show(frame: bytes) -> str:
    """Give the first bytes of a frame in printable ASCII, cut and escaped."""
    shown = repr(bytes(frame[:_SHOWN_BYTES]))[1:]
    return shown if len(frame) <= _SHOWN_BYTES else f"{shown}... ({len(frame)} bytes)"
