"""A115: answers every decision of a message with an action of its first one."""

import json
import os

import zmq


def main() -> None:
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    token = os.environ["ARENA_TOKEN"]
    socket.send_json([{"type": "hello", "token": token, "protocol": 1, "max_tables": 8}])
    socket.recv()
    socket.send_json([])
    while True:
        messages = json.loads(socket.recv())
        if messages[-1]["type"] == "bye":
            return
        decisions = [one for one in messages if one["type"] == "decide"]
        action = decisions[0]["legal"][0]
        socket.send_json(
            [
                {"type": "act", "table": one["table"], "seq": one["seq"], "action": action}
                for one in decisions
            ]
        )


main()
