"""Dies when a game has ended and it is told so: the next decision pays, the rest is played.

levels: none process
forfeits at 1 table: any=crash
forfeits at 4 tables: any=crash
detail: exited 6
"""

import json
import os

import raw

socket = raw.handshake()
while True:
    messages = json.loads(socket.recv())
    if any(one["type"] == "game_end" for one in messages) and raw.is_first_time():
        os._exit(6)
    if messages[-1]["type"] == "bye":
        break
    socket.send_json([raw.first_legal(one) for one in messages if one["type"] == "decide"])
