"""Behind `arena play`: a person against a bot, with the rules and the referee of tournaments."""
