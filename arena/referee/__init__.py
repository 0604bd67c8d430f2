"""Judging games: pure, events in and effects out; no sockets, no processes, no wall clock."""
