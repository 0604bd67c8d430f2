from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.ratings.critical import two_sided
from arena.ratings.rate import rate
from arena.ratings.ratings import BotRating, Ratings, Sequential
from arena.ratings.scale import MOST_APART
from arena.ratings.scores import Cluster, MatchScore

K = 400 / math.log(10)


def elos(ratings: Ratings) -> dict[str, float | None]:
    return {rating.bot: rating.elo for rating in ratings.bots}


def elo(ratings: Ratings, bot: str) -> float:
    value = ratings.of(bot).elo
    assert value is not None
    return value


def error(ratings: Ratings, bot: str) -> float:
    value = ratings.of(bot).error
    assert value is not None
    return value


def bounds(ratings: Ratings) -> dict[str, str | None]:
    return {rating.bot: rating.bound for rating in ratings.bots}


def expected(ratings: Ratings, bot: str, boards: dict[str, int]) -> float:
    """Games that `bot` is expected to win against others on so many boards each."""
    return sum(
        2 * n / (1 + 10 ** ((elo(ratings, other) - elo(ratings, bot)) / 400))
        for other, n in boards.items()
    )


EVEN = [
    MatchScore("a", "b", 20, 60, 10),
    MatchScore("a", "c", 25, 60, 5),
    MatchScore("b", "c", 15, 60, 15),
]


class TestFit:
    def test_expected_games_are_the_games_won(self) -> None:
        ratings = rate(EVEN, "abc")
        assert expected(ratings, "a", {"b": 90, "c": 90}) == pytest.approx(100 + 110, abs=1e-6)
        assert sum(elo(ratings, bot) for bot in "abc") == pytest.approx(3 * 1500)
        assert ratings.notices == ()

    def test_the_same_two_bots_may_come_in_parts_and_either_way_round(self) -> None:
        parts = [
            MatchScore("a", "b", 5, 60, 4),
            MatchScore("b", "a", 6, 0, 15),
            MatchScore("c", "a", 5, 60, 25),
            EVEN[2],
        ]
        assert rate(parts, "abc") == rate(EVEN, "abc")

    def test_rows_come_best_first_and_equal_ones_by_name(self) -> None:
        equal = [MatchScore(a, b, 5, 20, 5) for a, b in combinations("dbca", 2)]
        assert [rating.bot for rating in rate(equal, "dbca").bots] == ["a", "b", "c", "d"]
        assert [rating.bot for rating in rate(EVEN, "cba").bots] == ["a", "b", "c"]

    def test_a_bot_without_a_complete_board_has_no_rating(self) -> None:
        ratings = rate([*EVEN, MatchScore("a", "d", 0, 0, 0, half_boards=2)], "abcd")
        assert ratings.bots[-1] == BotRating("d")
        assert len(ratings.groups) == 1

    def test_nothing_comes_of_nothing(self) -> None:
        ratings = rate([], ["x", "a"], anchors={"x": 1000})
        assert ratings.bots == (BotRating("a"), BotRating("x"))
        assert (ratings.groups, ratings.phi) == ((), None)
        assert rate([], []).bots == ()

    @pytest.mark.parametrize(
        ("scores", "bots", "options", "text"),
        [
            (EVEN, "ab", {}, "not a match between two of the bots"),
            ([MatchScore("a", "a", 1, 1, 1)], "ab", {}, "not a match between two of the bots"),
            (EVEN, "abca", {}, "named twice"),
            (EVEN, "abc", {"mean": math.nan}, "finite"),
            (EVEN, "abc", {"anchors": {"a": math.inf}}, "finite"),
            (EVEN, "abc", {"anchors": {"a": 0, "b": MOST_APART + 1}}, "within"),
            (EVEN, "abc", {"confidence": 1}, "between 0 and 1"),
        ],
    )
    def test_misuse_is_refused(
        self, scores: list[MatchScore], bots: str, options: dict[str, object], text: str
    ) -> None:
        with pytest.raises(ValueError, match=text):
            rate(scores, bots, **options)  # type: ignore[arg-type]


