"""One module behind each command that is more than a few lines."""
