"""Exits between hello and ready.

given up: exited 4 before it was ready
"""

import sys

import raw

socket = raw.connect()
socket.send_json([raw.hello()])
socket.recv()
sys.exit(4)
