"""The whole protocol without the SDK: a bot that always does the first thing allowed.

It shows what a bot in any language has to do; only a socket and JSON are needed.
"""

import json
import os
from typing import Any

import zmq


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """Answer one decision with the first of its legal actions."""
    asked = {"table": message["table"], "seq": message["seq"]}
    return {"type": "act", **asked, "action": message["legal"][0]}


def main() -> None:
    """Greet, say when ready, answer every decision of every frame, leave at the farewell."""
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 64}
    socket.send_json([hello])
    json.loads(socket.recv())  # the welcome, with the bot's params
    socket.send_json([])  # ready
    while True:
        messages = json.loads(socket.recv())
        if any(message["type"] == "bye" for message in messages):
            return
        decisions = [message for message in messages if message["type"] == "decide"]
        socket.send_json([answer(message) for message in decisions])


if __name__ == "__main__":
    main()
