"""What stands between a bot and the machine: a level is a value that yields a launcher chain.

`levels` says what each level is made of, `sandbox` and `confined` which words bring that about,
`calls` what may not be asked of the kernel,
`users` which user a bot is, `marks` how all its processes are known again.
"""

from arena.runtime.isolation.cell import Cell
from arena.runtime.isolation.environment import scrubbed_environment
from arena.runtime.isolation.levels import Isolation, isolation

__all__ = ["Cell", "Isolation", "isolation", "scrubbed_environment"]
