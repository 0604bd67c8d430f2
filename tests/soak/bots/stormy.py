"""Plays the first legal action, but misbehaves in a share of its games, in many ways.

Which game and which way follow from bot_seed alone, and it is always at the first decision, which
every game asks of both seats. So the fault of every game can be told beforehand, whatever else is
played in the same process. Its params: `share`, how many of a thousand games, and maybe `ways`.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import zmq

Answer = dict[str, Any]
_ASLEEP_S = 1000

WAYS: Mapping[str, str | None] = {
    "is not legal": "illegal",
    "is nearly legal": "illegal",
    "gives up": "crash",
    "number for text": "malformed",
    "unknown type": "malformed",
    "field missing": "malformed",
    "answer missing": "malformed",
    "never asked": "malformed",
    "action too long": "malformed",
    "no JSON": "malformed",
    "not a number": "malformed",
    "no UTF-8": "malformed",
    "no list": "malformed",
    "deep": "malformed",
    "empty": "malformed",
    "long": "malformed",
    "two parts": "malformed",
    "exits": "crash",
    "segfaults": "crash",
    "exits with children": "crash",
    "aborts loudly": "crash",
    "hellos": "flood",
    "hangs": "timeout",
    "hangs deaf": "timeout",
    "closes": "timeout",
    "allocates": "memory",
    "prints": None,
    "leaves a child": None,
    "stranger": None,
}
"""Every way, and the kind of fault it is; None: it costs nothing."""


def misdeed(bot_seed: int, share: int, ways: Sequence[str] = tuple(WAYS)) -> str | None:
    """Which way a game goes wrong; None: not at all."""
    chosen, way = divmod(bot_seed, len(ways))
    return ways[way] if chosen % 1000 < share else None


CHANGES: Mapping[str, Answer] = {
    "is not legal": {"action": "fold"},
    "is nearly legal": {"action": "pass "},
    "gives up": {"type": "fail", "detail": "I give up"},
    "number for text": {"action": 7},
    "unknown type": {"type": "play"},
    "field missing": {"seq": None},
    "never asked": {"table": 1_000_000_000},
    "action too long": {"action": "a" * 65},
    "not a number": {"seq": float("nan")},
}
"""Of the right answer; None takes a field away."""


def spoiled(right: Answer, way: str) -> list[Answer]:
    """The answer to one decision, where the way is in what it says."""
    if way == "answer missing":
        return []
    changed = right | CHANGES.get(way, {})
    return [{key: value for key, value in changed.items() if value is not None}]


FRAMES: Mapping[str, bytes] = {
    "no JSON": b"{",
    "no UTF-8": b'["\xff"]',
    "no list": b"7",
    "deep": b"[" * 3000,
    "empty": b"",
    "long": b" " * (1 << 20),
}


class Wrongdoer:
    """What a process does, with the right answers to a frame or instead of them."""

    def __init__(self, socket: "zmq.Socket[bytes]", hello: Answer) -> None:
        self._socket = socket
        self._hello = hello
        self._deeds: dict[str, Callable[[], None]] = {
            "two parts": lambda: socket.send(b"[", zmq.SNDMORE),
            "exits": self._exit,
            "segfaults": lambda: self._die(signal.SIGSEGV),
            "exits with children": self._exit_with_children,
            "aborts loudly": self._abort_loudly,
            "hellos": self._hellos,
            "hangs": lambda: time.sleep(_ASLEEP_S),
            "hangs deaf": self._hang_deaf,
            "closes": self._close,
            "allocates": self._allocate,
            "prints": lambda: print("x" * 200_000, flush=True),
            "leaves a child": _leave_child,
            "stranger": self._come_as_stranger,
        }

    def do(self, ways: Sequence[str | None]) -> bytes | None:
        """Commit the misdeeds of a frame; return what to send in place of its answers."""
        committed = [way for way in ways if way is not None]
        for way in committed:
            if way in self._deeds:
                self._deeds[way]()
        return next((FRAMES[way] for way in committed if way in FRAMES), None)

    def _exit(self) -> None:
        print("I have had enough", file=sys.stderr, flush=True)
        os._exit(3)

    def _die(self, number: signal.Signals) -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), number)
        time.sleep(_ASLEEP_S)

    def _exit_with_children(self) -> None:
        _leave_child()
        subprocess.Popen(["sleep", str(_ASLEEP_S)])
        os._exit(0)

    def _abort_loudly(self) -> None:
        print("\x1b[2J" * 50_000, flush=True)
        self._die(signal.SIGABRT)

    def _hellos(self) -> None:
        for _ in range(20):
            self._socket.send_json([self._hello])
        time.sleep(_ASLEEP_S)

    def _hang_deaf(self) -> None:
        for number in {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}:
            signal.signal(number, signal.SIG_IGN)
        _leave_child()
        time.sleep(_ASLEEP_S)

    def _close(self) -> None:
        self._socket.close(linger=0)
        time.sleep(_ASLEEP_S)

    def _allocate(self) -> None:
        held = []
        while True:
            held.append(b"x" * 10_000_000)

    def _come_as_stranger(self) -> None:
        with self._socket.context.socket(zmq.DEALER) as other:
            other.linger = 100
            other.connect(os.environ["ARENA_ENDPOINT"])
            other.send_json([self._hello | {"token": "stolen"}])
            other.send(b"[]")


def _leave_child() -> None:
    """Leave a process that has run away: its own session, no parent, no environment.

    It is named after the folder of its bot, so that a test finds it.
    """
    if child := os.fork():
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.execve("/bin/sleep", [f"{Path.cwd()}/sleep", str(_ASLEEP_S)], {})


def main() -> None:
    socket: zmq.Socket[bytes] = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 64}
    socket.send_json([hello])
    (welcome,) = json.loads(socket.recv())
    socket.send_json([])
    params = welcome["params"]
    wrongdoer = Wrongdoer(socket, hello)
    seeds: dict[int, int] = {}
    while True:
        answers: list[Answer] = []
        ways: list[str | None] = []
        for message in json.loads(socket.recv()):
            match message["type"]:
                case "bye":
                    return
                case "game_start":
                    seeds[message["table"]] = message["bot_seed"]
                case "decide":
                    asked = {"table": message["table"], "seq": message["seq"]}
                    right = {"type": "act", **asked, "action": message["legal"][0]}
                    way = None if message["seq"] else misdeed(seeds[message["table"]], **params)
                    ways.append(way)
                    answers += [right] if way is None else spoiled(right, way)
        frame = wrongdoer.do(ways)
        socket.send(json.dumps(answers).encode() if frame is None else frame)


if __name__ == "__main__":
    main()
