"""Plays the first legal action, but misbehaves in a share of its decisions, in many ways.

Which decision and which way follow from (bot_seed, seq) alone, so its faults are the same in every
run. Its params: `share`, how many of a thousand decisions, and `ways`, the names of the misdeeds.
"""

import hashlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

import zmq


def misdeed(bot_seed: int, seq: int, share: int, ways: Sequence[str]) -> str | None:
    """Which way a decision goes wrong; None: not at all."""
    digest = hashlib.sha256(f"{bot_seed}|{seq}".encode()).digest()
    if int.from_bytes(digest[:4], "big") % 1000 >= share:
        return None
    return ways[digest[4] % len(ways)]


def answer(decide: dict[str, Any], way: str | None) -> dict[str, Any]:
    asked = {"table": decide["table"], "seq": decide["seq"]}
    match way:
        case "illegal":
            return {"type": "act", **asked, "action": "fold"}
        case "fail":
            return {"type": "fail", **asked, "detail": "I give up"}
        case "wrong_type":
            return {"type": "act", **asked, "action": 7}
    return {"type": "act", **asked, "action": decide["legal"][0]}


def frame(decides: Sequence[dict[str, Any]], ways: Sequence[str | None]) -> bytes:
    """The whole answer to a frame; does not return where a process ends itself."""
    if "exit" in ways:
        print("I have had enough", file=sys.stderr, flush=True)
        os._exit(3)
    if "signal" in ways:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "no_json" in ways:
        return b"{"
    pairs = zip(decides, ways, strict=True)
    return json.dumps([answer(decide, way) for decide, way in pairs if way != "missing"]).encode()


def main() -> None:
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 64}
    socket.send_json([hello])
    (welcome,) = json.loads(socket.recv())
    socket.send_json([])
    seeds: dict[int, int] = {}
    while True:
        decides: list[dict[str, Any]] = []
        for message in json.loads(socket.recv()):
            match message["type"]:
                case "bye":
                    return
                case "game_start":
                    seeds[message["table"]] = message["bot_seed"]
                case "decide":
                    decides.append(message)
        ways = [misdeed(seeds[one["table"]], one["seq"], **welcome["params"]) for one in decides]
        socket.send(frame(decides, ways))


main()
