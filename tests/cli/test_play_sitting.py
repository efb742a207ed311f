"""A sitting without a screen: chips, money to the cent, keys and refusals."""

import random
import re
from dataclasses import replace

import pytest
from support.terminal_player import shuffled, sit, stacked, type_keys

from upcard.catalog import shipped
from upcard.cli.play.keys import actions, leave, press
from upcard.cli.play.prompts import hint, prompt
from upcard.cli.play.rules_card import rules_card
from upcard.cli.play.sitting import Sitting, Stage
from upcard.cli.play.table_text import slip_sentence
from upcard.engine import CommandRefused
from upcard.pit import open_table
from upcard.units import Cents

CODE = re.compile(
    r"None|[{}_]|[a-z]/[a-z]|\?,|object at"
)  # a missing parameter, or a value that was not put into words


def slip_sentences(sitting: Sitting) -> list[str]:
    hands = {spot.number: len(spot.hands) for spot in sitting.view.spots}
    return [slip_sentence(slip, sitting.terms, {}, hands=hands[slip.spot], spots=len(hands)) for slip in sitting.slips]


def test_a_stake_of_chips_must_be_valid_before_the_deal() -> None:
    sitting = type_keys(sit("the-brook"), "2")
    assert sitting.note == "The minimum Ante is $5, not $1."
    assert sitting.chips.sum == 100
    type_keys(sitting, "enter")
    assert (sitting.stage, sitting.note) == (Stage.BETTING, "The minimum Ante is $5, not $1.")
    type_keys(sitting, "3 3")
    assert (sitting.note, sitting.chips.sum) == ("", 500)


def test_a_chip_smaller_than_the_tables_smallest_is_refused() -> None:
    sitting = sit("the-brook")
    with pytest.raises(CommandRefused, match=re.escape("$0.25 cannot be made up of $0.50 chips")):
        sitting.add_chip(Cents(25))
    assert sitting.chips.stakes == {}


@pytest.mark.parametrize(
    ("layout", "keys", "sentence"),
    [
        ("the-brook", "9", "The maximum Ante is $10, not $100."),
        ("the-brook", "down 5", "Bet Bigger 2 needs a wager on Ante first."),
        ("the-brook", "enter", "Nobody has made a main wager."),
        ("the-brook", "5 down 5 5", "Bet Bigger 2 must be exactly the Ante of $5."),
        ("the-brook", "5 up 5 5", "Galaxy Bonus Jackpot is $5, not $10."),
        ("the-brook", "backspace", "There is nothing to undo."),
        ("the-brook", "b", "There are no earlier wagers to repeat."),
        ("lucky-ladies-jackpot", "5 down down down down 2", "Lucky Ladies is $5 or $10, not $1."),
        ("lucky-ladies-jackpot", "5 down down down down 6 2", "Lucky Ladies is $5 or $10, not $11."),
        ("lucky-ladies", "5 down down down 5", "Top 3 can be bet only together with 21+3 Classic or 21+3 Xtreme."),
        ("double-action-with-21-3", "5 down 5 down 5 down 5 down 5", "At most 4 wagers may be made on one spot"),
    ],
)
def test_refusals_of_the_table_are_shown_to_the_player(layout: str, keys: str, sentence: str) -> None:
    sitting = type_keys(sit(layout), keys)
    assert sitting.note.startswith(sentence)
    assert sitting.stage is Stage.BETTING


def test_a_jackpot_wager_is_off_when_the_shoe_is_shuffled_by_hand() -> None:
    """000 F: no Galaxy Bonus Jackpot on a hand-shuffled game (R25)."""
    catalog = shipped()
    table = replace(open_table(catalog, catalog.layout("the-brook")), shuffler="hand", next_shuffler="hand")
    sitting = Sitting(table, spots=1, bankroll=Cents(100_00), shoes=stacked(""))
    assert type_keys(sitting, "5 up 5").note == "Galaxy Bonus Jackpot is off: the shoe is shuffled by hand."


def test_bet_bigger_follows_the_ante_and_the_bankroll_covers_all_of_it() -> None:
    sitting = type_keys(sit("the-brook", bankroll="$15"), "5 down 5 down 5 up up 2")
    assert sitting.note == "Your bankroll of $15 does not cover $18."
    assert set(sitting.chips.stakes.values()) == {500}
    type_keys(sitting, "backspace 2")
    assert sitting.chips.stakes == {(1, "Ante"): 600, (1, "Bet Bigger 2"): 600}


