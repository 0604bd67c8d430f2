"""Behind `arena rate`: from a file of results, which need not come from here, to standings.

`read` finds out the format, `tables` and `records` read one each, within `limits`; both give a
`gathered` value.
"""

from __future__ import annotations

from dataclasses import replace

from arena.errors import UserError
from arena.ratings.rate import rate
from arena.ratings.scores import MatchScore
from arena.report.circumstances import Circumstances
from arena.report.standings import Progress, Standings, Tally
from arena.text import did_you_mean, visible
from arena.tools.rate.gathered import Gathered, Pair, Played
from arena.tools.rate.read import read_results
from arena.tournament.config import Rating

__all__ = ["rate_file"]


def rate_file(file: str, rating: Rating) -> Standings:
    """Rate all names in a file of results jointly.

    What a file cannot say, such as how much is scheduled, is None. Raises `UserError` as
    `read_results` does, and for an anchor that is not in the file.
    """
    gathered = read_results(file)
    names = gathered.names
    for anchor in rating.anchor:
        if anchor not in names:
            hint = did_you_mean(anchor, names) or "names are as in the first column of the table"
            raise UserError(visible(f'--anchor: no bot is named "{anchor}"; {hint}'))
    scores = tuple(sorted(_score(pair, played) for pair, played in gathered.matches.items()))
    ratings = rate(
        scores,
        names,
        mean=rating.mean,
        anchors=rating.anchor,
        confidence=rating.confidence,
    )
    return Standings(
        Progress(None, gathered.complete, gathered.games, None, None, None, None, None),
        tuple(_tally(name, gathered) for name in names),
        scores,
        replace(ratings, notices=(*ratings.notices, *gathered.notices)),
        Circumstances(),
    )


def _score(pair: Pair, played: Played) -> MatchScore:
    return MatchScore(
        *pair, *(played.clusters.get((2, n), 0) for n in (4, 2, 0)), half_boards=played.half_boards
    )


def _tally(name: str, gathered: Gathered) -> Tally:
    return Tally(
        bot=name,
        version=gathered.versions.get(name),
        faults=gathered.faults.get(name, {}),
        ms_per_decision=None,
        cpu_ms_per_decision=None,
        withdrawn=None,
    )
