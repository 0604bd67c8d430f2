# ruff: noqa: E501 - tables are as wide as they are
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.points import PointsPerDeal
from arena.ratings.rate import rate
from arena.ratings.ratio import Estimate
from arena.ratings.scores import Cluster, MatchScore
from arena.ratings.seats import SeatBias
from arena.report.circumstances import Circumstances, Lag
from arena.report.rankings import rankings
from arena.report.remarks import notices, seat_remark, verdict
from arena.report.standings import Alike, Points, Progress, Standings, Tally
from arena.report.table import table

NOTHING_PLAYED = Circumstances()
UNKNOWN = Points()


def standings(
    scores: Sequence[MatchScore],
    bots: Sequence[str],
    *,
    faults: Mapping[str, Mapping[str, int]] | None = None,
    ms: Mapping[str, float] | None = None,
    cpu_ms: Mapping[str, float] | None = None,
    circumstances: Circumstances = NOTHING_PLAYED,
    withdrawn: Mapping[str, str] | None = None,
    dropped: int = 0,
    points: Points = UNKNOWN,
    **options: Any,
) -> Standings:
    tallies = tuple(
        Tally(
            bot=bot,
            version=f"{bot}@1",
            faults=(faults or {}).get(bot, {}),
            ms_per_decision=(ms or {}).get(bot),
            cpu_ms_per_decision=(cpu_ms or {}).get(bot),
            withdrawn=(withdrawn or {}).get(bot),
        )
        for bot in bots
    )
    progress = Progress(
        "autumn",
        complete=False,
        games=5000,
        scheduled=6000,
        void=1,
        dropped=dropped,
        commitment="ab" * 32,
        closed=False,
    )
    return Standings(
        progress,
        tallies,
        tuple(scores),
        rate(scores, bots, **options),
        circumstances,
        points,
    )


def lines(text: str) -> str:
    """A table as it stands in a test: without the first newline, margins kept."""
    return text.strip("\n")


FOUR = standings(
    [
        MatchScore("monte", "rules", 100, 300, 40),
        MatchScore("careful", "monte", 40, 300, 120),
        MatchScore("monte", "random", 300, 130, 3, half_boards=2),
        MatchScore("careful", "rules", 60, 300, 70),
        MatchScore("random", "rules", 20, 200, 200),
        MatchScore("careful", "random", 200, 200, 30),
    ],
    ["careful", "monte", "random", "rules"],
    faults={"random": {"illegal": 1, "timeout": 2, "crash": 0}},
    ms={"monte": 12.3456, "rules": 0.0421},
    points=Points(
        bots={
            "monte": PointsPerDeal(Estimate(0.123456, 0.034567), 9_000, 700),
            "rules": PointsPerDeal(Estimate(-0.00004, 0.0004), 9_100, 600),
            "random": PointsPerDeal(Estimate(-1.5), 12, 0),
        },
        matches={("monte", "random"): PointsPerDeal(Estimate(0.98765, 0.12345), 4_000, 300)},
        seats=SeatBias(Estimate(0.01234, 0.00987), Estimate(-0.0412345, 0.0301)),
    ),
)


