"""The whole protocol without the SDK: a bot that always does the first thing allowed.

It shows what a bot in any language has to do; only a socket and JSON are needed.
"""

import json
import os
import sys
from typing import Any

import zmq

PARENT = os.getppid()
LOOK_MS = 2_000


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """Answer one decision with the first of its legal actions."""
    asked = {"table": message["table"], "seq": message["seq"]}
    return {"type": "act", **asked, "action": message["legal"][0]}


def receive(socket: zmq.Socket[bytes]) -> Any:
    """Wait for the next frame, but not for an arena that has gone without a word."""
    while not socket.poll(LOOK_MS):
        if os.getppid() != PARENT:
            sys.exit("the arena has gone")
    return json.loads(socket.recv())


def main() -> None:
    """Greet, say when ready, answer every decision of every frame, leave at the farewell."""
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 64}
    socket.send_json([hello])
    receive(socket)  # the welcome, with the bot's params
    socket.send_json([])  # ready
    while True:
        messages = receive(socket)
        if any(message["type"] == "bye" for message in messages):
            return
        decisions = [message for message in messages if message["type"] == "decide"]
        socket.send_json([answer(message) for message in decisions])


if __name__ == "__main__":
    main()
