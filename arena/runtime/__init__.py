"""Running games: the only layer that knows sockets, processes and time."""
