"""arena: a tournament runner for AI bots."""

__version__ = "0.1.0"
