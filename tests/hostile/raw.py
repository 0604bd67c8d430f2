"""The protocol spoken by hand, for bad bots to deviate from. Not a bot itself.

Every bot misbehaves in game 2 at its decision 2: it knows the game by its bot_seed, which the test
sets to the game's number. So it is the same game for any number of tables.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
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
    socket: zmq.Socket[bytes], misdeed: Misdeed, *, once: bool = False, always: bool = False
) -> None:
    """Answer all decisions by their first legal action, but for the chosen one.

    `once`: only the first time it is asked; `always`: every frame is the chosen one.
    """
    games: dict[int, int] = {}
    while True:
        answers: list[Message] = []
        bad = 0 if always else None
        for message in json.loads(socket.recv()):
            match message["type"]:
                case "game_start":
                    games[message["table"]] = message["bot_seed"]
                case "decide":
                    if (games[message["table"]], message["seq"]) == (BAD_GAME, BAD_SEQ):
                        bad = len(answers)
                    answers.append(first_legal(message))
                case "bye":
                    return
        frame: bytes | list[Message] = answers
        if bad is not None and (not once or is_first_time()):
            changed = misdeed(answers, bad)
            frame = answers if changed is None else changed
        socket.send(frame if isinstance(frame, bytes) else json.dumps(frame).encode())


def play(misdeed: Misdeed, *, once: bool = False) -> None:
    serve(handshake(), misdeed, once=once)


def change(**fields: Any) -> Misdeed:
    """Give the answer to the chosen decision other fields."""

    def misdeed(answers: list[Message], bad: int) -> None:
        answers[bad] |= fields

    return misdeed


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
