"""Plays the first legal action, `after_ms` (a param) after it was asked, never sooner."""

import json
import os
import time

import zmq


def main() -> None:
    socket: zmq.Socket[bytes] = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 1}
    socket.send_json([hello])
    (welcome,) = json.loads(socket.recv())
    after_s = welcome["params"]["after_ms"] / 1000
    socket.send_json([])
    while True:
        messages = json.loads(socket.recv())
        due_s = time.monotonic() + after_s
        answers = []
        for message in messages:
            match message["type"]:
                case "bye":
                    return
                case "decide":
                    asked = {"table": message["table"], "seq": message["seq"]}
                    answers.append({"type": "act", **asked, "action": message["legal"][0]})
        time.sleep(max(0.0, due_s - time.monotonic()))
        socket.send_json(answers)


main()