class TestAnchors:
    def test_one_anchor_moves_all_and_is_exact(self) -> None:
        free, held = rate(EVEN, "abc"), rate(EVEN, "abc", anchors={"b": 1000})
        assert (held.of("b").elo, held.of("b").error) == (1000, 0)
        for a, b in combinations("abc", 2):
            first, second = free.difference(a, b), held.difference(a, b)
            assert first is not None
            assert second is not None
            assert second.elo == pytest.approx(first.elo)
            assert second.error == pytest.approx(first.error)
        against_b = held.difference("a", "b")
        assert against_b is not None
        assert held.of("a").error == pytest.approx(against_b.error)

    def test_several_anchors_stay_and_the_others_are_fitted_to_them(self) -> None:
        ratings = rate(EVEN, "abc", anchors={"a": 1600, "c": 1400})
        assert elo(ratings, "a") == pytest.approx(1600)
        assert elo(ratings, "c") == pytest.approx(1400)
        assert expected(ratings, "b", {"a": 90, "c": 90}) == pytest.approx(80 + 90, abs=1e-6)
        assert (error(ratings, "a"), error(ratings, "c")) == (0, 0)
        assert error(ratings, "b") > 0

    def test_all_may_be_anchors(self) -> None:
        ratings = rate(EVEN, "abc", anchors={"a": 1, "b": 2, "c": 3})
        assert elos(ratings) == pytest.approx({"a": 1, "b": 2, "c": 3})
        assert [r.rank for r in ratings.bots] == [(1, 1), (2, 2), (3, 3)]
        assert ratings.bots[0].bot == "c"

    @pytest.mark.parametrize(
        ("anchor", "text"),
        [
            ("x", "The anchor x takes no part, so it is not used."),
            ("e", "The anchor e has no complete board yet, so it is not used."),
            ("d", "The anchor d has only matches that went one way, so it is not used."),
        ],
    )
    def test_an_anchor_that_cannot_hold_is_named(self, anchor: str, text: str) -> None:
        scores = [*EVEN, MatchScore("a", "d", 30, 0, 0)]
        ratings = rate(scores, "abcde", anchors={anchor: 1000})
        assert text in ratings.notices
        assert "No anchor holds (a, b, c, d): the mean there is 1500." in ratings.notices
        assert elos(ratings) == elos(rate(scores, "abcde"))

    def test_anchors_far_from_what_the_games_say_are_still_obeyed(self) -> None:
        ratings = rate(EVEN, "abc", anchors={"a": 0, "c": MOST_APART})
        assert expected(ratings, "b", {"a": 90, "c": 90}) == pytest.approx(80 + 90, abs=1e-6)


