"""A304: explains itself in a note of a thousand letters."""

import json
import os

import zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send_json([{"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1}])
socket.recv()
socket.send_json([])
while (messages := json.loads(socket.recv()))[-1]["type"] != "bye":
    one = messages[-1]
    act = {"type": "act", "table": one["table"], "seq": one["seq"], "action": one["legal"][0]}
    socket.send_json([{**act, "note": "because " * 125}])
