"""The protocol spoken by hand, for bad bots to deviate from. Not a bot itself.

Every bot misbehaves in game 2 at its decision 2: it knows the game by its bot_seed, which the test
sets to the game's number. So it is the same game for any number of tables. A bot with many misdeeds
of a kind commits one in each game, in their order.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import zmq

BAD_GAME = 2
BAD_SEQ = 2

Message = dict[str, Any]
Misdeed = Callable[[list[Message], int], "bytes | list[Message] | None"]
"""Gets the right answers and the place of the chosen decision; returns what is sent instead."""


def connect() -> zmq.Socket[bytes]:
    socket = zmq.Context.instance().socket(zmq.DEALER)
    socket.linger = 1000
    socket.connect(os.environ["ARENA_ENDPOINT"])
    say("a process begins")
    return socket


def hello(**fields: Any) -> Message:
    return {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, **fields}


def handshake() -> zmq.Socket[bytes]:
    socket = connect()
    socket.send_json([hello(max_tables=64)])
    socket.recv()
    socket.send(b"[]")
    return socket


def is_first_time() -> bool:
    """Tell whether this is asked for the first time in all processes of this bot."""
    try:
        Path(os.environ["HOSTILE_MEMORY"]).open("x").close()
    except FileExistsError:
        return False
    return True


def first_legal(decide: Message) -> Message:
    return {
        "type": "act",
        "table": decide["table"],
        "seq": decide["seq"],
        "action": decide["legal"][0],
    }


def serve(
    socket: zmq.Socket[bytes],
    misdeeds: Misdeed | Sequence[Misdeed],
    *,
    once: bool = False,
    always: bool = False,
) -> None:
    """Answer all decisions by their first legal action, but for the chosen ones.

    `once`: only the first time it is asked; `always`: every frame is the chosen one.
    """
    by_game = {BAD_GAME: misdeeds} if callable(misdeeds) else dict(enumerate(misdeeds))
    games: dict[int, int] = {}
    while True:
        answers: list[Message] = []
        bad = [(0, by_game[BAD_GAME])] if always else []
        for message in json.loads(socket.recv()):
            match message["type"]:
                case "game_start":
                    games[message["table"]] = message["bot_seed"]
                case "decide":
                    game = games[message["table"]]
                    if game in by_game and message["seq"] == BAD_SEQ:
                        bad.append((len(answers), by_game[game]))
                    answers.append(first_legal(message))
                case "bye":
                    return
        frame: bytes | list[Message] = answers
        for place, misdeed in bad:
            if not once or is_first_time():
                changed = misdeed(answers, place)
                frame = answers if changed is None else changed
        socket.send(frame if isinstance(frame, bytes) else json.dumps(frame).encode())


def play(misdeeds: Misdeed | Sequence[Misdeed], *, once: bool = False) -> None:
    serve(handshake(), misdeeds, once=once)


def nothing(answers: list[Message], bad: int) -> None:
    """Commit no misdeed."""


def change(**fields: Any) -> Misdeed:
    """Give the answer to the chosen decision other fields."""

    def misdeed(answers: list[Message], bad: int) -> None:
        answers[bad] |= fields

    return misdeed


def is_refused(attempt: Callable[..., object], *arguments: Any) -> bool:
    """Attempt something, and say whether the machine lets it be."""
    try:
        attempt(*arguments)
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        say(f"refused: {error!r}")
        return True
    say("not refused")
    return False


def detach(program: Callable[[], object], *, closed: bool = True) -> None:
    """Run something in a process that has run away: its own session, no parent, no environment.

    It is known by the mark in its name.
    """
    if os.fork():
        os.wait()
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    if closed:
        os.closerange(0, 64)
    program()
    os.execve("/bin/sleep", [os.environ["ARENA_TEST_MARK"], "1000"], {})


TRAPS = [
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x00",
    "\r\n\x0b\x0c",
    "\x9b31m\x85",
    "\u2028\u2029",
    "\u202egnp.exe",
    "\u2066\u2069\u200f",
    "\u200b\u200d\u2060\ufeff",
    "Z" + "\u0301\u0489" * 30,
    "\U000e0041\U000e007f",
    "\ue000\ufffe\U0010ffff",
    "\uff30\uff21\uff33\uff33",
    "\u6f22" * 60,
    "\U0001f468\u200d\U0001f469",
]
"""Texts that steer a terminal, hide, turn or pile up."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
