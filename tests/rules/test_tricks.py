"""Following suit and winning a trick, for any ranking."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.cards import pack
from arena.rules.euchre import RANKINGS
from arena.rules.tricks import Ranking, beats, following, winner

rankings = st.sampled_from(list(RANKINGS.values()))
some_cards = st.lists(st.sampled_from(pack(33)), min_size=1, max_size=6, unique=True)


def test_no_trump_the_highest_of_the_suit_led_wins() -> None:
    plain = RANKINGS[None]
    assert winner(["9C", "KC", "AD", "QC"], plain) == 1
    assert winner(["9C", "AD", "AH"], plain) == 0


def test_the_highest_trump_wins_wherever_it_lies() -> None:
    hearts = RANKINGS["H"]
    assert winner(["AS", "9H", "KS", "TH"], hearts) == 3
    assert winner(["9H", "AS", "AC", "AD"], hearts) == 0


@given(some_cards, rankings)
def test_the_winner_is_beaten_by_no_card_of_the_trick(cards: list[str], ranking: Ranking) -> None:
    best = cards[winner(cards, ranking)]
    assert not any(beats(card, best, ranking) for card in cards)


@given(some_cards, rankings)
def test_the_winner_is_a_trump_if_there_is_one_else_of_the_suit_led(
    cards: list[str], ranking: Ranking
) -> None:
    suits = [ranking.suit[card] for card in cards]
    wanted = ranking.trump if ranking.trump in suits else suits[0]
    best = cards[winner(cards, ranking)]
    assert ranking.suit[best] == wanted
    rivals = [card for card in cards if ranking.suit[card] == wanted]
    assert best == max(rivals, key=ranking.strength.__getitem__)


@given(some_cards, st.none() | st.sampled_from(pack(33)), rankings)
def test_following_is_all_of_the_suit_led_or_else_anything(
    hand: list[str], led: str | None, ranking: Ranking
) -> None:
    playable = list(following(hand, led, ranking))
    same = [card for card in hand if led is not None and ranking.suit[card] == ranking.suit[led]]
    assert playable == (same or hand)
