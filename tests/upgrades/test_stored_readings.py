"""Rules stored before tables followed the readings of their layout are played, shown and priced as before."""

import json
from dataclasses import replace

from upcard.catalog import Catalog, shipped
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.ruleset import Ruleset, read_ruleset, ruleset_of
from upcard.engine.terms import Terms
from upcard.pit.terms import derive
from upcard.service.layout_card import layout_card
from upcard.service.live_table import table_under

SINCE_FORMAT_2 = (
    "readings_in_force",
    "flat_bet_ordered_between_shoes",
    "flat_bet_on_a_wager_that_is_off",
    "first_hand_of_a_gaming_day",
    "insurance_answers",
    "small_wager",
    "jackpot_stopped_at_the_deal",
)


def both(layout: Layout) -> tuple[Ruleset, Ruleset]:
    """The rules of a layout as today's program stores them, and as that of format 1 did."""
    catalog = Catalog(shipped().folder)
    catalog.__dict__["layouts"] = {layout.slug: layout}
    rules = ruleset_of(catalog, layout.slug)
    stored = json.loads(rules.text)
    behaviour = {name: value for name, value in stored["behaviour"].items() if name not in SINCE_FORMAT_2}
    return rules, read_ruleset(json.dumps({**stored, "format": 1, "behaviour": behaviour}))


def terms_of(rules: Ruleset) -> Terms:
    return derive(table_under(rules, by_hand=False))


def but_for_kept_cards(rules: Ruleset) -> Terms:
    """The terms, whichever wagers keep the cards of a hand that is over, and whether a declined insurance is final: in
    format 1 all did, and it was."""
    terms = replace(terms_of(rules), decline_is_final=True)
    return replace(terms, wagers={name: replace(wager, keeps_cards=True) for name, wager in terms.wagers.items()})


def card(rules: Ruleset) -> list[str]:
    """What the card says of the main game and of readings."""
    sections = layout_card(rules.catalog, rules.layout, rules.behaviour).rules
    headings = ("The main game", "Where the filing leaves a choice")
    return [line for section in sections if section.heading in headings for line, _ in section.lines]


def test_readings_that_format_1_ignored_stay_ignored_and_its_card_says_so() -> None:
    readings = {"R1": "stand", "R2": "not-offered", "R6": "lost", "R30": "same-proportion"}
    now, before = both(shipped().layout("bet-bigger").model_copy(update={"readings": readings}))
    usual = ruleset_of(shipped(), "bet-bigger")
    assert but_for_kept_cards(before) == but_for_kept_cards(usual)
    terms = terms_of(now)
    assert (terms.rules.soft17, terms.rules.surrender, terms.doubles_alike) == ("stand", "none", True)
    assert terms.lost_with_hand == ("Break Bonus",)
    assert card(before) == card(usual) != card(now)


def test_lucky_ladies_and_bust_bonus_too() -> None:
    now, before = both(shipped().layout("lucky-ladies").model_copy(update={"readings": {"R9": "before-peek"}}))
    assert (terms_of(now).late_wagers_before_peek, terms_of(before).late_wagers_before_peek) == (True, False)
    now, before = both(shipped().layout("lucky-ladies-jackpot").model_copy(update={"readings": {"R7": "for-1"}}))
    bases = [table.basis.value for rules in (now, before) if (table := terms_of(rules).wagers["Lucky Ladies"].paytable)]
    assert bases == ["for 1", "to 1"]


def test_readings_that_format_1_followed_stay_in_force() -> None:
    """R25, from the layout."""
    layout = shipped().layout("the-brook").model_copy(update={"readings": {"R25": "offered"}, "shuffler": "hand"})
    for rules in both(layout):
        assert terms_of(rules).wagers["Galaxy Bonus Jackpot"].off == ""


def test_only_the_wager_that_the_layout_names_was_small() -> None:
    """R31; and a layout of 003 had no limit for 004's wagers."""
    now, before = both(shipped().layout("double-action-with-21-3"))
    assert (terms_of(now).small_stake, terms_of(before).small_stake) == (5_00, None)
    assert but_for_kept_cards(now).wagers == but_for_kept_cards(before).wagers
    added = Offered.model_validate(
        {"name": "Double Action", "game": "double-action", "paytable": "DA6/1", "min": "$1", "max": "$100"}
    )
    usual = shipped().layout("lucky-ladies")
    now, before = both(usual.model_copy(update={"wager": (*usual.wager, added), "small_wager": "Double Action"}))
    assert (terms_of(now).most_wagers, terms_of(before).most_wagers) == (4, None)
    assert (terms_of(now).wagers["Double Action"].most, terms_of(before).wagers["Double Action"].most) == (5_00, 100_00)
