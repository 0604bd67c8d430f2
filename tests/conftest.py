"""What holds for all tests."""

import compileall
import signal
from pathlib import Path

from hypothesis import settings

# A test never depends on how fast the machine is, nor on running in the background or under nohup.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
# As an installed arena is; where Python may write no bytecode each process would compile all of it.
compileall.compile_dir(Path(__file__).parents[1] / "arena", quiet=1)
