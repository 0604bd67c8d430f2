"""Planning and running tournaments: config, schedule, who plays, what is still to do."""