class TestTable:
    def test_four_bots(self) -> None:
        assert table(FOUR) == lines("""
 rank  bot       Elo  ±95%  P(>next)  games   won-lost  score  faults                      pts/deal ±95%  ms/decision
 1     monte    1595     9   >99.9 %   2666   1770-896   66 %  0                          +0.123 ± 0.035        12.35
 2-3   rules    1531     9      94 %   2580  1420-1160   55 %  0                          +0.000 ± 0.001         0.04
 2-3   careful  1520     9   >99.9 %   2640  1400-1240   53 %  0                                       -            -
 4     random   1354    11         -   2566   636-1930   25 %  3  (2 timeout, 1 illegal)  -1.500 ±     -            -
""")

    def test_bounds_and_a_bot_without_a_board(self) -> None:
        shown = standings(
            [
                MatchScore("a", "b", 20, 60, 10),
                MatchScore("a", "w", 0, 0, 30),
                MatchScore("b", "z", 5, 0, 0),
            ],
            ["a", "b", "new", "w", "z"],
            confidence=0.9,
        )
        assert table(shown) == lines("""
 rank  bot    Elo  ±90%  P(>next)  games  won-lost  score  faults
 1     w    >2350     -         -     60      60-0  100 %  0
 2-4   a     1519    17      97 %    240   100-140   42 %  0
 2-4   b     1481    17         -    190    90-100   47 %  0
 2-4   z     <969     -         -     10      0-10    0 %  0
 -     new      -     -         -      0         -      -  0
""")

    def test_groups_are_sections(self) -> None:
        shown = standings(
            [
                MatchScore("a", "b", 10, 20, 5),
                MatchScore("c", "d", 10, 4, 6),
                MatchScore("a", "c", 9, 0, 0),
            ],
            "abcde",
            anchors={"d": 1000},
        )
        assert table(shown) == lines("""
Group 1 of 2, on a scale of its own
 rank  bot   Elo  ±95%  P(>next)  games  won-lost  score  faults
 1-2   a    1525    39      90 %     88     58-30   66 %  0
 1-2   b    1475    39         -     70     30-40   43 %  0

Group 2 of 2, on a scale of its own
 rank  bot   Elo  ±95%  P(>next)  games  won-lost  score  faults
 1-2   c    1070   148      83 %     58     24-34   41 %  0
 1-2   d    1000     0         -     40     16-24   40 %  0

Without a complete board
 rank  bot  Elo  ±95%  P(>next)  games  won-lost  score  faults
 -     e      -     -         -      0         -      -  0
""")

    def test_before_the_first_board(self) -> None:
        assert table(standings([], ["a", "b"])) == lines("""
 rank  bot  Elo  ±95%  P(>next)  games  won-lost  score  faults
 -     a      -     -         -      0         -      -  0
 -     b      -     -         -      0         -      -  0
""")

    def test_draws_and_clusters_of_any_size(self) -> None:
        others = ((Cluster(1, 1), 3), (Cluster(3, 5), 1))
        shown = standings([MatchScore("a", "b", 4, 3, 1, others=others, drawn=4)], "ab")
        assert [line[34:].split() for line in table(shown).splitlines()] == [
            ["games", "won-lost-drawn", "score", "faults"],
            ["22", "13-5-4", "68", "%", "0"],
            ["22", "5-13-4", "32", "%", "0"],
        ]

    def test_names_stay_as_they_are_and_columns_straight(self) -> None:
        bots = ["007", "1e3", "日本語", "Zoë"]
        shown = table(
            standings([MatchScore(a, b, 5, 20, 5) for a, b in combinations(bots, 2)], bots)
        ).splitlines()
        assert [line.split()[1] for line in shown] == ["bot", *bots[:2], "Zoë", "日本語"]
        # Two columns for each wide letter.
        assert [line.index("1500") for line in shown[1:]] == [15, 15, 15, 12]

    @pytest.mark.parametrize(
        ("won", "lost", "shown"), [(199_999, 1, "99 %"), (1, 199_999, "1 %"), (1005, 995, "50 %")]
    )
    def test_only_all_is_100_and_only_none_is_0(self, won: int, lost: int, shown: str) -> None:
        score = MatchScore("a", "b", won // 2, 1, lost // 2)
        first, second = table(standings([score], "ab")).splitlines()[1:]
        assert f" {shown} " in (first if " a " in first else second)

    def test_a_tiny_error_is_not_shown_as_exact(self) -> None:
        score = MatchScore("a", "b", 500_000, 9_000_000, 500_000)
        shown = standings([score], "ab")
        assert 0 < (shown.ratings.of("a").error or 0) < 0.5
        assert " 1500     1 " in table(shown)

    def test_nothing_a_bot_brings_steers_the_terminal(self) -> None:
        name = "a\x1b[31m\n\u202eb"
        shown = standings(
            [MatchScore("b", name, 5, 20, 9)], ["b", name], withdrawn={name: "said\x07"}
        )
        text = table(shown) + verdict(shown) + "".join(notices(shown))
        assert not set(text) & set("\x1b\u202e\x07")
        assert len(table(shown).splitlines()) == 3
        assert r"a\x1b[31m\n\u202eb" in table(shown)


LISTS = {"bots", "matches", "differences", "misfits"}


class TestJson:
    def test_four_bots(self) -> None:
        found = json.loads(msgspec.json.encode(rankings(FOUR)))
        assert {key: found[key] for key in found if key not in LISTS} == {
            "schema": "arena.rankings/1",
            "tournament": "autumn",
            "complete": False,
            "games": 5000,
            "scheduled": 6000,
            "confidence": 0.95,
            "void": 1,
            "dropped": 0,
            "not_needed": 0,
            "stop": None,
            "sprt": None,
            "commitment": "ab" * 32,
            "closed": False,
            "phi": 0.7306,
            "prior": None,
            "notices": [
                (
                    "monte won 84 % of its games against random where the ratings say 80 %: "
                    "one number for each bot does not tell all."
                ),
                "Half played, so not counted: 2 boards.",
            ],
            "seat_bias": {
                "games": 0.0123,
                "games_error": 0.0099,
                "points_per_deal": -0.0412,
                "points_per_deal_error": 0.0301,
            },
            "isolation": {},
            "pondering": {},
            "lag_ms": None,
            "inspection": None,
        }
        assert [bot["name"] for bot in found["bots"]] == ["monte", "rules", "careful", "random"]
        assert found["bots"][3] == {
            "name": "random",
            "version": "random@1",
            "rank": [4, 4],
            "elo": 1354.35,
            "error": 10.87,
            "bound": None,
            "better_than_next": None,
            "games": 2566,
            "won": 636,
            "lost": 1930,
            "drawn": 0,
            "score": 0.2479,
            "faults": {"crash": 0, "illegal": 1, "timeout": 2},
            "withdrawn": None,
            "left_out": False,
            "group": 0,
            "points_per_deal": -1.5,
            "points_per_deal_error": None,
            "paired_deals": 12,
            "ms_per_decision": None,
            "cpu_ms_per_decision": None,
        }
        assert found["matches"][2] == {
            "a": "monte",
            "b": "random",
            "boards": 433,
            "won_both": 300,
            "split": 130,
            "lost_both": 3,
            "won": 730,
            "lost": 136,
            "drawn": 0,
            "half_boards": 2,
            "points_per_deal": 0.9877,
            "points_per_deal_error": 0.1235,
            "paired_deals": 4000,
        }

    def test_differences_and_misfits(self) -> None:
        found = json.loads(msgspec.json.encode(rankings(FOUR)))
        assert [(one["a"], one["b"]) for one in found["differences"]] == [
            *(("monte", "rules"), ("monte", "careful"), ("monte", "random")),
            *(("rules", "careful"), ("rules", "random"), ("careful", "random")),
        ]
        assert found["differences"][3] == {
            "a": "rules",
            "b": "careful",
            "elo": 10.8,
            "error": 13.91,
            "better": 0.935948,
            "separated": False,
            "boards_factor": 2.85,
        }
        assert found["bots"][1]["better_than_next"] == 0.935948
        assert found["misfits"][0] == {
            "a": "monte",
            "b": "random",
            "games": 866,
            "won": 730.0,
            "expected": 692.48,
            "standard_errors": 4.8,
            "chance": pytest.approx(1.01e-5, rel=0.01),
        }

    def test_bounds_and_missing_numbers(self) -> None:
        shown = standings(
            [MatchScore("a", "b", 3, 0, 0)],
            "abc",
            withdrawn={"b": "20 faults"},
            ms={"a": 1.23456},
            cpu_ms={"b": 0.5},
        )
        found = json.loads(msgspec.json.encode(rankings(shown)))
        a, b, c = found["bots"]
        assert (a["bound"], a["elo"], a["error"], a["rank"]) == (">", 1708.28, None, [1, 2])
        assert (b["bound"], b["elo"], b["error"], b["rank"]) == ("<", 1291.72, None, [1, 2])
        assert (c["elo"], c["rank"], c["score"], c["group"]) == (None, None, None, None)
        assert (b["withdrawn"], a["ms_per_decision"]) == ("20 faults", 1.235)
        assert (a["cpu_ms_per_decision"], b["cpu_ms_per_decision"]) == (None, 0.5)
        assert "b is withdrawn: 20 faults." in found["notices"]
        assert found["phi"] is None
        assert set(found["seat_bias"].values()) == {None}
        for row in (a, *found["matches"]):
            assert (row["points_per_deal"], row["points_per_deal_error"]) == (None, None)
            assert row["paired_deals"] == 0

    def test_circumstances(self) -> None:
        shown = standings(
            [MatchScore("a", "b", 5, 20, 5)],
            "ab",
            circumstances=Circumstances(
                {"none": 2, "process": 58}, {"allow": 60}, Lag(0.1, 2.5), "all held"
            ),
        )
        found = json.loads(msgspec.json.encode(rankings(shown)))
        assert found["isolation"] == {"none": 2, "process": 58}
        assert (found["pondering"], found["lag_ms"]) == ({"allow": 60}, {"p50": 0.1, "p99": 2.5})
        assert found["inspection"] == "all held"
        assert found["notices"] == [*shown.circumstances.warnings()]

    def test_no_negative_zero(self) -> None:
        shown = standings([MatchScore("a", "b", 5, 20, 5)], "ab", mean=-1e-9)
        assert b"-0" not in msgspec.json.encode(rankings(shown))

    outcome = st.tuples(st.integers(0, 5), st.integers(0, 30), st.integers(0, 5))

    @given(st.lists(outcome, max_size=6))
    def test_any_field_can_be_shown(self, outcomes: list[tuple[int, int, int]]) -> None:
        pairs = combinations("abcd", 2)
        scores = [MatchScore(*p, *o) for p, o in zip(pairs, outcomes, strict=False)]
        shown = standings(scores, "abcd")
        found = json.loads(msgspec.json.encode(rankings(shown)), parse_constant=pytest.fail)
        assert sum(bot["won"] for bot in found["bots"]) == sum(2 * s.boards for s in scores)
        for bot in found["bots"]:
            assert bot["games"] == bot["won"] + bot["lost"]
            assert any(f" {bot['name']} " in line for line in table(shown).splitlines())
        assert verdict(shown)


JUDGED = "(Who is separated: all together at 95 % confidence; ± and P: each on its own.)"


class TestVerdict:
    def test_first_and_who_is_not_separated(self) -> None:
        assert verdict(FOUR) == (
            "monte is first, 64 ± 14 Elo above rules (P > 99.9 %). "
            "rules and careful are not separated. About 2.9 times the boards would separate rules "
            f"and careful in half of all cases, if they are as far apart as it seems. {JUDGED}"
        )

    def test_no_bot_is_first(self) -> None:
        scores = [MatchScore(a, b, 5, 20, 5) for a, b in combinations("abc", 2)]
        assert verdict(standings(scores, "abc")) == (
            f"No bot is first: a is not separated from b or c. {JUDGED}"
        )

    def test_a_bot_at_a_bound_is_first_by_no_number(self) -> None:
        shown = standings([MatchScore("a", "b", 30, 0, 0)], "ab")
        assert verdict(shown) == f"a is first. {JUDGED}"

    def test_groups(self) -> None:
        scores = [MatchScore("a", "b", 20, 20, 5), MatchScore("c", "d", 10, 20, 8)]
        assert verdict(standings(scores, "abcd")) == (
            "The bots fall into 2 groups without a common scale. "
            "Group 1: a is first, 120 ± 78 Elo above b (P = 99.8 %). "
            "Group 2: No bot is first: c is not separated from d. "
            "About 24.5 times the boards would separate c and d in half of all cases, if they are as far apart as it "
            f"seems. {JUDGED}"
        )

    def test_runs_that_overlap(self) -> None:
        # Each beats the next but one for sure, the next not.
        scores = [
            MatchScore(a, b, 10 + 3 * (ord(b) - ord(a)), 60, 10 - 3 * (ord(b) - ord(a)))
            for a, b in combinations("abcd", 2)
        ]
        assert verdict(standings(scores, "abcd")) == (
            "No bot is first: a is not separated from b. "
            "b and c are not separated. c and d are not separated. "
            "About 60 more boards a match would separate a and b in half of all cases, if they are as far apart as it "
            f"seems. {JUDGED}"
        )

    def test_long_lists_are_cut(self) -> None:
        bots = [f"b{i:02}" for i in range(12)]
        scores = [MatchScore(a, b, 5, 20, 5) for a, b in combinations(bots, 2)]
        assert "b01, b02, b03, b04, b05, b06, b07 or 4 more." in verdict(standings(scores, bots))

    def test_nothing_to_rank(self) -> None:
        assert verdict(standings([], "ab")) == (
            "No board is complete yet, so there is nothing to rank."
        )


def test_one_half_board_is_said_in_the_singular() -> None:
    shown = standings([MatchScore("a", "b", 20, 20, 5, half_boards=1)], "ab")
    assert notices(shown) == ("Half played, so not counted: 1 board.",)


def test_of_a_withdrawn_bot_the_table_and_the_notices_tell() -> None:
    shown = standings(
        [MatchScore("a", "b", 3, 2, 1)],
        "ab",
        faults={"b": {"crash": 20}},
        withdrawn={"b": "20 faults (faults.withdraw_after)"},
        dropped=5,
    )
    (row,) = [line for line in table(shown).splitlines() if " b " in line]
    assert "20  (20 crash), withdrawn" in row
    assert table(shown).count("withdrawn") == 1
    assert notices(shown)[1:] == (
        "b is withdrawn: 20 faults (faults.withdraw_after).",
        "Of withdrawn bots, and so not played or too late to count: 5 games.",
    )


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (SeatBias(), ""),
        (SeatBias(Estimate(0.0)), "won 50.0 % of the games"),
        (SeatBias(Estimate(-0.5, 0.0001), Estimate()), "won 0.0 % ± 0.1 of the games"),
        (
            SeatBias(Estimate(0.01234, 0.00987), Estimate(-0.0412345, 0.0301)),
            "won 51.2 % ± 1.0 of the games; -0.041 ± 0.030 points per deal",
        ),
    ],
)
def test_what_the_seats_are_worth_in_a_line(seats: SeatBias, said: str) -> None:
    shown = standings([MatchScore("a", "b", 5, 20, 5)], "ab", points=Points(seats=seats))
    assert seat_remark(shown) == (said and f"seat 0 against seat 1: {said}")


