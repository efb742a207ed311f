"""A round that is settled in several records: the same money and the same wins as in one, and a void keeps the past."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger.book_driver import BookDriver, check_refusal, misdeal
from ledger.book_requests import answer_of
from ledger.conftest import NewBook
from ledger.random_book import PLANS, PLAYERS, RandomBook
from support.empty_books import writing

from upcard.ledger import requests as r
from upcard.ledger.accounts import Account
from upcard.ledger.book import Clerk
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.report import report
from upcard.ledger.transfers import Balance
from upcard.ledger.unit import Unit

QUICK = settings.get_current_profile_name() == "quick"
BROOK, GALAXY = "the-brook", "Galaxy Bonus Jackpot"
TOP = {"meter": "Bonus Jackpot", "share": "1", "event": "suited-three-aces"}

Slips = tuple[r.SlipLine, ...]
Ending = tuple[dict[Account, Balance], object, object]


def dealt(driver: BookDriver, plan: str) -> Slips:
    """A round in which everybody has a main wager and a jackpot's wager, dealt; and how it ends, by the dice."""
    random_book = RandomBook(driver, plan, random.Random(7))
    for spot, player in enumerate(PLAYERS, 1):
        for wager, amount in (
            (random_book.main, 300),
            (random_book.main, 200),
            (random_book.wager, random_book.amounts[0]),
        ):
            random_book.stake("T1", 1, spot, player, wager, amount)
    driver.do(r.LockRound(table="T1", round=1))
    return random_book.slips("T1")


def settle(new_book: NewBook, plan: str, parts: dict[tuple[int, str], int]) -> Ending:
    """Settles each wager of that round in the part that is named for it; the slips of each part in their order."""
    book = new_book()
    with book.store.engine.connect() as connection, connection.begin() as transaction:
        driver = BookDriver(book, clerk=Clerk(writing(connection), book.catalog))
        slips = dealt(driver, plan)
        for part in range(3):
            named = tuple(slip for slip in slips if parts.get((slip.spot, slip.wager), 2) == part)
            if named or part == 2:
                driver.do(r.SettleRound(table="T1", round=1, slips=named, final=part == 2), id=f"part{part}")
        found = driver.check()
        assert found.sound, found.findings[0]
        ending = Unit(connection).balances(), driver.state("J"), driver.state_of_table("T1")
        transaction.rollback()
    book.store.close()
    return ending


@pytest.mark.parametrize("plan", PLANS)
def test_parts_and_the_rest_give_the_same_balances_and_wins_as_one_settlement(new_book: NewBook, plan: str) -> None:
    """Claims of one jackpot are settled in one part, as they are at a table: then their order is the same too."""
    main, side = PLANS[plan][2], PLANS[plan][1]
    wagers = [(spot, main) for spot in range(1, len(PLAYERS) + 1)]
    once = settle(new_book, plan, {})
    assert getattr(once[1], "wins", None), "the dice must let somebody win"

    @given(st.fixed_dictionaries({wager: st.integers(0, 2) for wager in wagers}), st.integers(0, 2))
    @settings(max_examples=3 if QUICK else 20)
    def in_parts(mains: dict[tuple[int, str], int], sides: int) -> None:
        jackpot = {(spot, side): sides for spot, _ in wagers}
        assert settle(new_book, plan, {**mains, **jackpot}) == once

    in_parts()


def brook(driver: BookDriver) -> tuple[Slips, Slips]:
    """Ann and Bob play the main game and the jackpot; Ann's cards have won it: the slips of both wagers."""
    driver.jackpot("BJ", BROOK, GALAXY)
    driver.table("T1", BROOK, BJ=GALAXY)
    main, side = [], []
    for spot, player in enumerate(("Ann", "Bob"), 1):
        driver.do(r.BuyIn(table="T1", player=player, amount=10_000))
        for wager, amount in (("Ante", 1000), ("Ante", 500), (GALAXY, 500)):
            stake = r.PlaceStake(table="T1", round=1, spot=spot, player=player, wager=wager, amount=amount)
            driver.do(stake)
        main.append(r.SlipLine(spot=spot, player=player, wager="Ante", stake=1500, paid=1500, returned=1500))
        claim = r.ClaimLine.model_validate(TOP) if player == "Ann" else None
        side.append(r.SlipLine(spot=spot, player=player, wager=GALAXY, stake=500, claim=claim))
    driver.do(r.LockRound(table="T1", round=1))
    return tuple(main), tuple(side)


