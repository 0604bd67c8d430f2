"""The scale of ratings. No numpy here, so that a config is checked without loading it."""

from __future__ import annotations

import math

ELO = 400 / math.log(10)
"""Elo in one unit of theta, the natural scale of the Bradley-Terry model."""

MOST_APART = 5_000
"""Elo between anchors; at this distance the weaker wins one game in 3 * 10^12."""
