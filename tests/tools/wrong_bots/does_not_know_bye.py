"""A204 A205: waits for the next message for ever."""

import json
import os

import zmq


def main() -> None:
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    socket.send_json([{"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1}])
    socket.recv()
    socket.send_json([])
    while True:
        messages = json.loads(socket.recv())
        acts = [
            {"type": "act", "table": one["table"], "seq": one["seq"], "action": one["legal"][-1]}
            for one in messages
            if one["type"] == "decide"
        ]
        if acts:
            socket.send_json(acts)


main()
