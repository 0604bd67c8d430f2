"""Behind `arena replay`: a game that was played, found by its id, told, and put to a bot again."""