class TestBounds:
    """A bot that won n of n games is put where n - 1/2 are expected; one that lost: 1/2."""

    def test_a_perfect_bot_does_not_move_the_others(self) -> None:
        # Worked out from the rule in Ordo's manual: 838.8.
        scores = [
            *(MatchScore("A", b, 10, 0, 0) for b in "BCD"),
            MatchScore("B", "C", 6, 0, 4),
            MatchScore("B", "D", 7, 0, 3),
            MatchScore("C", "D", 5, 1, 4),
        ]
        ratings = rate(scores, "ABCD", mean=0)
        assert elo(ratings, "A") == pytest.approx(838.8, abs=0.05)
        assert ratings.of("A").bound == ">"
        assert ratings.of("A").error is None
        without = rate(scores[3:], "BCD", mean=0)
        assert [elo(ratings, b) for b in "BCD"] == [elo(without, b) for b in "BCD"]
        assert ratings.notices[0] == "Won every game, so the rating is only a lower bound: A."

    def test_a_bot_that_lost_all_is_the_mirror_image(self) -> None:
        scores = [*EVEN, MatchScore("d", "a", 0, 0, 12), MatchScore("d", "b", 0, 0, 4)]
        ratings = rate(scores, "abcd")
        assert bounds(ratings) == {"a": None, "b": None, "c": None, "d": "<"}
        assert expected(ratings, "d", {"a": 12, "b": 4}) == pytest.approx(0.5, abs=1e-6)

    def test_a_bot_that_is_perfect_once_a_perfect_one_is_out(self) -> None:
        scores = [
            *EVEN,
            *(MatchScore("first", b, 10, 0, 0) for b in ("second", "a", "b")),
            *(MatchScore("second", b, 8, 0, 0) for b in "abc"),
        ]
        ratings = rate(scores, [*"abc", "first", "second"])
        assert expected(ratings, "second", dict.fromkeys("abc", 8)) == pytest.approx(47.5)
        assert expected(ratings, "first", {"second": 10, "a": 10, "b": 10}) == pytest.approx(59.5)
        assert bounds(ratings) == {"first": ">", "second": ">", "a": None, "b": None, "c": None}
        assert ratings.notices == (
            "Won every game, so the rating is only a lower bound: first.",
            "Lost only to bots marked > themselves, so the rating is only a lower bound: second.",
        )
        assert [r.rank for r in ratings.bots][:2] == [(1, 1), (2, 2)]

    def test_a_bot_that_won_only_against_a_hopeless_one(self) -> None:
        scores = [
            *EVEN,
            *(MatchScore(b, "last", 10, 0, 0) for b in ("weak", "a", "b")),
            *(MatchScore(b, "weak", 8, 0, 0) for b in "abc"),
        ]
        said = rate(scores, [*"abc", "last", "weak"]).notices
        assert said[0] == "Lost every game, so the rating is only an upper bound: last."
        assert said[1].startswith("Won only against bots marked < themselves, so the rating")
        assert said[1].endswith("only an upper bound: weak.")

    def test_two_bots_of_which_one_always_won(self) -> None:
        ratings = rate([MatchScore("a", "b", 10, 0, 0)], "ab")
        assert bounds(ratings) == {"a": ">", "b": "<"}
        assert elo(ratings, "a") - elo(ratings, "b") == pytest.approx(K * math.log(39))
        assert elo(ratings, "a") + elo(ratings, "b") == pytest.approx(3000)

    def test_a_chain_in_which_every_match_went_one_way(self) -> None:
        scores = [MatchScore(x, y, 10, 0, 0) for x, y in combinations("abc", 2)]
        ratings = rate(scores, "abc")
        assert bounds(ratings) == {"a": ">", "b": None, "c": "<"}
        assert elo(ratings, "b") == 1500
        assert elo(ratings, "a") - 1500 == pytest.approx(1500 - elo(ratings, "c"))
        assert elo(ratings, "a") > 1500
        assert [r.rank for r in ratings.bots] == [(1, 1), (2, 2), (3, 3)]
        assert all(r.error is None for r in ratings.bots)
        assert ratings.notices[2].endswith("a rough guess: b.")

    def test_four_in_a_chain(self) -> None:
        scores = [MatchScore(x, y, 9, 0, 0) for x, y in combinations("abcd", 2)]
        ratings = rate(scores, "abcd")
        assert bounds(ratings) == {"a": ">", "b": ">", "c": "<", "d": "<"}
        assert [r.bot for r in ratings.bots] == list("abcd")

    def test_bots_linked_only_by_bots_at_a_bound(self) -> None:
        # hub beat all; pairs below it know nothing of each other but by it.
        scores = [
            *(MatchScore("hub", b, 3, 0, 0) for b in "abcd"),
            MatchScore("a", "b", 4, 0, 0),
            MatchScore("c", "d", 4, 0, 0),
        ]
        ratings = rate(scores, [*"abcd", "hub"])
        assert bounds(ratings) == {"hub": ">", "a": None, "c": None, "b": "<", "d": "<"}
        assert elo(ratings, "hub") > elo(ratings, "a") > elo(ratings, "b")
        assert elo(ratings, "a") == pytest.approx(elo(ratings, "c"))
        assert len(ratings.groups) == 1

    def test_a_bot_that_met_the_fitted_only_through_one_at_a_bound(self) -> None:
        scores = [*EVEN, MatchScore("w", "a", 5, 0, 0), MatchScore("w", "x", 5, 0, 0)]
        ratings = rate(scores, "abcwx")
        assert bounds(ratings)["x"] == "<"
        assert elo(ratings, "w") - elo(ratings, "x") == pytest.approx(K * math.log(19))


