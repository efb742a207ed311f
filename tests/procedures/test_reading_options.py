"""Every option of every reading is played or refused: readings.toml, docs/procedures.md and the tables agree.

A layout that chooses another option plays another round. Somebody who adds an option to readings.toml finds it refused
by `check` until tables play it, and these tests fail until a row of docs/procedures.md shows which of the two it is.
"""

import re
from pathlib import Path

import pytest
from procedures.clauses import ROOT, rows

from upcard.catalog import shipped
from upcard.catalog.game_checks import game_complaints
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.readings_in_force import why_not_played
from upcard.pit import open_table
from upcard.pit.rulescard import rules_card
from upcard.pit.terms import derive
from upcard.pit.transcript import run

CATALOG = shipped()
OPTIONS = [(number, option) for number, reading in CATALOG.readings.items() for option in reading.options]
OTHERS = [(number, option) for number, reading in CATALOG.readings.items() for option in list(reading.options)[1:]]
REFUSED = [(number, option) for number, option in OTHERS if why_not_played(CATALOG, number, option)]
SHARED = {"R8", "R14", "R18"}  # between winners: the ledger's tests show them, because a round has claims only
ROWS = {tuple(row.id.split("=")): row for row in rows() if row.about == "reading"}


def layout_of(number: str, **changes: object) -> Layout:
    """The usual layout of a game whose filing asks this question."""
    game = CATALOG.game(CATALOG.readings[number].filings[-1])
    slug = "lucky-ladies-progressive" if number == "R14" else game.slug
    return CATALOG.layout(slug).model_copy(update=changes)


def complaints(layout: Layout) -> dict[str, str]:
    return dict(layout_complaints(CATALOG, layout))


def test_every_option_has_a_row_and_every_row_an_option() -> None:
    assert list(ROWS) == OPTIONS


@pytest.mark.parametrize(("number", "option"), [pair for pair in OTHERS if pair not in REFUSED])
def test_another_option_is_accepted_and_plays_another_round(number: str, option: str) -> None:
    assert complaints(layout_of(number, readings={number: option})) == {}
    row = ROWS[number, option]
    for path in row.rounds:
        assert path.name.startswith(f"{number}-{option}-")
        text = path.read_text(encoding="utf-8")
        assert f", {number} {option}" in text.splitlines()[1]
        usual = without_readings(text)
        assert run(CATALOG, usual, path.name) != usual  # the same commands at a table of the usual reading
    assert row.rounds or number in SHARED | {"R12"}, f"no round shows {number} = {option}"


def without_readings(text: str) -> str:
    return re.sub(r"^(table .*?)(, R\d+ [a-z0-9-]+)+$", r"\1", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("number", "option"), REFUSED)
def test_an_option_that_tables_cannot_play_is_refused(number: str, option: str) -> None:
    """In a layout and in a game, at its place and with the reason."""
    reason = why_not_played(CATALOG, number, option)
    assert reason != "tables cannot play this option"
    refused = complaints(layout_of(number, readings={number: option}))
    assert refused == {f"readings.{number}": f"{number} = {option!r} cannot be chosen: {reason}"}
    game = CATALOG.game(CATALOG.readings[number].filings[-1])
    chosen = game.model_copy(update={"readings": {**game.readings, number: option}})
    assert dict(game_complaints(CATALOG, chosen)) == refused


def test_an_option_that_no_code_knows_is_refused() -> None:
    """Somebody adds an option to readings.toml, and nothing else."""
    reading = CATALOG.readings["R5"]
    added = reading.model_copy(update={"options": {**reading.options, "always": reading.options["when-needed"]}})
    catalog = type(CATALOG)(CATALOG.folder)
    catalog.__dict__["readings"] = {**CATALOG.readings, "R5": added}
    layout = CATALOG.layout("bet-bigger").model_copy(update={"readings": {"R5": "always"}})
    assert dict(layout_complaints(catalog, layout)) == {
        "readings.R5": "R5 = 'always' cannot be chosen: tables cannot play this option"
    }


