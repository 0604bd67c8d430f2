"""The command line. Each command's module holds its arguments; the work is done elsewhere.

``arena --help`` must load nothing heavy: what a command needs is imported when it runs.
"""

from arena.cli.main import main

__all__ = ["main"]
