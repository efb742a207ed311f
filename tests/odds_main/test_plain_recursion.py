"""The fast solver against a slow, plainly written recursion: whole small shoes, and hands from one deck."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import blackjack_oracle as plain
from support.main_game_rules import PEERS, shoe_of, solved

from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import Hole, MainRules
from upcard.odds.main.solve import solve

CLOSE = 1e-12
SMALL = (4, 0, 0, 0, 3, 0, 0, 6, 0, 12)


@pytest.mark.parametrize(
    ("rules", "table"),
    [
        (replace(PEERS, hands=3), plain.Table(SMALL, hands=3)),
        (replace(PEERS, resplit_aces=True), plain.Table(SMALL, resplit_aces=True)),
        (replace(PEERS, hands=3, hole="none", das=False), plain.Table(SMALL, hands=3, peek=False, das=False)),
        (
            replace(PEERS, hands=3, hit_split_aces=True, surrender="late"),
            plain.Table(SMALL, hands=3, hit_split_aces=True, surrender=True),
        ),
        (replace(PEERS, hands=3, soft17="until_hard"), plain.Table(SMALL, hands=3, soft17="until_hard")),
        (replace(PEERS, hands=3, soft17="stand"), plain.Table(SMALL, hands=3, soft17="stand")),
    ],
)
def test_a_small_shoe_is_worth_what_playing_it_out_gives(rules: MainRules, table: plain.Table) -> None:
    """Splits included: the plain recursion deals every hand of a split in turn, from the shoe as it then is."""
    assert solve(shoe_of(*SMALL), rules).optimum.value == pytest.approx(table.value(), abs=CLOSE)


@pytest.mark.parametrize(("hands", "hole"), [(3, "peek"), (2, "none")])
def test_tens_are_split_by_printed_rank(hands: int, hole: Hole) -> None:
    """A shoe so rich in tens that they are split: kings with kings, tens with tens, never a ten with a king."""
    ranks = (2, 0, 0, 0, 2, 3, 0, 0, 0, 5, 0, 0, 7)
    best = solve(RankShoe(ranks), replace(PEERS, hands=hands, hole=hole, split="rank")).optimum
    assert (best.options.split[-1] > best.options.unsplit[-1]).any()
    table = plain.Table(ranks, hands=hands, peek=hole == "peek")
    assert best.value == pytest.approx(table.value(), abs=CLOSE)


@settings(max_examples=12, deadline=None)
@given(
    low=st.integers(2, 7),
    middle=st.integers(8, 9),
    counts=st.tuples(st.integers(2, 4), st.integers(3, 6), st.integers(3, 6), st.integers(12, 16)),
    das=st.booleans(),
    peek=st.booleans(),
)
def test_any_small_shoe_is_worth_what_playing_it_out_gives(
    low: int, middle: int, counts: tuple[int, ...], das: bool, peek: bool
) -> None:
    values = [0] * 10
    for value, count in zip((1, low, middle, 10), counts, strict=True):
        values[value - 1] = count
    rules = replace(PEERS, hands=2, das=das, hole="peek" if peek else "none")
    table = plain.Table(tuple(values), hands=2, das=das, peek=peek)
    assert solve(shoe_of(*values), rules).optimum.value == pytest.approx(table.value(), abs=CLOSE)


@pytest.mark.parametrize(
    ("hand", "up", "soft17"),
    [
        ((10, 6), 10, "hit"),
        ((9, 7), 1, "hit"),
        ((9, 7), 1, "until_hard"),
        ((1, 7), 9, "stand"),
        ((10, 2), 4, "stand"),
    ],
)
def test_hands_from_one_deck_are_worth_what_plain_recursion_gives(hand: tuple[int, int], up: int, soft17: str) -> None:
    table = plain.Table((4,) * 9 + (16,), soft17=soft17)
    slow = table.actions(plain.cards(*hand), up - 1)
    name = ",".join("A" if value == 1 else str(value) for value in sorted(hand))
    up_name = "A" if up == 1 else str(up)
    hand_value = next(
        candidate
        for candidate in solved(1, soft17=soft17).hand_values()
        if (candidate.hand, candidate.up) == (name, up_name)
    )
    assert {action: hand_value.worth[action] for action in slow} == pytest.approx(slow, abs=CLOSE)


@pytest.mark.parametrize("soft17", ["hit", "stand", "until_hard"])
def test_the_dealer_ends_as_plain_recursion_says(soft17: str) -> None:
    deck = (4,) * 9 + (16,)
    for up in range(10):
        slow = dict.fromkeys(range(17, 24), 0.0)
        left = plain.minus(deck, up)
        for hole in range(10):
            if plain.natural(up, hole):
                slow[23] += left[hole] / 51
                continue
            two = plain.two_cards(10, up, hole)
            for total, chance in plain.dealer_ends(plain.minus(left, hole), two, soft17).items():
                slow[total] += chance * left[hole] / 51
        assert list(solved(1, soft17=soft17).dealer[up]) == pytest.approx(list(slow.values()), abs=CLOSE)
