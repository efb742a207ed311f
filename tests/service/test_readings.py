"""Served tables whose layout chooses other readings than its game, and those where one of four wagers stays small."""

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, events
from support.empty_books import KEYRING

from upcard.service import commands as s
from upcard.service.history_check import check
from upcard.service.layout_card import find_layout_card
from upcard.service.views import player_view, table_view

PACE = s.Pace(betting=20, decision=30, insurance=10, late=8)


def replays(driver: TableDriver) -> None:
    """Every record is carried out again by the rules it names, in another process too."""
    driver.restart()
    with driver.service.desk.book.look() as clerk:
        report = check(clerk.unit, KEYRING)
    assert report.findings == []
    assert report.replayed == report.records


def choices(driver: TableDriver, player: str) -> list[str]:
    return [choice["do"] for choice in player_view(driver.live, player, None)["choices"]]


def test_a_break_bonus_that_is_lost_with_the_hand_is_taken_with_the_bust(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    """R6: the dealer, who has 16, need not draw; with the usual reading the ten would have been a bust and a win."""
    stack_shoe("Tc 6h 6d Td Th Ts")
    driver = new_driver(readings={"R6": "lost", "R2": "not-offered"})
    driver.sit("Ann")
    driver.bet("Ann", 1, 10_00, **{"Break Bonus": 5_00})
    driver.say("Ann", s.Ready)
    assert choices(driver, "Ann") == ["hit", "stay", "double"]  # no surrender (R2)
    answer = driver.say("Ann", s.Hit, spot=1)
    lost = [event for event in answer.events if event["event"] == "slip"]
    assert [(slip["wager"], slip["reason"]) for slip in lost] == [("Ante", "bust"), ("Break Bonus", "lost-with-hand")]
    assert "dealer-card-dealt" not in events(answer)
    assert driver.bankroll("Ann") == 985_00
    replays(driver)


def test_lucky_ladies_for_one_keeps_the_stake(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """R7."""
    stack_shoe("Tc 7h Qd Td")
    driver = new_driver("lucky-ladies-jackpot", readings={"R7": "for-1"}, jackpots={"Lucky Ladies": "LL"})
    driver.sit("Ann")
    driver.bet("Ann", 1, 10_00, **{"Lucky Ladies": 5_00})
    driver.say("Ann", s.Ready)
    driver.say("Ann", s.Stay, spot=1)
    assert driver.bankroll("Ann") == 1000_00 + 10_00 + 20_00 - 5_00
    replays(driver)


def test_bust_bonus_before_the_peek_has_its_time_and_is_lost_to_a_blackjack(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    """R9: the window opens after the deal; insurance and the peek follow."""
    stack_shoe("Tc Ah 9d Kh")
    jackpots = {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"}
    driver = new_driver("lucky-ladies", pace=PACE, readings={"R9": "before-peek"}, jackpots=jackpots)
    driver.sit("Ann")
    driver.bet("Ann", 1)
    driver.say("Ann", s.Ready)
    view = table_view(driver.live)["round"]
    assert view is not None
    assert (view["phase"], view["awaits"]) == ("late-wagers", {"code": "awaiting/wagers-before-the-peek"})
    driver.say("Ann", s.Bet, spot=1, stakes={"Bust Bonus": 5_00})
    (closed,) = driver.later(8)
    assert events(closed) == ["timer-expired", "late-wagers-closed-before-peek", "insurance-offered"]
    (answer,) = driver.later(10)
    assert "round-over" in events(answer)
    assert driver.bankroll("Ann") == 985_00
    replays(driver)


def test_a_dealer_enters_the_peek_after_the_bonus_is_closed(new_driver: NewDriver) -> None:
    """R9 and R6 at a table dealt by hand; an entry may be taken back in between."""
    jackpots = {"Lucky Ladies Jackpot": "LL", "21+3 Jackpot": "T3"}
    readings = {"R6": "lost", "R9": "before-peek"}
    driver = new_driver("lucky-ladies", by_hand=True, readings=readings, jackpots=jackpots)
    driver.floor(s.PlaceShoe)
    driver.sit("Ann", "Ben")
    driver.bet("Ann", 1)
    driver.bet("Ben", 2)
    driver.floor(s.Deal)
    for card in ("Tc", "Ac", "Th", "6d", "Kd"):
        driver.floor(s.EnterCard, card=card)
    assert driver.refused("Ben", s.Bet, spot=2, stakes={"Bust Bonus": 5_00})[0] == "HAND_IS_OVER"
    driver.say("Ann", s.Bet, spot=1, stakes={"Bust Bonus": 5_00})
    driver.floor(s.Deal)
    driver.floor(s.TakeBack)
    driver.floor(s.Deal)
    driver.floor(s.Peek, blackjack=False)
    driver.floor(s.Hit, spot=1)
    driver.floor(s.EnterCard, card="Ts")
    driver.floor(s.EnterCard, card="6s")  # the hole card: nobody is left to draw for
    state = driver.live.table.round
    assert state is not None
    assert len(state.dealer) == 2
    driver.floor(s.Settle)
    assert (driver.bankroll("Ann"), driver.bankroll("Ben")) == (985_00, 1015_00)
    replays(driver)


def test_a_double_for_less_is_the_same_share_of_every_wager(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    """R30."""
    stack_shoe("5c 6h 6d Td 9h 9s")
    driver = new_driver(readings={"R30": "same-proportion"})
    driver.sit("Ann")
    driver.bet("Ann", 1, 10_00, **{"Bet Bigger 1x": 10_00})
    driver.say("Ann", s.Ready)
    (double,) = (choice for choice in player_view(driver.live, "Ann", None)["choices"] if choice["do"] == "double")
    assert double["equal"] is True
    assert double["amounts"]["Ante"] == {"least": 50, "most": 10_00, "step": 50}
    assert driver.refused("Ann", s.Double, spot=1, amounts={"Ante": 5_00}) == (
        "DOUBLE_ALIKE",
        "double every main wager in the same proportion",
    )
    driver.say("Ann", s.Double, spot=1, amounts={"Ante": 5_00, "Bet Bigger 1x": 5_00})
    assert driver.bankroll("Ann") == 1030_00
    replays(driver)


def test_the_rules_card_of_a_table_shows_its_rules(new_driver: NewDriver) -> None:
    """R1: by its files and by its stored rules; felt, rules and readings agree."""
    driver = new_driver("bet-bigger", readings={"R1": "stand", "R6": "lost"})
    by_rules = find_layout_card(driver.service, "bet-bigger", driver.live.rules.hash)
    assert by_rules == find_layout_card(driver.service, "bet-bigger", None)
    assert by_rules.posted.dealer == "The dealer stands on all 17s and higher."
    text = "\n".join(line for section in by_rules.rules for line, _ in section.lines)
    assert "hits soft 17" not in text
    assert "stays live" not in text
    (circle,) = (circle for circle in by_rules.wagers if circle.name == "Break Bonus")
    assert circle.conditions == ["lost with the hand: after a bust, a surrender or a blackjack"]


# --- 004: one of four wagers is small

CROWDED = "double-action-with-21-3"
FOUR = {"Blackjack": 25_00, "Double Action": 10_00, "21+3 Xtreme": 10_00, "Top 3": 5_00}


def test_four_wagers_are_changed_in_one_bet_whatever_their_order(new_driver: NewDriver) -> None:
    """Lowered stakes go first, so that a legal four is never refused on the way."""
    driver = new_driver(CROWDED)
    driver.sit("Ann")
    driver.say("Ann", s.Bet, spot=1, stakes=FOUR)
    driver.say("Ann", s.Bet, spot=1, stakes={"Top 3": 20_00, "Double Action": 5_00})
    state = driver.live.table.round
    assert state is not None
    assert state.spots[0].wagers == {**FOUR, "Top 3": 20_00, "Double Action": 5_00}
    reason, sentence = driver.refused("Ann", s.Bet, spot=1, stakes={"Double Action": 6_00})
    assert (reason, sentence) == (
        "KEEP_ONE_SMALL",
        "one of the 4 wagers on spot 1 must be $5 or less: lower one of them, or take one back",
    )
    assert driver.refused("Ann", s.Bet, spot=1, stakes={"Match Madness": 1_00})[0] == "TOO_MANY_WAGERS"
    replays(driver)


def test_the_choices_of_the_fourth_wager_end_at_five_dollars(new_driver: NewDriver) -> None:
    driver = new_driver(CROWDED)
    driver.sit("Ann")
    driver.say("Ann", s.Bet, spot=1, stakes={"Blackjack": 25_00, "Double Action": 10_00, "21+3 Xtreme": 10_00})
    offered = {
        choice["wager"]: choice["amounts"][choice["wager"]]["most"]
        for choice in player_view(driver.live, "Ann", None)["choices"]
        if choice["do"] == "bet"
    }
    assert (offered["Top 3"], offered["Match Madness"], offered["Double Action"]) == (5_00, 5_00, 100_00)


@pytest.mark.parametrize("added", ["Double Action", "Match Madness"])
def test_the_limit_holds_in_a_layout_of_another_game_that_adds_a_wager_of_004(added: str) -> None:
    from upcard.catalog import shipped
    from upcard.catalog.layout import Offered
    from upcard.catalog.layout_checks import layout_complaints
    from upcard.pit import open_table
    from upcard.pit.terms import derive

    table = "DA6/1" if added == "Double Action" else "MM6/2"
    wager = Offered.model_validate(
        {"name": added, "game": "double-action", "paytable": table, "min": "$1", "max": "$100"}
    )
    usual = shipped().layout("lucky-ladies")
    layout = usual.model_copy(update={"wager": (*usual.wager, wager)})
    assert dict(layout_complaints(shipped(), layout)) == {
        "small_wager": "a layout with more than 4 wagers must name the one limited to $5 (R31)"
    }
    named = layout.model_copy(update={"small_wager": added})
    assert dict(layout_complaints(shipped(), named)) == {}
    terms = derive(open_table(shipped(), named))
    assert (terms.most_wagers, terms.small_stake, terms.wagers[added].most) == (4, 5_00, 5_00)
    usual_terms = derive(open_table(shipped(), usual))
    assert (usual_terms.most_wagers, usual_terms.small_stake) == (None, None)