class TestGroups:
    def test_isolated_groups_have_each_their_own_mean(self) -> None:
        scores = [MatchScore("a", "b", 10, 20, 5), MatchScore("c", "d", 10, 20, 5)]
        ratings = rate(scores, "abcd")
        assert [group.bots for group in ratings.groups] == [("a", "b"), ("c", "d")]
        assert elo(ratings, "a") == elo(ratings, "c")
        assert ratings.difference("a", "c") is None
        assert not ratings.separated("a", "c")
        assert [rating.rank for rating in ratings.bots] == [(1, 2)] * 4
        assert ratings.notices == (
            "Never met, not even through others, so without a common scale: (a, b), (c, d).",
        )

    def test_one_way_groups_are_told_from_isolated_ones(self) -> None:
        scores = [
            MatchScore("a", "b", 10, 20, 5),
            MatchScore("c", "d", 10, 20, 5),
            MatchScore("a", "c", 9, 0, 0),
        ]
        ratings = rate(scores, "abcd")
        assert [group.bots for group in ratings.groups] == [("a", "b"), ("c", "d")]
        assert bounds(ratings) == dict.fromkeys("abcd")
        assert ratings.difference("a", "c") is None
        assert ratings.notices == (
            "All games between them went one way, so without a common scale: (a, b), (c, d).",
        )

    def test_a_bot_between_one_way_groups_goes_where_it_played_most(self) -> None:
        scores = [
            MatchScore("a", "b", 10, 20, 5),
            MatchScore("c", "d", 10, 20, 5),
            MatchScore("a", "m", 9, 0, 0),
            MatchScore("m", "c", 12, 0, 0),
            MatchScore("top", "m", 1, 0, 0),
        ]
        ratings = rate(scores, [*"abcdm", "top"])
        assert [group.bots for group in ratings.groups] == [("top", "m", "c", "d"), ("a", "b")]
        assert expected(ratings, "m", {"c": 12}) == pytest.approx(23.5)
        assert bounds(ratings) == dict.fromkeys("abcd") | {"m": ">", "top": ">"}

    def test_an_anchor_holds_only_its_own_group(self) -> None:
        scores = [MatchScore("a", "b", 10, 20, 5), MatchScore("c", "d", 10, 20, 5)]
        ratings = rate(scores, "abcd", anchors={"b": 1000})
        assert elo(ratings, "b") == 1000
        assert elo(ratings, "c") + elo(ratings, "d") == pytest.approx(3000)
        assert "No anchor holds (c, d): the mean there is 1500." in ratings.notices


NAMES = "abcdef"

outcomes = st.one_of(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)),
    st.sampled_from([(0, 0, 0), (4, 0, 0), (0, 0, 4), (0, 25, 0), (1, 0, 0), (0, 1, 0)]),
)
matches = st.sampled_from(list(combinations(NAMES, 2)))
tables = st.dictionaries(matches, outcomes, max_size=12).map(
    lambda table: [MatchScore(*match, *outcome) for match, outcome in sorted(table.items())]
)
anchor_values = st.dictionaries(st.sampled_from("abfz"), st.floats(-1000, 4000), max_size=3)


def connected(ratings: Ratings) -> bool:
    """Whether there is one scale on which all bots are fitted."""
    return len(ratings.groups) == 1 and len(ratings.groups[0].fitted) == len(NAMES)


def full(draw_from: Sequence[tuple[int, int, int]]) -> list[MatchScore]:
    pairs = combinations(NAMES, 2)
    return [MatchScore(*pair, *outcome) for pair, outcome in zip(pairs, draw_from, strict=True)]


full_tables = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 30), st.integers(0, 9)), min_size=15, max_size=15
).map(full)


