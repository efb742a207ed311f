"""Bust Bonus by up card as discountgambling.net (14 May 2013, six decks) and the Wizard of Odds (eight) print it."""

import pytest
from support.shipped_prices import price

from upcard.catalog import shipped

SIX_DECKS = {  # suited, off-suit, and the player's expectation
    "A": (0.002222, 0.199059, -0.090437),
    "2": (0.008751, 0.347909, -0.076644),
    "3": (0.011524, 0.365435, -0.084754),
    "4": (0.014574, 0.383896, -0.071892),
    "5": (0.017883, 0.401749, -0.089206),
    "6": (0.020844, 0.418415, -0.079793),
    "7": (0.011716, 0.250219, -0.061881),
    "8": (0.011133, 0.227312, -0.048772),
    "9": (0.011602, 0.217640, -0.103441),
    "10": (0.012263, 0.217975, -0.088547),
}


@pytest.mark.parametrize("up", SIX_DECKS)
def test_bust_bonus_with_six_decks_agrees_to_every_printed_digit(up: str) -> None:
    up_price = price(shipped().paytable("PT-FLT-BB-01"), 6).by_upcard[up]
    name = "ace" if up == "A" else up
    chances = {line.event: line.probability for line in up_price.lines}
    ours = (chances[f"{name}-up-suited"], chances[f"{name}-up-off-suit"], -up_price.edge)
    assert tuple(round(float(figure), 6) for figure in ours) == SIX_DECKS[up]


def test_three_eights_with_six_decks_agree_to_every_printed_digit() -> None:
    up_price = price(shipped().paytable("PT-FLT-BB-01"), 6).by_upcard["8"]
    chances = {line.event: round(float(line.probability), 6) for line in up_price.lines}
    assert (chances["three-eights-suited"], chances["three-eights-off-suit"]) == (0.000207, 0.005041)


@pytest.mark.parametrize(
    ("up", "suited", "off_suit"),
    [("2", 0.008834, 0.347843), ("3", 0.011606, 0.365285), ("4", 0.014647, 0.383472)],
)
def test_bust_bonus_with_eight_decks_agrees(up: str, suited: float, off_suit: float) -> None:
    up_price = price(shipped().paytable("PT-FLT-BB-01"), 8).by_upcard[up]
    chances = {line.event: round(float(line.probability), 6) for line in up_price.lines}
    assert (chances[f"{up}-up-suited"], chances[f"{up}-up-off-suit"]) == (suited, off_suit)
