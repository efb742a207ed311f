"""All plans: second persons, linked tables, stakes, claims and suspension."""

from datetime import date
from fractions import Fraction

import pytest
from ledger.book_driver import MORNING, BookDriver, check_refusal
from ledger.jackpot_setups import GALAXY, LADIES, PART, TODAY, TOP, open_daily_jackpot, open_ladies_jackpot, refused

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger import requests as r
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.jackpot_state import add_linked_table
from upcard.ledger.jackpots.terms import law_on, terms_of
from upcard.ledger.opening_requests import table_opening
from upcard.ledger.outcome import Moment
from upcard.ledger.refusals import BookRefusal, BookRefused


def test_a_win_is_verified_by_a_second_person_from_the_threshold_on(driver: BookDriver) -> None:
    open_ladies_jackpot(driver, "lucky-ladies")
    driver.do(j.Post(jackpot="LL", values={LADIES: 199_600}))
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    driver.do(j.PayWin(jackpot="LL", win="T1/1"))  # $499
    driver.do(j.Post(jackpot="LL", values={LADIES: 200_000}))
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    refused(driver, j.PayWin(jackpot="LL", win="T1/2"), BookRefusal.SECOND_PERSON)
    refused(driver, j.Verify(jackpot="LL", win="T1/2"), BookRefusal.SAME_PERSON)  # Dana locked it
    driver.do(j.Verify(jackpot="LL", win="T1/2"), actor="Vera")
    refused(driver, j.PayWin(jackpot="LL", win="T1/2"), BookRefusal.SAME_PERSON, actor="Vera")
    driver.do(j.PayWin(jackpot="LL", win="T1/2"))
    assert driver.own("player:Ann") == 49_900 + 50_000


def test_where_no_law_names_an_amount_every_win_is_verified() -> None:
    laws = terms_of(shipped(), shipped().layout("the-brook"), GALAXY).laws
    assert law_on(laws, TODAY).second_person_from is None
    washington = terms_of(shipped(), shipped().layout("lucky-ladies"), LADIES).laws
    assert law_on(washington, TODAY).second_person_from == 50_000
    assert law_on(washington, date(1999, 1, 1)).second_person_from is None  # before the first text, the strictest


@pytest.mark.parametrize(
    ("plan", "other", "wager", "why"),
    [
        ("lucky-ladies-progressive", "lucky-ladies", LADIES, "a bonus jackpot is never linked with a progressive one"),
        ("lucky-ladies-progressive", "lucky-ladies-progressive", "21+3 Jackpot", "different hands win it there"),
    ],
)
def test_tables_are_linked_only_when_the_same_hands_win_with_the_same_chances(
    driver: BookDriver, plan: str, other: str, wager: str, why: str
) -> None:
    driver.jackpot("LL", plan, LADIES)
    driver.table("T1", other)
    with pytest.raises(BookRefused, match=why) as caught:
        driver.do(r.LinkTable(table="T1", wager=wager, jackpot="LL"))
    check_refusal(caught.value)


def test_chances_and_terms_that_differ_from_the_catalogs_are_refused(driver: BookDriver) -> None:
    """WAC 230-15-685: the chance is computed from the catalog, not trusted."""
    driver.jackpot("LL", "lucky-ladies-progressive", LADIES)
    right = table_opening(ruleset_of(shipped(), "lucky-ladies-progressive"), "T1")
    line = right.triggers[LADIES].lines[0]
    wrong = right.triggers[LADIES].model_copy(
        update={
            "lines": (line.model_copy(update={"probability": line.probability * 2}), *right.triggers[LADIES].lines[1:])
        }
    )
    refused(driver, right.model_copy(update={"triggers": {LADIES: wrong}}), BookRefusal.TERMS_DIFFER)
    driver.do(right)
    with pytest.raises(BookRefused, match="the chance of") as caught:
        add_table_with(driver, wrong)
    check_refusal(caught.value)