def test_undo_clear_and_take_back() -> None:
    sitting = type_keys(sit("lucky-ladies"), "5 down down 5 down 5")
    laid = dict(sitting.chips.stakes)
    assert len(laid) == 3
    type_keys(sitting, "c")
    assert sitting.bankroll == 1000_00
    type_keys(sitting, "backspace")
    assert sitting.chips.stakes == laid
    type_keys(sitting, "up delete")  # Top 3 cannot stand without 21+3
    assert sitting.chips.stakes == {(1, "Blackjack"): 500}
    type_keys(sitting, "backspace backspace backspace backspace")
    assert sitting.chips.stakes == {}


def test_rebet_repeats_the_wagers_also_from_the_result() -> None:
    cards = "Th 6c Td Td 9s " + "Th 7c Td Td " + "5h 7c Td Td 9d"
    sitting = type_keys(sit("the-brook", cards, bankroll="$40"), "5 down 5 enter s")
    assert sitting.stage is Stage.RESULT
    type_keys(sitting, "b")
    assert sitting.chips.stakes == {(1, "Ante"): 500, (1, "Bet Bigger 2"): 500}
    type_keys(sitting, "enter s enter")
    assert (sitting.stage, sitting.bankroll, sitting.chips.sum) == (Stage.BETTING, 60_00, 0)


def test_every_wager_of_the_brook_is_explained() -> None:
    """000 H: suited 20 pays 9 to 1."""
    sitting = type_keys(sit("the-brook", "Qh 6c Th 9d Kd"), "5 down 5 down 5 down 5 down 5 down 5 down 5 enter s")
    assert slip_sentences(sitting)[:4] == [
        "Lucky Ladies: Suited 20 pays 9 to 1: +$45",
        "Suited Royals: Any pays 2 to 1: +$10",
        "Galaxy Bonus Jackpot: no winning event: -$5",
        "Ante: 20 wins, pays 1 to 1: +$5",
    ]
    assert (sitting.net, sitting.bankroll) == (70_00, 1070_00)


def test_a_jackpot_is_a_claim_for_the_floor_and_not_in_the_bankroll() -> None:
    """001: three queens of hearts win all of MEGA with $10."""
    sitting = type_keys(sit("lucky-ladies-jackpot", "Qh Qh Qh 5d Ts"), "5 down down down down 6 enter s")
    assert slip_sentence(sitting.slips[0], sitting.terms, {"MEGA": Cents(10_000_00)}) == (
        "Lucky Ladies: Three Queens of Hearts wins 100% of MEGA (posted at $10,000), to be paid by the floor: $0"
    )
    assert sitting.bankroll == 1005_00
    assert sitting.summary() == (
        "1 round of lucky-ladies-jackpot: started with $1,000, left with $1,005 (+$5);"
        " 1 jackpot claim to be paid by the floor."
    )


def test_double_for_less_asks_for_each_main_wager() -> None:
    """000 C&E: double for any amount up to each wager; nothing on some (R30)."""
    sitting = type_keys(sit("the-brook", "5h 6c 6h 9d Td Kd"), "5 down 5 down 5 enter l")
    assert prompt(sitting).startswith("Double the Ante by how much? $0 to $5 in steps of $0.50.")
    type_keys(sitting, "9 enter")
    assert sitting.note == "$9 is not allowed: enter $0 to $5 in steps of $0.50."
    type_keys(sitting, "2 . 5 enter")
    assert prompt(sitting).startswith("Double the Bet Bigger 2 by")
    type_keys(sitting, "enter 0 enter")
    assert [slip.stake for slip in sitting.slips] == [750, 1000, 500]
    assert sitting.bankroll == 1022_50


def test_a_prompt_can_be_cancelled_and_a_bad_amount_is_explained() -> None:
    sitting = type_keys(sit("the-brook", "5h 6c 6h 9d Td Kd"), "5 enter l . . enter")
    assert sitting.note == "'..' is not an amount: enter one such as 5 or 2.50."
    type_keys(sitting, "0 enter")
    assert sitting.note == "Add to at least one wager to double."
    type_keys(sitting, "l 1 2 backspace escape")
    assert (sitting.amount_prompt, sitting.stage) == (None, Stage.PLAY)


def test_a_double_or_split_that_the_bankroll_cannot_cover_is_refused() -> None:
    sitting = type_keys(sit("the-brook", "8h 6c 8d 9d Td Kd", bankroll="$7"), "5 enter")
    for key in "dp":
        press(sitting, key)
        assert sitting.note == "Your bankroll of $2 does not cover $5."
    type_keys(sitting, "l 2 enter")
    assert (sitting.stage, sitting.slips[0].stake, sitting.bankroll) == (Stage.RESULT, 700, 0)
    type_keys(sitting, "enter")
    assert sitting.stage is Stage.BROKE
    assert prompt(sitting) == "Your bankroll is empty. Press Q to leave the table."
    assert leave(sitting)