@pytest.mark.parametrize(("number", "option"), [pair for pair in OPTIONS if pair not in REFUSED])
def test_the_rules_card_says_each_option_and_contradicts_it_nowhere(number: str, option: str) -> None:
    table = open_table(CATALOG, layout_of(number, readings={number: option}))
    sections = {section.heading: section.lines for section in rules_card(table, derive(table))}
    lines = [line if isinstance(line, str) else line[0] for lines in sections.values() for line in lines]
    (chosen,) = (line for line in lines if line.startswith(f"{number}: "))
    assert CATALOG.readings[number].options[option].means[1:] in chosen
    text = "\n".join(lines)
    says = {
        ("R1", "plain"): "The dealer hits soft 17",
        ("R1", "literal"): "With a soft 17, the dealer hits until the hand is hard.",
        ("R1", "stand"): "The dealer stands on all 17s",
        ("R2", "late"): "Surrender, as the first decision",
        ("R2", "not-offered"): "Surrender is not offered.",
        ("R6", "stays-live"): "stays live when the hand is over",
        ("R6", "lost"): "lost with the hand: after a bust, a surrender or a blackjack",
        ("R7", "to-1"): "paytable 001 Lucky Ladies, pays to 1",
        ("R7", "for-1"): "paytable 001 Lucky Ladies, pays for 1",
        ("R9", "after-peek"): "$1 to $100, after peek",
        ("R9", "before-peek"): "$1 to $100, after the deal and before the peek",
        ("R30", "each-its-own"): "for any amount up to each wager;",
        ("R30", "same-proportion"): "for any amount up to each wager, in the same proportion on each;",
    }
    for (other_number, other), sentence in says.items():
        if other_number == number:
            assert (sentence in text) == (other == option), sentence


def test_a_rule_of_the_main_game_is_chosen_by_its_reading_alone() -> None:
    """The rules card prints both, so a setting may not contradict a reading, nor answer another filing's question."""
    refused = complaints(CATALOG.layout("lucky-ladies").model_copy(update={"readings": {"R1": "stand"}}))
    assert refused == {"readings.R1": "R1 is not a question of filing 003"}
    game = CATALOG.game("003").model_copy(update={"readings": {**CATALOG.game("003").readings, "R1": "plain"}})
    catalog = type(CATALOG)(CATALOG.folder)
    catalog.__dict__["games"] = {**CATALOG.games, game.slug: game}
    settings = CATALOG.layout("lucky-ladies").rules.model_copy(update={"soft17": "stand"})
    layout = CATALOG.layout("lucky-ladies").model_copy(update={"rules": settings})
    assert dict(layout_complaints(catalog, layout)) == {
        "rules.soft17": "this contradicts the reading R1 = 'plain': choose that in readings"
    }


def test_the_six_tables_of_appendix_d_take_eight_decks_where_the_operator_reads_it_so() -> None:
    """R12."""
    usual = CATALOG.layout("lucky-ladies")
    wagers = tuple(
        offered.model_copy(update={"paytable": "PT-BJS-LL-28"}) if offered.paytable == "PT-BJS-LL-34" else offered
        for offered in usual.wager
    )
    layout = usual.model_copy(update={"wager": wagers})
    assert complaints(layout) == {"wager Lucky Ladies Jackpot": "PT-BJS-LL-28 is for 2 decks, not 6"}
    read_otherwise = layout.model_copy(update={"readings": {"R12": "all-six"}})
    assert complaints(read_otherwise) == {}
    table = derive(open_table(CATALOG, read_otherwise)).wagers["Lucky Ladies Jackpot"].paytable
    assert table is not None
    assert table.decks == tuple(range(2, 9))


def test_seat_order_is_refused_where_the_law_pays_every_winner_in_full() -> None:
    """R14: a Bonus jackpot in Washington; the book would refuse to open it."""
    bonus = CATALOG.layout("lucky-ladies").model_copy(update={"readings": {"R14": "seat-order"}})
    assert complaints(bonus) == {
        "readings.R14": "in Washington each winner of a Bonus jackpot is paid in full: seat-order is for progressives"
    }


def test_five_decks_stand_in_both_groups() -> None:
    """R28."""
    groups = {table.decks for table in CATALOG.paytables.values() if "R28" in table.readings}
    assert len(groups) == 2
    assert all(5 in decks for decks in groups)


def test_bust_bonus_is_played_with_the_decks_of_the_game() -> None:
    """R29."""
    assert CATALOG.paytable("PT-FLT-BB-01").decks == CATALOG.game("003").decks == tuple(range(1, 9))


def test_the_rows_name_tests_that_exist() -> None:
    for row in ROWS.values():
        for node in row.nodes:
            file, _, name = node.partition("::")
            assert f"def {name.partition('[')[0]}(" in Path(ROOT / file).read_text(encoding="utf-8"), node