class TestProperties:
    @settings(max_examples=300)
    @given(tables, anchor_values)
    def test_every_number_is_finite_or_none(
        self, scores: list[MatchScore], anchors: dict[str, float]
    ) -> None:
        ratings = rate(scores, NAMES, anchors=anchors)
        assert sorted(elos(ratings)) == list(NAMES)
        for rating in ratings.bots:
            assert (rating.elo is None) == (rating.group is None) == (rating.rank is None)
            assert rating.elo is None or math.isfinite(rating.elo)
            assert rating.error is None or (math.isfinite(rating.error) and rating.error >= 0)
            assert rating.bound is None or rating.error is None
        for group in ratings.groups:
            for i, bot in enumerate(group.bots):
                low, high = ratings.of(bot).rank or (0, 0)
                assert 1 <= low <= i + 1 <= high <= len(group.bots)
            for row in group.covariance or ():
                assert all(math.isfinite(value) for value in row)

    @given(tables, st.randoms(use_true_random=False))
    def test_the_order_of_scores_and_bots_changes_nothing_at_all(
        self, scores: list[MatchScore], random: object
    ) -> None:
        shuffled, names = list(scores), list(NAMES)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        random.shuffle(names)  # type: ignore[attr-defined]
        turned = [MatchScore(s.b, s.a, s.lost_both, s.split, s.won_both) for s in shuffled]
        assert repr(rate(turned, names)) == repr(rate(scores, NAMES))

    @given(full_tables, st.floats(-3000, 3000))
    def test_mean_and_anchor_only_move_the_scale(
        self, scores: list[MatchScore], value: float
    ) -> None:
        free, moved = rate(scores, NAMES), rate(scores, NAMES, mean=value)
        held = rate(scores, NAMES, anchors={"c": value})
        assert connected(free)
        for bot in NAMES:
            assert elo(moved, bot) - value == pytest.approx(elo(free, bot) - 1500, abs=1e-5)
            difference = elo(free, bot) - elo(free, "c")
            assert elo(held, bot) - value == pytest.approx(difference, abs=1e-5)
        assert held.above == free.above

    @given(full_tables, st.permutations(NAMES))
    def test_names_mean_nothing(self, scores: list[MatchScore], names: list[str]) -> None:
        other = dict(zip(NAMES, names, strict=True))
        renamed = [
            MatchScore(other[s.a], other[s.b], s.won_both, s.split, s.lost_both) for s in scores
        ]
        before, after = rate(scores, NAMES), rate(renamed, NAMES)
        assert connected(before)
        for bot in NAMES:
            assert elo(after, other[bot]) == pytest.approx(elo(before, bot), abs=1e-5)
            assert after.of(other[bot]).error == pytest.approx(before.of(bot).error, abs=1e-5)

    @given(tables)
    def test_winning_and_losing_are_mirror_images(self, scores: list[MatchScore]) -> None:
        ratings = rate(scores, NAMES)
        assume(len(ratings.groups) == 1)
        mirror = rate(
            [MatchScore(s.a, s.b, s.lost_both, s.split, s.won_both) for s in scores], NAMES
        )
        opposite = {None: None, ">": "<", "<": ">"}
        for rating in ratings.bots:
            other = mirror.of(rating.bot)
            assert other.bound == opposite[rating.bound]
            if rating.elo is not None:
                assert other.elo == pytest.approx(3000 - rating.elo, abs=1e-5)
        assert mirror.above == {(b, a) for a, b in ratings.above}


