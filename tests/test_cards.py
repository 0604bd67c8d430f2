"""Packs and the shuffle, against independently derived cards and counted by hand."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import shake_256
from itertools import islice, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import cards

DERIVED = json.loads((Path(__file__).parent / "data/rules/derived_cards.json").read_text())


def test_the_packs_are_in_their_fixed_order() -> None:
    nine_up = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]
    assert cards.pack(24) == tuple(nine_up)
    assert cards.pack(25) == (*nine_up, "XX")
    assert cards.pack(32) == tuple(r + s for s in "CDHS" for r in "789TJQKA")
    assert cards.pack(33) == (*cards.pack(32), "XX")


@pytest.mark.parametrize("size", [0, 23, 26, 52])
def test_there_is_no_other_pack(size: int) -> None:
    with pytest.raises(KeyError):
        cards.pack(size)


@pytest.mark.parametrize("case", DERIVED)
def test_the_shuffle_is_the_one_derived_independently(case: dict[str, object]) -> None:
    seed, deal, size = case["board_seed"], case["deal"], case["deck_size"]
    assert isinstance(seed, str)
    assert isinstance(deal, int)
    assert isinstance(size, int)
    hands, stock = case["hands"], case["stock"]
    assert isinstance(hands, list)
    assert isinstance(stock, list)
    dealt = (*hands[0], *hands[1], case["upcard"], *stock)
    assert cards.shuffled(cards.pack(size), bytes.fromhex(seed), deal) == dealt


def test_words_read_on_in_one_stream() -> None:
    whole = shake_256(b"seed").digest(4 * 200)
    expected = [int.from_bytes(whole[at : at + 4], "big") for at in range(0, len(whole), 4)]
    assert list(islice(cards._words(b"seed"), 200)) == expected


def test_each_order_is_equally_likely() -> None:
    """With three cards the two words have 3 x 2 remainders: one for each of the 6 orders."""
    orders = Counter(cards._permuted("abc", iter(words)) for words in product(range(3), range(2)))
    assert orders == dict.fromkeys(orders, 1)
    assert len(orders) == 6


def test_a_word_that_would_favour_some_cards_is_skipped() -> None:
    """2^32 mod 3 = 1: of all words only the last one must not choose among three cards."""
    last = 2**32 - 1
    assert cards._permuted("abc", iter([last, last, 1, 0])) == cards._permuted("abc", iter([1, 0]))
    assert cards._permuted("abc", iter([last - 1, 0])) == cards._permuted("abc", iter([2, 0]))
    assert cards._permuted("ab", iter([last])) == ("a", "b")


def test_a_shuffle_reads_on_when_a_word_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is so low that one word in 16 is skipped; with real ones it is one in 10^9."""
    pack, limit = cards.pack(33), 15 * 2**28
    monkeypatch.setattr(
        cards, "_steps", lambda n: tuple((top, limit) for top in range(n - 1, 0, -1))
    )
    for deal in range(50):
        seed = b"board" + deal.to_bytes(4, "big")
        words = (word for word in cards._words(seed) if word < limit)
        assert cards.shuffled(pack, b"board", deal) == cards._permuted(pack, words)


@given(st.binary(min_size=1, max_size=40), st.integers(0, 2**32 - 1), st.sampled_from([24, 33]))
def test_a_shuffle_is_the_same_pack_and_a_pure_function(seed: bytes, deal: int, size: int) -> None:
    shuffled = cards.shuffled(cards.pack(size), seed, deal)
    assert sorted(shuffled) == sorted(cards.pack(size))
    assert shuffled == cards.shuffled(cards.pack(size), seed, deal)
    assert shuffled != cards.shuffled(cards.pack(size), seed, (deal + 1) % 2**32)
