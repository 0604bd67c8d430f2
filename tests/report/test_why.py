"""What `arena why` says, line by line."""

from __future__ import annotations

from msgspec.structs import replace

from arena.report.why import SCHEMA, CostlyDeal, FaultGroup, Situation, Why, lines

NOTHING = Why(SCHEMA, "tour", "a", "a@1", None, 2, 1, (), 0, 0, 0, 0, (), ())


def told(**given: object) -> list[str]:
    return "\n".join(lines(replace(NOTHING, **given))).split("\n\n")


def test_a_bot_without_faults_and_deals() -> None:
    assert told() == [
        "a@1: 2 games, 1 won, 1 lost",
        "no game lost by a fault",
        "no deal was played from both sides to its end",
    ]


def test_more_faults_than_can_be_read_are_cut() -> None:
    groups = tuple(
        FaultGroup("crash", 20 - n, f"a@1:b@1/{n}/0", f"detail {n}", "x\nlast", None)
        for n in range(12)
    )
    shown = told(faults=groups, against="b@1")
    assert shown[0].startswith("a@1 against b@1: ")
    summary, *rest = shown[1].splitlines()
    assert summary == "174 games lost by faults"
    assert rest[:3] == ["   20  crash: detail 0", "       got: last", "       game a@1:b@1/0/0"]
    assert rest[-1] == "   19  others; --json has all"
    assert len(rest) == 31


def test_deals_and_situations() -> None:
    costly = CostlyDeal("b@1", 1, 7, 3, 0, 0, "a@1:b@1/7/0", "a@1:b@1/7/1", -1, 0, None)
    shown = told(
        paired=8, ahead=-4, alike=2, situations=(Situation("leads", 6, -4),), costliest=(costly,)
    )
    assert shown[2].splitlines() == [
        "8 deals played from both sides, 2 of them alike: -0.250 points a deal",
        "first decision that differed      deals  points",
        "  leads                               6      -4",
    ]
    assert shown[3].splitlines()[0] == "1 point lost to b@1: deal 3 of board 7"
    assert "output.records" in shown[3]


def test_deals_without_a_decision_to_compare_are_told() -> None:
    some = replace(NOTHING, paired=8, unlike=3)
    told = "in 3 of them the dealer was stuck in one game only: nothing to compare"
    assert told in list(lines(some))
    assert told.replace("3", "0") not in list(lines(replace(some, unlike=0)))
