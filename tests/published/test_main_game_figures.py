"""Figures of the main game that others have printed, at the digits they printed.

Peers: Eric Farmer's analyser, all rules as `PEERS`. Hand values, whole games and dealer's hands: the Wizard of Odds'
blackjack appendices 9 and 2. Rule effects: blackjackreview.com and Arnold Snyder's table, both rounded estimates.
"""

from fractions import Fraction

import pytest
from support.main_game_rules import solved

from upcard.odds.main.solve import VALUE_NAMES
from upcard.strategy import usual

CLOSE = 1e-9


@pytest.mark.parametrize(
    ("decks", "hit", "by_usual_chart", "stand"),
    [
        (1, -0.000087347329, -0.000645015849, 0.001819343061),
        (6, -0.006153891229, -0.006181488084, -0.004028702361),
        (8, -0.006445538519, -0.006464501070, -0.004305806290),
    ],
)
def test_whole_games_agree_with_the_reference_analyser(
    decks: int, hit: float, by_usual_chart: float, stand: float
) -> None:
    assert solved(decks).optimum.value == pytest.approx(hit, abs=CLOSE)
    assert solved(decks).with_chart(usual()).value == pytest.approx(by_usual_chart, abs=CLOSE)
    assert solved(decks, soft17="stand").optimum.value == pytest.approx(stand, abs=CLOSE)


def test_late_surrender_agrees_with_the_reference_analyser() -> None:
    assert solved(6, surrender="late").optimum.value == pytest.approx(-0.005271915469, abs=CLOSE)


@pytest.mark.parametrize(
    ("decks", "soft17", "das", "printed"),
    [
        (1, "stand", True, 0.001839),
        (1, "stand", False, 0.000423),
        (1, "hit", True, -0.000072),
        (1, "hit", False, -0.001513),
        (2, "hit", True, -0.003797),
        (2, "hit", False, -0.005252),
        (5, "hit", True, -0.005918),
        (5, "hit", False, -0.007366),
        (5, "stand", True, -0.003804),
        (5, "stand", False, -0.005225),
    ],
)
def test_whole_games_stand_just_below_the_appendices(decks: int, soft17: str, das: bool, printed: float) -> None:
    """Appendix 9 lets a split hand know how many hands there are; CDZ- does not, and so is worth a little less."""
    ours = solved(decks, soft17=soft17, das=das).optimum.value
    assert -1e-6 < printed - ours < 2.5e-5 / decks**0.5


@pytest.mark.parametrize(
    ("decks", "changes", "hand", "up", "stand", "hit", "double"),
    [
        (6, {"hole": "none"}, "A,2", "A", -0.722356, -0.379910, -1.024099),
        (6, {"hole": "none"}, "4,5", "A", -0.721243, -0.396287, -0.932671),
        (6, {"hole": "none"}, "5,6", "A", -0.720879, -0.235772, -0.535879),
        (1, {"soft17": "stand"}, "A,6", "A", -0.482815, -0.199899, -0.527213),
        (1, {"soft17": "stand"}, "4,6", "A", -0.636118, 0.081506, 0.048615),
        (1, {"soft17": "stand"}, "A,7", "A", -0.101015, -0.108386, -0.357778),
        (2, {}, "A,2", "A", -0.594150, -0.103429, -0.571816),
        (2, {}, "4,6", "A", -0.587412, 0.038312, -0.003909),
        (5, {}, "5,6", "A", -0.594346, 0.109880, 0.128187),
    ],
)
def test_single_hands_agree_with_the_appendices(
    decks: int, changes: dict[str, object], hand: str, up: str, stand: float, hit: float, double: float
) -> None:
    hand_value = next(
        candidate
        for candidate in solved(decks, **changes).hand_values()
        if (candidate.hand, candidate.up) == (hand, up)
    )
    printed = {"stand": stand, "hit": hit, "double": double}
    assert {name: round(hand_value.worth[name] or 0, 6) for name in printed} == printed


@pytest.mark.parametrize(
    ("up", "printed"),
    [  # 17, 18, 19, 20, 21, bust, blackjack; one deck, S17
        ("A", (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.11654, 0.313726)),
        ("2", (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0.352973, 0)),
        ("6", (0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0.420823, 0)),
        ("7", (0.372345, 0.138583, 0.0773344, 0.0788967, 0.072987, 0.259854, 0)),
        ("10", (0.114418, 0.112879, 0.114662, 0.328879, 0.0364661, 0.214264, 0.0784314)),
    ],
)
def test_dealer_hands_agree_with_the_appendices(up: str, printed: tuple[float, ...]) -> None:
    """To one in the last place: 16/51 is printed 0.313726."""
    ours = solved(1, soft17="stand").dealer[VALUE_NAMES.index(up)]
    assert list(ours) == pytest.approx(list(printed), abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "printed"),
    [
        ({"das": True}, 0.14),
        ({"surrender": "late"}, 0.08),
        ({"resplit_aces": True}, 0.07),
        ({"blackjack": Fraction(6, 5)}, -1.36),
        ({"blackjack": Fraction(2)}, 2.3),
        ({"soft17": "hit"}, -0.20),
        ({"double": "9-11"}, -0.09),
        ({"double": "10-11"}, -0.18),
        ({"hands": 2}, -0.04),
    ],
)
def test_rule_effects_agree_with_printed_estimates(changes: dict[str, object], printed: float) -> None:
    """The base game of these tables: six decks, S17, no double after splits, no surrender, aces split once."""
    base = {"soft17": "stand", "das": False}
    effect = 100 * (solved(6, **(base | changes)).optimum.value - solved(6, **base).optimum.value)
    assert effect == pytest.approx(printed, abs=0.04 if abs(printed) > 2 else 0.02)


def test_standard_deviation_agrees_with_the_peers_simulation() -> None:
    """A simulation of six decks gives 1.160 a round."""
    from upcard.odds.main.deviation import standard_deviation

    assert round(standard_deviation(solved(6).optimum), 3) == 1.160
