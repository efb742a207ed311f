"""Every line of every shipped paytable is dealt and paid as the filing prints it, and a changed pay is noticed.

`support.filing_evaluator` works a round out from the raw cards and the commands. `test_random_rounds` compares random
rounds with it; here the cards are stacked.
"""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.filing_comparison import compare_with_the_filing
from support.filing_evaluator import tables
from support.filing_evaluator.commands import Disagreement
from support.filing_evaluator.paytables import Share as FilingShare
from support.filing_evaluator.tables import TABLES
from support.random_play import RoundRecord
from support.stacked_play import StackedPlayer

from upcard.catalog import shipped
from upcard.catalog.pays import Fixed, Pay, Share

TURNS = {"double-action-with-21-3": 4}  # more wagers than a player may make at once
Win = tuple[str, str, int]  # wager, line, percent of a jackpot
# R21: two decks hold no three cards of one kind and suit.
UNREACHABLE: dict[str, set[Win]] = {
    "lucky-ladies-jackpot-two-decks": {
        ("Lucky Ladies", "Three Queens of Hearts", 50),
        ("Lucky Ladies", "Three Queens of Hearts", 100),
        ("Lucky Ladies", "Three Queens Same Suit (other than hearts)", 50),
        ("Lucky Ladies", "Three Queens Same Suit (other than hearts)", 100),
        ("Match the Dealer", "2 Suited Match", 0),
    }
}


def printed_wins(layout: str) -> set[Win]:
    """Every win that the filing prints for a table's wagers."""
    wins = set()
    for side in TABLES[layout].sides:
        for line in side.paytable.lines:
            percents = line.pay.by_stake.values() if isinstance(line.pay, FilingShare) else (0,)
            wins |= {(side.name, line.name, percent) for percent in percents}
    return wins


def test_the_evaluator_imports_nothing_of_the_program() -> None:
    files = sorted(Path(tables.__file__).parent.glob("*.py"))
    imports = [line for file in files for line in file.read_text().splitlines() if "import " in line]
    assert len(files) > 5
    assert not [line for line in imports if "upcard" in line or ("support" in line and "filing_evaluator" not in line)]


def test_the_evaluator_knows_every_shipped_table() -> None:
    shipped_wagers = {slug: {offered.name for offered in layout.wager} for slug, layout in shipped().layouts.items()}
    known = {slug: {table.main, *table.bigger, *(side.name for side in table.sides)} for slug, table in TABLES.items()}
    assert known == shipped_wagers


@pytest.mark.parametrize("layout", TABLES)
def test_every_line_is_paid_as_printed_and_a_changed_pay_is_noticed(layout: str) -> None:
    winners: dict[Win, RoundRecord] = {}
    for record in StackedPlayer(layout).rounds(TURNS.get(layout, 2)):
        outcome = compare_with_the_filing(record)
        for payment in outcome.payments:
            if payment.hand is None and payment.line and not payment.wager.startswith("insurance"):
                winners.setdefault((payment.wager, payment.line, payment.percent), record)
    assert set(winners) == printed_wins(layout) - UNREACHABLE.get(layout, set())
    for (wager, line, _), record in winners.items():
        with pytest.raises(Disagreement, match="payment of"):
            compare_with_the_filing(with_changed_pay(record, wager, line))


def with_changed_pay(record: RoundRecord, wager: str, line: str) -> RoundRecord:
    """The same round, but one line of the paytable pays half a unit less, or half of its share."""
    terms = record.terms.wagers[wager]
    table = terms.paytable
    assert table is not None
    (event,) = (event for event in table.lines if table.titles[event] == line)
    changed = replace(table, lines={**table.lines, event: other_pay(table.lines[event])})
    wagers = {**record.terms.wagers, wager: replace(terms, paytable=changed)}
    return replace(record, terms=replace(record.terms, wagers=wagers))


def other_pay(pay: Pay) -> Pay:
    if isinstance(pay, Share):
        return Share(pay.jackpot, tuple((stake, share / 2) for stake, share in pay.by_stake))
    return Fixed(pay.units - Fraction(1, 2))