def test_games_of_an_older_arena_are_said_to_be_without_points_per_deal() -> None:
    shown = standings([MatchScore("a", "b", 5, 20, 5)], "ab", points=Points(unknown=12))
    assert notices(shown) == ("Without points per deal, because they are without deals: 12 games.",)


@pytest.mark.parametrize(
    ("alike", "where"),
    [
        (Alike("a\x1b", "b", 100, 100, 100), "on 100 of 100 boards"),
        (Alike("a\x1b", "b", 900, 1000, 5000), "on 900 of the first 1000 boards"),
    ],
)
def test_bots_that_may_be_copies(alike: Alike, where: str) -> None:
    shown = replace(standings([MatchScore("a", "b", 0, 20, 0)], "ab"), alike=(alike,))
    assert notices(shown)[-1] == (
        rf"a\x1b and b play exactly alike: {where} both games went card for card the same. "
        "Are they copies?"
    )


def test_of_many_copies_a_few_are_named() -> None:
    bots = list("abcde")
    pairs = list(combinations(bots, 2))
    shown = standings([MatchScore(a, b, 0, 30, 0) for a, b in pairs], bots)
    shown = replace(shown, alike=tuple(Alike(a, b, 30, 30, 30) for a, b in pairs))
    said = [notice for notice in notices(shown) if "copies" in notice or "So do" in notice]
    assert len(said) == 4
    assert said[-1] == "So do the bots of 7 more matches."
