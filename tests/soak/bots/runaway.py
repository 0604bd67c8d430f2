"""Plays the first legal action, and leaves processes that run away in every game.

Each has the word of the param `mark` in its command line and is else hard to find: its own session,
no parent, nothing in its environment, no open file, deaf to signals. It goes by itself after
minutes, should all else fail.
"""

import json
import os
import signal
from collections.abc import Callable

import zmq

_ASLEEP_S = "300"
_IGNORED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def sleep(mark: str) -> None:
    """Become a program that does nothing."""
    os.execve("/bin/sleep", [f"{mark}/runaway", _ASLEEP_S], {})


def detached(mark: str) -> None:
    """Be nobody's child, in a session of its own."""
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, 256)
    for one in _IGNORED:
        signal.signal(one, signal.SIG_IGN)
    sleep(mark)


def in_a_new_group(mark: str) -> None:
    """Be a child like any other that only the group is not told of."""
    os.setpgid(0, 0)
    sleep(mark)


def begin(way: Callable[[str], None], mark: str) -> None:
    """Begin a process that goes on in a way."""
    child = os.fork()
    if not child:
        way(mark)
    if way is detached:
        os.waitpid(child, 0)


def main() -> None:
    socket: zmq.Socket[bytes] = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["ARENA_ENDPOINT"])
    hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 1}
    socket.send_json([hello])
    (welcome,) = json.loads(socket.recv())
    mark = welcome["params"]["mark"]
    begin(in_a_new_group, mark)
    socket.send_json([])
    for left in range(1_000_000):
        answers = []
        for message in json.loads(socket.recv()):
            match message["type"]:
                case "bye":
                    return
                case "decide":
                    asked = {"table": message["table"], "seq": message["seq"]}
                    answers.append({"type": "act", **asked, "action": message["legal"][0]})
        if left < 10:  # below the limit of processes, so that it is no fault
            begin(detached, mark)
        socket.send_json(answers)


main()
