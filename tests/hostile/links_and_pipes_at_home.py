r"""Leaves links out of its home, pipes, sockets and nameless names there, for whoever clears up.

forfeits: none
"""

import os
import socket
from pathlib import Path

import raw

home = Path(os.environ["HOME"])
(home / "root").symlink_to("/")
(home / "itself").symlink_to("itself")
(home / "program").symlink_to(Path.cwd(), target_is_directory=True)
(home / "nowhere").symlink_to("/nowhere")
os.mkfifo(home / "pipe")
Path(os.fsdecode(os.fsencode(home) + b"/\xff\n\x1b[2J -rf")).touch()
(home / ("x" * 255)).mkdir()
socket.socket(socket.AF_UNIX).bind(str(home / "socket"))
raw.play(raw.nothing)
