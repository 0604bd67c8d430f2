"""Connects to the endpoints of its neighbours and pesters whoever listens there.

levels: none process sandbox
forfeits: none
log at process as root: reached: 0
log at sandbox: reached: 0
"""

import os
import socket
from pathlib import Path

import raw

own = Path(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))


def knock(endpoint):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(str(endpoint))
    stranger = raw.zmq.Context.instance().socket(raw.zmq.DEALER)
    stranger.linger = 1000
    stranger.connect(f"ipc://{endpoint}")
    for _ in range(100):
        stranger.send_json([raw.hello()])
        stranger.send(b"[]")


def misdeed(answers, bad):
    places = [own.parent.parent / str(seat) / str(start) for seat in range(4) for start in range(9)]
    others = [place for place in places if place != own]
    raw.say(f"reached: {sum(not raw.is_refused(knock, place) for place in others)}")


raw.play(misdeed)