def part(slips: Slips) -> r.SettleRound:
    return r.SettleRound(table="T1", round=1, slips=slips, final=False)


def refused(driver: BookDriver, request: r.SettleRound, reason: BookRefusal) -> None:
    with pytest.raises(BookRefused) as no:
        driver.do(request)
    assert no.value.reason is reason
    check_refusal(no.value)


def test_a_partial_settlement_pays_at_once_and_claims_the_jackpot_at_the_end(driver: BookDriver) -> None:
    main, side = brook(driver)
    assert driver.do(part(side)).answers.keys() == {"table:T1"}
    on_felt = driver.state_of_table("T1").open
    assert on_felt is not None
    assert on_felt.locked
    assert {one.wager for one in on_felt.stakes.values()} == {"Ante"}
    assert (driver.own("player:Ann"), driver.own("win:T1")) == (9_500, 1_000)
    assert not driver.state("BJ").wins
    ended = driver.do(r.SettleRound(table="T1", round=1, slips=main))
    assert ended.answers.keys() == {"table:T1", "jackpot:BJ"}
    assert list(driver.state("BJ").wins) == ["T1/1"]
    assert driver.state_of_table("T1").open is None
    assert driver.check().sound


def test_a_part_settles_whole_wagers_that_are_on_the_felt_and_are_not_settled_yet(driver: BookDriver) -> None:
    main, side = brook(driver)
    refused(driver, part((main[0].model_copy(update={"stake": 1000, "returned": 0}),)), BookRefusal.SLIPS_DIFFER)
    refused(driver, part((main[0].model_copy(update={"spot": 3}),)), BookRefusal.SLIPS_DIFFER)
    refused(driver, part((main[0].model_copy(update={"player": "Bob"}),)), BookRefusal.SLIPS_DIFFER)
    driver.do(part(side[:1]))
    refused(driver, part(side), BookRefusal.SLIPS_DIFFER)
    refused(driver, r.SettleRound(table="T1", round=1, slips=main), BookRefusal.SLIPS_DIFFER)  # Bob's jackpot wager
    driver.do(r.SettleRound(table="T1", round=1, slips=(*main, side[1])))
    assert driver.check().sound


def test_a_wrong_claim_is_refused_in_its_part_and_not_when_the_round_must_end(driver: BookDriver) -> None:
    main, side = brook(driver)
    half = r.ClaimLine.model_validate({**TOP, "share": "1/2"})
    refused(driver, part((side[0].model_copy(update={"claim": half}),)), BookRefusal.CLAIM_WITHOUT_WAGER)
    refused(driver, part((main[0].model_copy(update={"claim": side[0].claim}),)), BookRefusal.CLAIM_WITHOUT_WAGER)
    split = side[0].model_copy(update={"stake": 250})
    refused(driver, part((split, split.model_copy(update={"claim": None}))), BookRefusal.CLAIM_WITHOUT_WAGER)


def test_a_void_after_a_part_returns_what_is_on_the_felt_and_leaves_the_rest_settled(driver: BookDriver) -> None:
    """Ann's jackpot wager was settled with her claim: it stands, and counts as wagered; Bob's goes back."""
    _, side = brook(driver)
    driver.do(part(side[:1]))
    assert answer_of(driver.do(misdeal("T1", 1)), "table:T1") == {"returned": 3_500}
    assert (driver.own("player:Ann"), driver.own("player:Bob"), driver.own("win:T1")) == (9_500, 10_000, 500)
    assert driver.own("stakes:T1") == 0
    state = driver.state("BJ")
    assert (list(state.wins), state.wagers) == (["T1/1"], 1)
    assert driver.clerk is not None
    (day,) = report(driver.clerk.unit, driver.at.date()).jackpots
    assert day.wagered == 500
    assert driver.check().sound


def test_a_round_in_parts_is_one_round_of_the_day(driver: BookDriver) -> None:
    main, side = brook(driver)
    driver.do(part(side))
    assert driver.clerk is not None
    assert report(driver.clerk.unit, driver.at.date()).tables[0].rounds == 0
    driver.do(r.SettleRound(table="T1", round=1, slips=main))
    assert report(driver.clerk.unit, driver.at.date()).tables[0].rounds == 1
