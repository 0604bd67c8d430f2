"""The rules that end a tournament before its last board: `stop.sprt` and `stop.rating_error`.

They look at boards of the completed prefix of the schedule's order, and at nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import msgspec

from arena.ratings.scores import MatchScore
from arena.ratings.sprt import Sprt, SprtState
from arena.referee.record import GameId, name_of
from arena.store.rows import Match, Stop
from arena.tournament.config import Config
from arena.tournament.schedule import SEATINGS, matches

Errors = Callable[[Sequence[MatchScore]], Mapping[str, float | None]]
"""Rates all bots and says, by name, the half width of each interval; None: it is not known."""


@dataclass(frozen=True)
class SprtRule:
    """Stop as soon as a test between two versions is decided."""

    a: str
    b: str
    test: Sprt

    @property
    def match(self) -> Match:
        """The match that is looked at."""
        ((match),) = matches((self.a, self.b))
        return match

    def state(self, seen: Counter[int | None]) -> SprtState:
        """Return how the test stands after such boards, as `Schedule.scores` tells them."""
        won_none, won_one, won_both = (seen[won] for won in range(SEATINGS + 1))
        ends = (won_none, won_both) if self.match[0] == self.a else (won_both, won_none)
        return self.test.state((ends[0], won_one, ends[1]))

    def take(self, seen: Counter[int | None], scores: Iterable[int | None]) -> int | None:
        """Add boards to those `seen` up to the first one that decides; return which that is.

        Later boards may undo what the first crossing of a bound has decided, so they are never
        looked at. None: all were added, and the test goes on.
        """
        for place, score in enumerate(scores):
            seen[score] += 1
            if score is not None and self.state(seen).decision is not None:
                return place
        return None

    def stop(self, state: SprtState, game: GameId) -> Stop:
        """Return the stop that follows from a decision after the last game of a board."""
        return Stop("sprt", self.match, game, self.sentence(state), self.figures(state))

    def sentence(self, state: SprtState) -> str:
        """Say for people how the test stands."""
        return state.sentence(name_of(self.a), name_of(self.b))

    def figures(self, state: SprtState) -> dict[str, Any]:
        """Return settings and state as they are kept; the boards are counted as A sees them."""
        lost, split, won = state.counts
        test = self.test
        return {
            "a": name_of(self.a),
            "b": name_of(self.b),
            **asdict(test),
            "bounds": [test.lower, test.upper],
            "llr": state.llr,
            "decision": state.decision,
            "boards": state.boards,
            "lost_both": lost,
            "split": split,
            "won_both": won,
        }


@dataclass(frozen=True)
class ErrorRule:
    """Stop after a block when the rating of each bot that plays is known well enough."""

    most: float
    """Elo: the largest half width that an interval may have."""
    errors: Errors

    def stop(
        self, scores: Sequence[MatchScore], playing: Sequence[str], field: Match, game: GameId
    ) -> Stop | None:
        """Return the stop that follows after the last game of a block; None: play on.

        `playing`: versions in `field` that are not withdrawn by then. As long as a match of theirs
        has few boards, errors may be small by luck, and are not looked at.
        """
        from arena.ratings.intervals import FEW_BOARDS  # noqa: PLC0415 - heavy, and only this rule needs it

        names = [name_of(version) for version in playing]
        boards = {frozenset((score.a, score.b)): score.boards for score in scores}
        meetings = [boards.get(frozenset(two), 0) for two in combinations(names, 2)]
        if not meetings or min(meetings) < FEW_BOARDS:
            return None
        found = self.errors(scores)
        errors = [error for name in names if (error := found[name]) is not None]
        if len(errors) < len(names) or max(errors) > self.most:
            return None
        largest = max(errors)
        reason = (
            f"Each rating is known to ± {largest:.1f} Elo or better after"
            f" {min(meetings)} boards of each match (stop.rating_error {self.most:g})."
        )
        return Stop(
            "rating_error", field, game, reason, {"rating_error": self.most, "error": largest}
        )


@dataclass(frozen=True)
class StopRules:
    """What may end a tournament before its last board."""

    sprt: SprtRule | None = None
    error: ErrorRule | None = None


def match_score(match: Match, boards: Counter[int | None]) -> MatchScore:
    """Return a match's score from how many games its first bot won on how many boards."""
    first, second = map(name_of, match)
    return MatchScore(first, second, boards[SEATINGS], boards[1], boards[0])


def rules_of(config: Config, versions: Iterable[str]) -> StopRules:
    """Return what the config says, for the bot versions that take part."""
    most = config.stop.rating_error
    error = None if most is None else ErrorRule(most, _errors_by(config, versions))
    return StopRules(sprt_rule(config, versions), error)


def sprt_rule(config: Config, versions: Iterable[str]) -> SprtRule | None:
    """Return the test that the config asks for; None: for none, or a bot of it does not play."""
    if config.stop.sprt is None:
        return None
    settings = msgspec.structs.asdict(config.stop.sprt)
    by_name = {name_of(version): version for version in versions}
    a, b = (by_name.get(settings.pop(key)) for key in ("a", "b"))
    return None if a is None or b is None else SprtRule(a, b, Sprt(**settings))


def _errors_by(config: Config, versions: Iterable[str]) -> Errors:
    """Rate as the table does."""
    names = [name_of(version) for version in versions]

    def errors(scores: Sequence[MatchScore]) -> Mapping[str, float | None]:
        from arena.ratings.rate import rate  # noqa: PLC0415 - as heavy

        rating = config.rating
        ratings = rate(
            scores,
            names,
            mean=rating.mean,
            anchors=rating.anchor,
            prior=rating.prior,
            confidence=rating.confidence,
        )
        return {one.bot: one.error for one in ratings.bots}

    return errors