def test_a_suspended_jackpot_takes_no_wager_until_it_is_resumed(driver: BookDriver) -> None:
    open_daily_jackpot(driver)
    driver.do(j.Suspend(jackpot="BJ", why="the display is dark"))
    bet = r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager=GALAXY, amount=500)
    refused(driver, bet, BookRefusal.SUSPENDED)
    driver.do(j.Resume(jackpot="BJ"))
    refused(driver, j.Resume(jackpot="BJ"), BookRefusal.NOT_SUSPENDED)
    refused(driver, bet, BookRefusal.PLAYER_NOT_ENOUGH)


def test_a_claim_needs_a_wager_and_a_line_of_its_paytable(driver: BookDriver) -> None:
    open_daily_jackpot(driver)
    number = driver.deal("T1", {"Ann": 500}, GALAXY)
    for claim in (("Bonus Jackpot", "1/2", "suited-three-aces"), ("Bonus Jackpot", "1", "straight"), ("X", "1", "y")):
        with pytest.raises(BookRefused) as caught:
            driver.settle("T1", number, {"Ann": 500}, GALAXY, {"Ann": claim})
        assert caught.value.reason is BookRefusal.CLAIM_WITHOUT_WAGER


@pytest.mark.parametrize(
    ("layout", "wager", "right", "wrong"),
    [("the-brook", GALAXY, 500, 1000), ("lucky-ladies-jackpot", "Lucky Ladies", 1000, 700)],
)
def test_a_jackpot_wager_takes_one_stake_per_spot_of_an_allowed_amount(
    driver: BookDriver, layout: str, wager: str, right: int, wrong: int
) -> None:
    driver.jackpot("J", layout, wager)
    driver.table("T1", layout, J=wager)
    driver.do(r.BuyIn(table="T1", player="Ann", amount=5000))
    bet = r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager=wager, amount=right)
    refused(driver, bet.model_copy(update={"amount": wrong}), BookRefusal.NOT_THE_STAKE)
    driver.do(bet, id="first")
    refused(driver, bet, BookRefusal.STAKED_ALREADY)
    driver.do(bet.model_copy(update={"spot": 2}))
    driver.do(r.ClearStake(table="T1", stake="first"))
    driver.do(bet)


def test_a_jackpot_stake_is_claimed_once(driver: BookDriver) -> None:
    """Two claims of one stake would divide, or double, what one hand won."""
    open_daily_jackpot(driver)
    moment = Moment(command="a", part=0, at=MORNING, day=TODAY, actor="Dana")
    begin = j.BeginHand(jackpot="BJ", table="T1", round=1, stakes=(j.JackpotStake(spot=1, player="Ann", stake=500),))
    dealt = apply(driver.state("BJ"), begin, moment, lambda _: None).state
    claim = j.JackpotClaim(spot=1, player="Ann", stake=500, meter=TOP[0], share=Fraction(1), event=TOP[2])
    end = j.EndHand(jackpot="BJ", table="T1", round=1, claims=(claim,))
    assert apply(dealt, end, moment, lambda _: None).state.wins
    with pytest.raises(BookRefused) as caught:
        apply(dealt, end.model_copy(update={"claims": (claim, claim)}), moment, lambda _: None)
    assert caught.value.reason is BookRefusal.CLAIM_WITHOUT_WAGER


def test_every_layout_with_jackpots_can_be_opened_and_linked(driver: BookDriver) -> None:
    catalog: Catalog = shipped()
    for number, layout in enumerate(layout for layout in catalog.layouts.values() if layout.jackpot):
        links = {f"J{number}-{place}": settings.wager for place, settings in enumerate(layout.jackpot)}
        for jackpot, wager in links.items():
            driver.jackpot(jackpot, layout.slug, wager)
        driver.table(f"T{number}", layout.slug, **links)
    assert driver.check().sound


def add_table_with(driver: BookDriver, trigger: r.Trigger) -> None:
    add_linked_table(driver.state("LL"), j.AddLinkedTable(jackpot="LL", table="T9", trigger=trigger))
