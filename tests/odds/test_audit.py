"""The audit finds by itself which printed figures are wrong; this file does not tell it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from upcard.catalog import shipped
from upcard.odds.audit import audit, parse_printed


def test_every_published_figure_is_recomputed() -> None:
    tables = shipped().paytables.values()
    findings = list(audit(shipped(), tables))
    assert len(findings) == sum(len(table.published) for table in tables) == 13 + 25 + 8
    for figure in findings:
        printed = parse_printed(figure.published)
        assert figure.agrees == (abs(figure.exact - printed.value) <= Fraction(1, 2 * 10**printed.places))


def test_all_of_000_agrees_with_its_finer_rows() -> None:
    """Face cards of diamonds are a row of their own in the published table, though not in the pays."""
    findings = [figure for figure in audit(shipped(), shipped().paytables.values()) if figure.filing == "000"]
    assert len(findings) == 13
    assert all(figure.agrees for figure in findings)


def test_a_wrong_figure_is_contradicted_by_a_table_that_pays_no_less() -> None:
    mistakes = [figure for figure in audit(shipped(), shipped().paytables.values()) if "wrong" in figure.note]
    assert mistakes
    assert all("pays no less on any line" in figure.note for figure in mistakes)


@pytest.mark.parametrize(
    ("printed", "agrees", "note"),
    [
        ("5.53%", True, "agrees to the printed digit"),
        ("5.531%", True, "agrees to the printed digit"),  # the exact value is 5.53084...
        ("5.5308%", True, "agrees to the printed digit"),
        ("5.52%", False, "agrees to 1 decimal only"),
        ("5.530%", False, "truncated, not rounded"),
        ("5.5319%", False, "agrees to 2 decimals only"),
        ("9.99%", False, "wrong: it should read 5.53"),
    ],
)
def test_how_a_figure_disagrees_is_said(printed: str, agrees: bool, note: str) -> None:
    table = shipped().paytable("DA4/1")
    misprinted = replace(table, published=(table.published[0].model_copy(update={"printed": printed}),))
    (finding,) = audit(shipped(), [misprinted])
    assert (finding.agrees, finding.note) == (agrees, note)


def test_a_figure_of_another_number_of_decks_is_recognised() -> None:
    table = shipped().paytable("DA4/1")  # whose pays give 3.12% with six decks
    misprinted = replace(table, published=(table.published[0].model_copy(update={"printed": "3.12%"}),))
    (finding,) = audit(shipped(), [misprinted])
    assert finding.note == "wrong: it should read 5.53; the pays give the printed figure with 6 decks"
