"""The results of one tournament in SQLite; nothing else of ours imports sqlite3."""