def test_a_side_wager_is_paid_at_the_deal_and_its_winnings_can_be_staked_at_once() -> None:
    sitting = type_keys(sit("the-brook", "6h 6c 5h 9d Td Kd", bankroll="$10"), "5 down down down down down 5 enter")
    assert slip_sentences(sitting) == ["Suited Royals: Any pays 2 to 1: +$10"]
    assert (sitting.stage, sitting.bankroll) == (Stage.PLAY, 15_00)
    type_keys(sitting, "d")
    assert (sitting.stage, sitting.bankroll) == (Stage.RESULT, 30_00)


def test_a_bankroll_below_the_minimum_is_reported() -> None:
    sitting = type_keys(sit("the-brook", bankroll="$4"), "5 enter")
    assert prompt(sitting) == "Your bankroll of $4 is below the Ante minimum of $5. Press Q to leave the table."


def test_insurance_is_the_same_on_each_wager_and_the_most_by_default() -> None:
    sitting = type_keys(sit("the-brook", "8h Ac 7d Kd"), "6 down 5 enter")
    assert (sitting.stage, [key for key, _ in actions(sitting)]) == (Stage.INSURANCE, ["I", "N"])
    type_keys(sitting, "e")
    assert sitting.note == "Even money is offered only on a blackjack."
    type_keys(sitting, "i")
    assert prompt(sitting).startswith("Insure each of 2 main wagers by how much? $0.25 to $5")
    type_keys(sitting, "enter")
    assert slip_sentences(sitting)[0] == "Insurance of Ante: the dealer has blackjack, insurance pays 2 to 1: +$10"
    assert sitting.bankroll == 1000_00


def test_a_spot_that_declined_insurance_may_take_it_until_the_last_spot_has_answered() -> None:
    sitting = sit("the-brook", "8h 9h Ac 7d Th Kd", spots=2)
    for spot in (1, 2):
        sitting.chips.add((spot, "Ante"), Cents(500), sitting.bankroll)
    type_keys(sitting, "enter")
    assert [key for key, _ in actions(sitting)] == ["I", "N"]
    type_keys(sitting, "n")
    assert actions(sitting)[-1] == ("B", "back to spot 1")
    type_keys(sitting, "b")
    assert prompt(sitting).startswith("Spot 1: ")
    assert [key for key, _ in actions(sitting)] == ["I", "N"]
    type_keys(sitting, "n")
    assert prompt(sitting).startswith("Spot 2: ")  # no, as before
    type_keys(sitting, "b i enter n")
    assert slip_sentences(sitting)[0].startswith("Spot 1, Insurance of Ante: the dealer has blackjack")


def test_even_money_pays_all_main_wagers_at_once() -> None:
    sitting = type_keys(sit("the-brook", "Ah Ac Kd Kd"), "5 down 5 enter")
    assert [key for key, _ in actions(sitting)] == ["I", "E", "N"]
    assert type_keys(sitting, "e").bankroll == 1010_00


def test_a_late_wager_has_its_own_prompt_and_its_own_rebet() -> None:
    """003 B: Bust Bonus after the peek (R9)."""
    cards = "Qh 6c Th 9d Td " + "Qh 6c Th 9d Td"
    sitting = type_keys(sit("lucky-ladies", cards), "5 enter")
    assert (sitting.stage, sitting.chips.circles) == (Stage.LATE_WAGERS, ((1, "Bust Bonus"),))
    type_keys(sitting, "5 2 enter s")
    assert "Bust Bonus: 6 up: Dealer Busts, Off-suit pays 1 to 1: +$6" in slip_sentences(sitting)
    type_keys(sitting, "b enter")
    assert sitting.stage is Stage.LATE_WAGERS
    type_keys(sitting, "b")
    assert sitting.chips.stakes == {(1, "Bust Bonus"): 600}
    type_keys(sitting, "n")
    assert prompt(sitting) == "Spot 1: you have 20."
    assert sitting.at_stake == 500


def test_three_spots_are_bet_and_played_one_after_the_other() -> None:
    sitting = sit("double-action", "Th 9h 8h 6c Td 9d 8d Td 3s Ts 9c", spots=3)
    type_keys(sitting, "5 right 5 right 6 enter")
    assert [spot.number for spot in sitting.view.spots] == [1, 2, 3]
    assert prompt(sitting) == "Spot 1: you have 20."
    type_keys(sitting, "s")
    assert prompt(sitting) == "Spot 2: you have 18."
    type_keys(sitting, "s s")
    assert slip_sentences(sitting)[-1] == "Spot 3, Blackjack: 16 loses: -$10"


