"""Behind `arena check`: whether a bot is fit to play, and if not, which mistake it makes.

`asked` and `diagnosis` are pure: what is put to a bot, and what is wrong with an answer. `playing`
and `conversation` put it to real processes, `judging` makes findings of what went wrong, `looking`
does it all for one bot, and `codes` is what `arena explain` shows.
"""
