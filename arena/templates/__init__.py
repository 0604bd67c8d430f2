"""What `arena new-bot` and `arena init` write: files that play as they are.

The bots here are no modules of the arena: they are copied, and import what any bot may.
"""

BOTS = {
    "minimal": "a class with one method",
    "starter": "a method for each phase of the game, with a simple rule in each",
    "protocol": "no SDK, only messages: the one to look at for other languages",
}
"""What a bot's file may begin as: the name of the template, and what it is."""

CONFIG = "tournament.yaml"
"""The config that `arena init` writes."""
