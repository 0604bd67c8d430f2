"""Behind `arena rate`: from a file of results, which need not come from here, to standings.

`read` finds out the format, `tables` and `records` read one each, within `limits`; both give a
`gathered` value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from arena.errors import UserError
from arena.ratings.critical import student
from arena.ratings.rate import rate
from arena.ratings.ratings import Sequential
from arena.ratings.scale import MOST_APART
from arena.report.circumstances import Circumstances
from arena.report.endings import Ending
from arena.report.standings import Progress, Standings, Tally
from arena.text import did_you_mean, visible
from arena.tools.endings import ExportedStop, ending_of, sequential_match, without_intervals
from arena.tools.rate.gathered import Gathered
from arena.tools.rate.read import read_results
from arena.tournament.config import Rating

__all__ = ["rate_file"]

_MOST_NAMES = 8


def rate_file(file: str, rating: Rating) -> Standings:
    """Rate all names in a file of results jointly.

    What a file cannot say, such as how much is scheduled, is None. Raises `UserError` as
    `read_results` does, and for anchors that cannot be.
    """
    gathered = read_results(file)
    names = gathered.names
    _check_anchors(rating.anchor, names)
    shown = {version: name for name, version in gathered.versions.items()}
    sequential = _sequential(gathered.stop, shown)
    ratings = rate(
        gathered.scores,
        names,
        mean=rating.mean,
        anchors=rating.anchor,
        prior=rating.prior,
        confidence=rating.confidence,
        sequential=sequential,
    )
    return Standings(
        Progress(None, gathered.complete, gathered.games, None, None, None, None, None),
        tuple(_tally(name, gathered) for name in names),
        gathered.scores,
        replace(ratings, notices=(*ratings.notices, *gathered.notices)),
        Circumstances(),
        without_intervals(
            gathered.deals.points(student(rating.confidence), shown.__getitem__), sequential
        ),
        _ending(gathered.stop),
    )


def _ending(stop: ExportedStop | None) -> Ending:
    return Ending(not_needed=None) if stop is None else ending_of(stop.stop, stop.not_needed)


def _sequential(stop: ExportedStop | None, shown: Mapping[str, str]) -> Sequential | None:
    """Return the match whose number of boards followed from its results, with the names shown."""
    found = None if stop is None else sequential_match(stop.stop, by_version=True)
    if found is None:
        return None
    above = None if found.above is None else (shown[found.above[0]], shown[found.above[1]])
    return Sequential(shown[found.a], shown[found.b], above)


def _check_anchors(anchors: Mapping[str, float], names: Sequence[str]) -> None:
    for anchor in anchors:
        if anchor not in names:
            shown = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
            hint = did_you_mean(anchor, names) or f"names are: {shown}"
            raise UserError(visible(f'--anchor: no bot is named "{anchor}"; {hint}'))
    if anchors and max(anchors.values()) - min(anchors.values()) > MOST_APART:
        raise UserError(f"--anchor: anchors may be {MOST_APART} apart at most")


def _tally(name: str, gathered: Gathered) -> Tally:
    return Tally(
        bot=name,
        version=gathered.versions.get(name),
        faults=None if gathered.faults is None else gathered.faults.get(name, {}),
        ms_per_decision=None,
        cpu_ms_per_decision=None,
        withdrawn=None,
    )
