"""R6, "lost": Break Bonus (002) and Bust Bonus (003) that go when the spot has no hand left against the dealer."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from support import bust_bonus_oracle as plain
from support.main_game_rules import PEERS, Run, runner
from support.shipped_prices import price

from upcard.cards import RANKS, SUITS, card, read_cards
from upcard.catalog import shipped
from upcard.odds.main.lost_bonus import LostReturn, lost_return
from upcard.odds.main.rank_shoe import RankShoe
from upcard.odds.main.rules import MainRules, from_game
from upcard.odds.main.solve import solve
from upcard.odds.shoe import shoe_without

CLOSE = 1e-12
RICH = {"A": "cccc", "5": "ccc", "8": "cccccc", "T": "cccccccccccc"}
MIXED = {"A": "cch", "5": "chh", "8": "cccchh", "T": "ccccchhhhhhh"}
LOW = {"2": "ccc", "4": "ccc", "7": "cccccc", "8": "cccccc", "T": "ccccccccc"}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


def both(
    held: Mapping[str, str], name: str, pays: Callable[[plain.Cards], float], rules: MainRules
) -> tuple[LostReturn, float]:
    """What the reading takes: by the solver, and by dealing every round of a small shoe card by card."""
    copies, ranks = [0] * 52, [0] * 13
    for rank, suits in held.items():
        ranks[RANKS.index(rank)] = len(suits)
        for suit in suits:
            copies[card(RANKS.index(rank), SUITS.index(suit))] += 1
    spot = plain.Spot(
        tuple((min(RANKS.index(rank) + 1, 10), suit) for rank, suits in held.items() for suit in suits),
        solve(RankShoe(tuple(ranks)), rules).best_chart.chart(""),
        pays,
        hands=rules.hands,
        resplit_aces=rules.resplit_aces,
        surrender=rules.surrender == "late",
    )
    slow = spot.mean_return(lost_with_hand=False) - spot.mean_return(lost_with_hand=True)
    return lost_return(shipped().paytable(name), copies, rules), slow


@pytest.mark.parametrize("held", [RICH, LOW])
@pytest.mark.parametrize("surrender", ["none", "late"])
def test_break_bonus_loses_what_playing_every_round_out_loses(held: dict[str, str], surrender: str) -> None:
    """Hands that bust, pairs split in two whose hands both bust, surrenders and blackjacks."""
    rules = replace(PEERS, hands=2, surrender=surrender)  # type: ignore[arg-type]  # wider than the signature on purpose
    fast, slow = both(held, "002 Break Bonus", plain.break_bonus, rules)
    assert fast.total == pytest.approx(slow, abs=CLOSE)
    assert fast.bust > 0
    assert fast.split > 0
    assert (fast.surrender > 0) == (surrender == "late")


def test_bust_bonus_loses_what_dealing_suits_and_all_loses() -> None:
    """The player's cards are followed by value alone; here every card has its suit, and the suits differ in number."""
    fast, slow = both(MIXED, "PT-FLT-BB-01", plain.bust_bonus, replace(PEERS, hands=2, surrender="late"))
    assert fast.total == pytest.approx(slow, abs=CLOSE)


@pytest.mark.parametrize(("held", "hands"), [(RICH, 4), (LOW, 3)])
def test_more_than_two_split_hands_pair_by_pair_are_nearly_right_even_in_a_tiny_shoe(
    held: dict[str, str], hands: int
) -> None:
    rules = replace(PEERS, hands=hands, resplit_aces=True)
    fast, slow = both(held, "002 Break Bonus", plain.break_bonus, rules)
    assert fast.total == pytest.approx(slow, abs=5e-7)
    assert fast.total != pytest.approx(slow - fast.split, abs=5e-7)


@pytest.mark.parametrize("decks", [2, 6])
def test_a_blackjack_costs_its_chance_times_what_the_shoe_without_it_brings_back(decks: int) -> None:
    table = shipped().paytable("002 Break Bonus")
    lost = lost_return(table, shoe_without(decks, ()), from_game(shipped().game("002").rules))
    blackjack = Fraction(2 * 4 * 16 * decks, 52 * (52 * decks - 1))
    without = price(table, decks, removed=read_cards("As Kd"))
    assert lost.blackjack == pytest.approx(float(blackjack * (1 - without.edge)), abs=CLOSE)


@pytest.mark.parametrize(
    ("name", "game", "live", "lost"),
    [("002 Break Bonus", "002", 13.8467, 29.2302), ("PT-FLT-BB-01", "003", 8.1223, 24.0668)],
)
def test_both_readings_are_shown_beside_the_wager_and_beside_the_game(
    run: Run, name: str, game: str, live: float, lost: float
) -> None:
    """Bust Bonus is made after the deal, so a spot with blackjack, whose hand is over, does not make it. The simulator
    agrees: tests/agreements."""
    side = json.loads(run("odds", name, "--decks", "6", "--readings", "--json")[1])["readings"]
    edges = {row["option"]: row for row in side if row["reading"] == "R6"}
    assert edges["stays-live"]["edge_percent"] == pytest.approx(live, abs=1e-4)
    assert edges["lost"]["edge_percent"] == pytest.approx(lost, abs=1e-4)
    assert edges["lost"]["edge"] is None  # no fraction: it is computed to twelve digits
    assert "best chart" in edges["lost"]["note"]
    main = json.loads(run("odds", "main", "--game", game, "--readings", "--json")[1])["readings"]
    rows = {row["option"]: row for row in main if row["reading"] == "R6"}
    assert {row["wager"] for row in rows.values()} == {name}
    assert rows["lost"]["ev_percent"] == pytest.approx(-edges["lost"]["edge_percent"], abs=1e-9)
    assert rows["lost"]["note"] == edges["lost"]["note"]


def test_people_read_how_the_wager_was_played_below_the_table(run: Run) -> None:
    for words in (("002 Break Bonus", "--decks", "6"), ("main", "--game", "002")):
        output = " ".join(run("odds", *words, "--readings")[1].split())
        assert "after a split with the last hand" in output
        assert "surrender 3.3542" in output


def test_a_shoe_that_is_no_whole_decks_has_no_price_of_the_bonus(run: Run) -> None:
    code, output, _ = run("odds", "main", "--game", "002", "--without", "5 5 T", "--readings")
    assert code == 0
    assert "R6: priced only for the numbers of decks that the game permits." in output
    assert "002 Break Bonus" not in output