def test_light_modules_do_not_load_numpy() -> None:
    code = (
        "import sys, arena.ratings.scores, arena.ratings.scale;"
        "print([m for m in ('numpy', 'scipy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_same_bytes_in_every_process() -> None:
    code = (
        "from arena.ratings.rate import rate\n"
        "from arena.ratings.scores import Cluster, MatchScore as M\n"
        "scores = [M(f'b{i}', f'b{j}', i % 5, 30, j % 7) for i in range(12) for j in range(i)]\n"
        "r = rate(scores, {f'b{i}' for i in range(12)})\n"
        "print(r.bots, r.groups, sorted(r.above), r.phi)"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in "12"
    }
    assert len(runs) == 1
    assert "BotRating" in runs.pop()


def test_ratings_are_plain_values() -> None:
    ratings = rate(EVEN, "abc")
    assert hash(ratings) == hash(rate(EVEN, "abc"))
    json.dumps([[rating.elo, rating.error, rating.rank] for rating in ratings.bots])
    assert all(type(x) is float for row in ratings.groups[0].covariance or () for x in row)
    with pytest.raises(KeyError):
        ratings.of("nobody")


class TestPrior:
    def test_it_pulls_together_and_leaves_none_at_a_bound(self) -> None:
        scores = [*EVEN, MatchScore("a", "z", 10, 0, 0)]
        ratings = rate(scores, "abcz", prior=100)
        assert bounds(ratings) == dict.fromkeys("abcz")
        assert ratings.prior == 100
        assert sum(elo(ratings, bot) for bot in "abcz") == pytest.approx(4 * 1500)
        wide = rate(scores, "abcz", prior=10_000)
        assert elo(ratings, "a") - elo(ratings, "z") < elo(wide, "a") - elo(wide, "z")
        assert all(error(ratings, bot) > 0 for bot in "abcz")

    def test_a_wide_one_changes_nothing(self) -> None:
        wide, none = rate(EVEN, "abc", prior=1e7), rate(EVEN, "abc")
        assert elos(wide) == pytest.approx(elos(none), abs=1e-3)
        assert [error(wide, b) for b in "abc"] == pytest.approx([error(none, b) for b in "abc"])

    def test_between_bots_that_never_met_it_is_no_bridge(self) -> None:
        scores = [MatchScore("a", "b", 20, 60, 10), MatchScore("c", "d", 20, 60, 10)]
        ratings = rate(scores, "abcd", prior=200)
        assert [group.bots for group in ratings.groups] == [("a", "b"), ("c", "d")]
        assert ratings.difference("a", "c") is None

    def test_with_anchors_it_lies_around_them(self) -> None:
        scores = [MatchScore("a", "b", 0, 1, 0), MatchScore("a", "c", 1, 0, 0)]
        ratings = rate(scores, "abc", anchors={"a": 2000}, prior=1)
        assert elos(ratings) == pytest.approx({"a": 2000, "b": 2000, "c": 2000}, abs=1)

    @pytest.mark.parametrize("prior", [0, -1, math.inf, math.nan])
    def test_what_is_no_standard_deviation_is_refused(self, prior: float) -> None:
        with pytest.raises(ValueError, match="above 0"):
            rate(EVEN, "abc", prior=prior)


class TestClusters:
    def test_boards_may_come_as_clusters(self) -> None:
        others = ((Cluster(2, 4), 20), (Cluster(2, 2), 60), (Cluster(2, 0), 10))
        scores = [MatchScore("a", "b", 0, 0, 0, others=others), *EVEN[1:]]
        assert rate(scores, "abc") == rate(EVEN, "abc")

    def test_games_that_stand_alone_are_independent(self) -> None:
        alone = MatchScore("a", "b", 0, 0, 0, others=((Cluster(1, 2), 100), (Cluster(1, 0), 80)))
        ratings = rate([alone], "ab")
        assert (alone.boards, alone.games, alone.won, alone.lost) == (180, 180, 100, 80)
        assert ratings.phi == pytest.approx(180 / 179)
        p = 100 / 180
        assert elo(ratings, "a") - elo(ratings, "b") == pytest.approx(K * math.log(100 / 80))
        difference = ratings.difference("a", "b")
        assert difference is not None
        se = K / math.sqrt(180 * p * (1 - p))
        assert difference.error == pytest.approx(two_sided(0.95, 179) * se)

    def test_a_draw_is_half_a_win_for_both(self) -> None:
        drawn = MatchScore("a", "b", 0, 0, 0, others=((Cluster(1, 1), 30),), drawn=30)
        ratings = rate([drawn], "ab")
        assert (drawn.won, drawn.lost, drawn.games) == (0, 0, 30)
        assert elos(ratings) == {"a": 1500, "b": 1500}
        assert bounds(ratings) == {"a": None, "b": None}


class TestSequential:
    SCORES = (*EVEN, MatchScore("c", "d", 10, 70, 10))

    def test_no_error_is_told_of_a_match_that_was_stopped_by_its_results(self) -> None:
        plain = rate(self.SCORES, "abcd")
        ratings = rate(self.SCORES, "abcd", sequential=Sequential("a", "b", ("a", "b")))
        assert elos(ratings) == elos(plain)
        assert [ratings.of(bot).error for bot in "ab"] == [None, None]
        assert [ratings.of(bot).error for bot in "cd"] == [plain.of(bot).error for bot in "cd"]
        difference = ratings.difference("a", "b")
        assert difference is not None
        assert (difference.error, difference.better) == (None, None)
        assert difference.separated
        assert ratings.difference("a", "c") == plain.difference("a", "c")

    def test_what_was_decided_is_what_separates_them(self) -> None:
        wide = [MatchScore("a", "b", 60, 20, 10)]
        assert rate(wide, "ab").separated("a", "b")
        undecided = rate(wide, "ab", sequential=Sequential("a", "b"))
        assert not undecided.separated("a", "b")
        assert [rating.rank for rating in undecided.bots] == [(1, 2), (1, 2)]
        even = rate(
            [MatchScore("a", "b", 10, 9, 9)], "ab", sequential=Sequential("a", "b", ("a", "b"))
        )
        assert [rating.rank for rating in even.bots] == [(1, 1), (2, 2)]


class TestFaults:
    def test_who_is_below_another_only_by_its_faults_is_told(self) -> None:
        # b lost 60 boards by faults; on the other 60 it is far better.
        scores = [
            MatchScore("a", "b", 70, 20, 30, forfeited=(60, 0, 0)),
            MatchScore("a", "c", 20, 40, 20),
            MatchScore("b", "c", 20, 40, 20),
        ]
        ratings = rate(scores, "abc")
        assert ratings.separated("a", "b")
        assert [rating.bot for rating in ratings.bots] == ["a", "c", "b"]
        assert (
            "Faults decide that b is below (a): on the boards without a fault it is better."
        ) in ratings.notices

    def test_faults_that_change_no_rank_are_not_spoken_of(self) -> None:
        scores = [MatchScore("a", "b", 90, 20, 10, forfeited=(9, 0, 0))]
        assert rate(scores, "ab").notices == ()