def test_when_the_shoe_is_over_its_key_is_shown_and_a_new_one_is_shuffled() -> None:
    sitting = type_keys(sit("the-brook", "Th 6c Td Td 9s", cut_card=3), "5 enter")
    assert sitting.note == "The cut card comes out: this is the last round of the shoe."
    old = sitting.shoe
    type_keys(sitting, "s")
    assert sitting.note == "The shoe is over."
    type_keys(sitting, "b")
    assert (sitting.stage, sitting.shoe) == (Stage.SHOE_OVER, old)
    type_keys(sitting, "enter")
    assert sitting.stage is Stage.BETTING
    assert sitting.shoe is not old
    assert sitting.note == "A new shoe of 312 cards, shuffled and cut."


def test_leaving_in_the_middle_of_a_hand_asks_for_confirmation() -> None:
    sitting = type_keys(sit("the-brook", "Th 6c 5d Td 9s"), "5 enter")
    assert not leave(sitting)
    assert "Q again" in sitting.note
    type_keys(sitting, "x")
    assert not leave(sitting)
    assert leave(sitting)
    assert sitting.summary() == (
        "0 rounds of the-brook: started with $1,000, left with $995 (-$5), in the middle of a hand."
    )


def test_hints_explain_rules_and_say_that_they_are_not_advice() -> None:
    sitting = sit("the-brook", "8h 6c 8d 9d Td Kd")
    assert hint(type_keys(sitting, "5 up up")).startswith("Rules, not advice: Suited Royals: $2 to $10. Pays to 1:")
    assert hint(type_keys(sitting, "enter")) == (
        "Rules, not advice: You may hit, stay, double, double for less, split, surrender. A double gets exactly one"
        " more card. You may split up to 3 hands."
        " The dealer hits soft 17 and stands on all other 17s and higher."
    )


@pytest.mark.parametrize(
    ("layout", "lines"),
    [
        ("the-brook", ("Surrender, as the first decision, returns 50% of every main wager.", "equal to the Ante")),
        ("lucky-ladies-jackpot", ("$5 or $10", "$2.50 to $10")),
        ("bet-bigger", ("Aces may be split again and get one card each; an ace and a ten after a split count 21.",)),
        ("lucky-ladies", ("Surrender is not offered.", "only with 21+3 Classic or 21+3 Xtreme")),
        ("double-action", ("paid right to left", "6 decks, shuffled by hand; posted minimum $5.")),
    ],
)
def test_the_rules_card_lists_limits_paytables_and_readings(layout: str, lines: tuple[str, ...]) -> None:
    """Every wager with its limits and all lines of its paytable, every reading."""
    sitting = sit(layout)
    card = rules_card(sitting.table, sitting.terms)
    sections = {section.heading: section.lines for section in card}
    for name, wager in sitting.terms.wagers.items():
        pays = [line for line in sections[name] if not isinstance(line, str)]
        assert len(pays) == (len(wager.paytable.lines) if wager.paytable else 0)
    game = shipped().game(sitting.table.layout.game)
    assert len(sections["Where the filing leaves a choice"]) == len(game.readings)
    for line in lines:
        assert any(line in section for section in sections.values())


@pytest.mark.parametrize("layout", list(shipped().layouts))
def test_whatever_keys_are_pressed_the_money_adds_up(layout: str) -> None:
    """No key raises; the bankroll is never negative; a round moves exactly the sum of its slips; no code is shown."""
    chance = random.Random(layout)
    keys = [*"123456789bcnhsdlpriex", "enter", "enter", "enter", "space", "backspace", "delete", "down", "left", "tab"]
    table = open_table(shipped(), shipped().layout(layout))
    spots = chance.randint(1, 3)  # chips on three spots are often not adjacent, and then no cards are dealt
    sitting = Sitting(table, spots=spots, bankroll=Cents(2000_00), shoes=shuffled(chance, cut_card=40))
    opened = 0
    for _ in range(1500 if spots < 3 else 3000):
        before, rounds = sitting.money, sitting.rounds
        press(sitting, chance.choice(keys))
        assert prompt(sitting)
        for line in (sitting.note, prompt(sitting), *slip_sentences(sitting)):
            assert not CODE.search(line), line
        opened += sitting.stage is Stage.SHOE_OVER
        assert sitting.bankroll >= 0
        assert sitting.at_stake >= 0
        if sitting.rounds > rounds:
            assert sitting.money == before + sum(slip.net for slip in sitting.slips) == sitting.bankroll
            assert all(hand.result for spot in sitting.view.spots for hand in spot.hands)
        else:
            assert sitting.money == before
    assert sitting.rounds > 15
    assert opened
