"""Plays the first legal action at once, and notes how many microseconds it took for that."""

import json
import os
import time

import zmq

_ANSWER = '[{{"type":"act","table":{table},"seq":{seq},"action":"{action}","note":"{us}"}}]'


def main() -> None:
    socket: zmq.Socket[bytes] = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    socket.send_json([{"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1}])
    socket.recv()
    socket.send_string("[]")
    while True:
        frame = socket.recv()
        began_ns = time.perf_counter_ns()
        last = json.loads(frame)[-1]
        if last["type"] != "decide":
            return
        known = {"table": last["table"], "seq": last["seq"], "action": last["legal"][0]}
        us = (time.perf_counter_ns() - began_ns) // 1000
        socket.send_string(_ANSWER.format(**known, us=us))


if __name__ == "__main__":
    main()
