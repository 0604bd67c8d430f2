"""Fails to import.

given up: exited 1 before hello
got: ImportError: no module named torch
"""

raise ImportError("no module named torch")
