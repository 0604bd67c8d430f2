"""From rows of finished games to ratings: pure functions that know nothing of the store.

Empty on purpose: `scores` and `scale` are light, `rate` brings numpy and scipy with it.
"""
