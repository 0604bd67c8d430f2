"""Frames to typed messages and back. Hostile bytes end here: what comes out is bounded and typed.

A frame is one JSON array of messages. What is wrong with a frame is said as a `Malformed` value,
never as an exception: a bot's misdeed is data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from arena.protocol.messages import Act, ArenaMessage, Fail, Hello

MAX_ANSWER_BYTES = 4096
"""For each decision of a frame."""
_SHOWN_BYTES = 80

_PLACE_IN_FRAME = re.compile(r" - at `\$\[\d+\]\.?([^`]*)`")

_encoder = msgspec.json.Encoder()
_hello_decoder = msgspec.json.Decoder(tuple[Hello])
_answer_decoder = msgspec.json.Decoder(list[Act | Fail | Hello])


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
    if len(frame) > MAX_ANSWER_BYTES:
        return _too_long(frame, MAX_ANSWER_BYTES)
    try:
        return _hello_decoder.decode(frame)[0]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return _explain(frame, error)


def decode_answers(frame: bytes, decisions: int) -> list[Act | Fail | Hello] | Malformed:
    """Decode what a process sent after its handshake, while it owes `decisions` answers."""
    limit = MAX_ANSWER_BYTES * max(decisions, 1)
    if len(frame) > limit:
        return _too_long(frame, limit)
    try:
        return _answer_decoder.decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return _explain(frame, error)


def _too_long(frame: bytes, limit: int) -> Malformed:
    text = f"answer of {len(frame)} bytes, limit {MAX_ANSWER_BYTES} per decision ({limit})"
    return Malformed(text, show(frame))


def _explain(frame: bytes, error: Exception) -> Malformed:
    if isinstance(error, RecursionError):
        return Malformed("nested too deeply", show(frame))
    return Malformed(_PLACE_IN_FRAME.sub(_name_field, str(error)), show(frame))


def _name_field(place: re.Match[str]) -> str:
    return f" in `{place[1]}`" if place[1] else ""


def show(frame: bytes) -> str:
    """Give the first bytes of a frame in printable ASCII, cut and escaped."""
    shown = repr(bytes(frame[:_SHOWN_BYTES]))[1:]
    return shown if len(frame) <= _SHOWN_BYTES else f"{shown}... ({len(frame)} bytes)"
