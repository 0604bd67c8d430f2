"""How a run goes: told to people on stderr, to programs on stdout, and to a log.

`told` hears the runner and tells everybody else. Only `live` imports rich, and only for a terminal.
"""
