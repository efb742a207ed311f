"""003: promotions on bonus wagers: which a layout may have, and where players read of them."""

from datetime import date

import pytest

from upcard.catalog import shipped
from upcard.catalog.layout import Layout, Promotion
from upcard.catalog.layout_checks import layout_complaints
from upcard.pit import open_table
from upcard.pit.rulescard import rules_card
from upcard.pit.terms import derive

CATALOG = shipped()
JANUARY = (date(2026, 1, 1), date(2026, 1, 31))


def promotion(event: str, dates: tuple[date, date] = JANUARY, wager: str = "Lucky Ladies") -> Promotion:
    since, until = dates
    award = {"wager": wager, "event": event, "award": "$25", "consent": "letter of 2 January 2026"}
    return Promotion.model_validate({**award, "since": since, "until": until})


def layout_with(*promotions: Promotion) -> Layout:
    return CATALOG.layout("lucky-ladies").model_copy(update={"promotion": promotions})


def complaints(*promotions: Promotion) -> list[tuple[str, str]]:
    return list(layout_complaints(CATALOG, layout_with(*promotions)))


def test_a_promotion_on_an_event_that_the_paytable_does_not_list_is_refused() -> None:
    """A hand counts as the highest event that its table lists, so another event never wins."""
    kind = CATALOG.paytable("PT-FLT-LL-03").kind
    unlisted = next(event for event in kind.events if event not in CATALOG.paytable("PT-FLT-LL-03").lines)
    ((place, sentence),) = complaints(promotion(unlisted))
    assert place == "promotion Lucky Ladies"
    assert sentence.startswith(f"there is no line in PT-FLT-LL-03 {unlisted!r}; ")
    ((_, misspelled),) = complaints(promotion("suited-2o"))
    assert misspelled == "there is no line in PT-FLT-LL-03 'suited-2o'; did you mean suited-20?"
    assert complaints(promotion("suited-20")) == []


@pytest.mark.parametrize(
    ("second", "overlap"),
    [
        ((date(2026, 1, 31), date(2026, 2, 28)), "from 2026-01-31 to 2026-01-31"),
        ((date(2025, 12, 1), date(2026, 1, 10)), "from 2026-01-01 to 2026-01-10"),
        ((date(2026, 2, 1), date(2026, 2, 28)), None),
    ],
)
def test_two_promotions_on_one_event_do_not_overlap(second: tuple[date, date], overlap: str | None) -> None:
    """Only one of them would be paid: the operator writes one with both awards."""
    found = complaints(promotion("suited-20"), promotion("suited-20", second))
    if overlap is None:
        assert found == []
        return
    sentence = f"two promotions on suited-20 overlap {overlap}: write one with both awards"
    assert found == [("promotion Lucky Ladies", sentence)]
    assert complaints(promotion("suited-20"), promotion("any-20", second)) == []


def test_the_rules_card_lists_promotions_with_dates_and_award() -> None:
    usual = open_table(CATALOG, CATALOG.layout("lucky-ladies"))
    table = open_table(CATALOG, layout_with(promotion("suited-20"), promotion("matched-20", (JANUARY[1], JANUARY[1]))))
    sections = {section.heading: section.lines for section in rules_card(table, derive(table))}
    assert sections["Promotions"][0] == (
        "Lucky Ladies, Suited 20, from 2026-01-01 to 2026-01-31",
        "$25 more, from the house",
    )
    assert len(sections["Promotions"]) == 2
    assert "Promotions" not in {section.heading for section in rules_card(usual, derive(usual))}
