"""A tournament's config: what stands in the file, checked and with all defaults.

`load_config` is the one way in. From bytes to a `Config` lead `yaml_source`, `yaml_nodes`,
`mappings` with `readers`, `keys`, `entries` and `checks`; all report what is wrong to one
`document`. `bot_yaml` does the same for what a bot's own folder says. What the types say of each
key, `schema` and `show` say again in other forms.
"""

from arena.tournament.config.entry import BotEntry
from arena.tournament.config.keys import Faults, Rating, Run
from arena.tournament.config.load import Config, load_config, read_config

__all__ = ["BotEntry", "Config", "Faults", "Rating", "Run", "load_config", "read_config"]
