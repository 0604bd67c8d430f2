"""A bot without the SDK: only a socket and JSON, as in any other language.

Each frame is a JSON array of messages. The arena sends decisions, and wants one frame back with an
answer to each of them.
"""

import json
import os
import sys
from typing import Any

import zmq

PARENT = os.getppid()
LOOK_MS = 2_000


def choose(view: dict[str, Any], legal: list[str]) -> str:
    """Return one of `legal`; `view` is what this seat may know."""
    if view["phase"] == "play":
        return legal[0]
    return legal[-1]  # sorted: "pass" is the last one where it is allowed


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """Answer one decision."""
    action = choose(message["view"], message["legal"])
    return {"type": "act", "table": message["table"], "seq": message["seq"], "action": action}


def receive(socket: zmq.Socket[bytes]) -> Any:
    """Wait for the next frame, but not for an arena that has gone without a word."""
    while not socket.poll(LOOK_MS):
        if os.getppid() != PARENT:
            sys.exit("the arena has gone")
    return json.loads(socket.recv())


def main() -> None:
    """Greet, say when ready, answer every frame, and end when the arena says bye."""
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 64}
    socket.send_json([hello])
    receive(socket)  # the welcome, which holds the bot's params
    socket.send_json([])  # ready: whatever has to be loaded is loaded before
    while True:
        messages = receive(socket)
        if any(message["type"] == "bye" for message in messages):
            return
        decisions = [message for message in messages if message["type"] == "decide"]
        socket.send_json([answer(message) for message in decisions])


if __name__ == "__main__":
    main()
