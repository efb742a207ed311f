"""A round settled as its wagers are decided: the same money and wins as at once; a void takes all of it back."""

import random
from itertools import count

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
from upcard.ledger.jackpots import requests as j
from upcard.ledger.outcome import transfer_id
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.report import report
from upcard.ledger.table_state import OpenRound
from upcard.ledger.transfers import Balance, Reason, Transfer
from upcard.ledger.unit import Unit

QUICK = settings.get_current_profile_name() == "quick"
BROOK, GALAXY = "the-brook", "Galaxy Bonus Jackpot"
REVERSIBLE = (Reason.TAKEN, Reason.PAID, Reason.PROMOTION)
TOP = {"meter": "Bonus Jackpot", "share": "1", "event": "suited-three-aces"}

Slips = tuple[r.SlipLine, ...]
Ending = tuple[dict[Account, Balance], object, object]


def dealt(driver: BookDriver, plan: str) -> Slips:  # each slip names its stake
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
    return random_book.slips("T1", name_stakes=True)


def settle(new_book: NewBook, plan: str, parts: dict[tuple[int, str], int]) -> Ending:
    """Settles each wager of that round in the part that is named for it; the slips of each part in their order."""
    book = new_book()
    with book.store.engine.connect() as connection, connection.begin() as transaction:
        driver = BookDriver(book, clerk=Clerk(writing(connection), book.catalog))
        slips = dealt(driver, plan)
        for part in range(3):
            named = tuple(slip for slip in slips if parts.get((slip.spot, slip.wager), 2) == part)
            if named or part == 2:
                slips_of_part = named if part < 2 else tuple(slip.model_copy(update={"stakes": ()}) for slip in named)
                driver.do(r.SettleRound(table="T1", round=1, slips=slips_of_part, final=part == 2), id=f"part{part}")
        found = driver.check()
        assert found.sound, found.findings[0]
        balances = {name: balance for name, balance in Unit(connection).balances().items() if any(balance)}
        jackpot = driver.state("J").model_copy(update={"promises": {}})  # they name the part
        ending = balances, jackpot, driver.state_of_table("T1")
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
        names = []
        for wager, amount in (("Ante", 1000), ("Ante", 500), (GALAXY, 500)):
            names.append(stake(driver, spot, player, wager, amount))
        won = {"paid": 1500, "returned": 1500, "hand": 0}
        ante = r.SlipLine(spot=spot, player=player, wager="Ante", stake=1500, stakes=tuple(names[:2]), **won)
        main.append(ante)
        claim = r.ClaimLine.model_validate(TOP) if player == "Ann" else None
        side.append(r.SlipLine(spot=spot, player=player, wager=GALAXY, stake=500, claim=claim, stakes=(names[2],)))
    driver.do(r.LockRound(table="T1", round=1))
    return tuple(main), tuple(side)


def stake(driver: BookDriver, spot: int, player: str, wager: str, amount: int, table: str = "T1") -> str:
    """Puts a stake on the felt; returns its id."""
    request = r.PlaceStake(table=table, round=1, spot=spot, player=player, wager=wager, amount=amount)
    return driver.do(request).command


def part(slips: Slips) -> r.SettleRound:
    return r.SettleRound(table="T1", round=1, slips=slips, final=False)


def rest(slips: Slips) -> r.SettleRound:
    unnamed = tuple(slip.model_copy(update={"stakes": ()}) for slip in slips)
    return r.SettleRound(table="T1", round=1, slips=unnamed)


def refused(driver: BookDriver, request: Record, reason: BookRefusal) -> BookRefused:
    with pytest.raises(BookRefused) as no:
        driver.do(request)
    assert no.value.reason is reason
    check_refusal(no.value)
    return no.value


def on_felt(driver: BookDriver) -> OpenRound:
    running = driver.state_of_table("T1").open
    assert running is not None
    return running


def test_a_part_pays_and_claims_the_jackpot_at_once(driver: BookDriver) -> None:
    main, side = brook(driver)
    assert driver.do(part(side)).answers.keys() == {"table:T1", "jackpot:BJ"}
    assert on_felt(driver).locked
    assert {stake.wager for stake in on_felt(driver).stakes.values()} == {"Ante"}
    assert (driver.own("player:Ann"), driver.own("win:T1")) == (9_500, 1_000)
    assert list(driver.state("BJ").wins) == ["T1/1"]
    driver.do(rest(main))
    assert list(driver.state("BJ").wins) == ["T1/1"]
    assert driver.state_of_table("T1").open is None
    assert driver.check().sound


def test_a_jackpot_gets_the_claims_of_a_hand_together_when_the_last_of_its_wagers_is_decided(
    driver: BookDriver,
) -> None:
    main, side = brook(driver)
    bob_too = side[1].model_copy(update={"claim": side[0].claim})
    assert driver.do(part((side[0],))).answers.keys() == {"table:T1"}
    driver.do(part((bob_too,)))
    (win,) = driver.state("BJ").wins.values()
    assert [award.amount for award in win.awards] == [62_500, 62_500]
    driver.do(rest(main))
    assert driver.check().sound


def test_a_win_is_paid_only_after_its_round(driver: BookDriver) -> None:
    main, side = brook(driver)
    driver.do(part(side))
    driver.do(j.Verify(jackpot="BJ", win="T1/1"), actor="Flo")
    refused(driver, j.PayWin(jackpot="BJ", win="T1/1"), BookRefusal.ROUND_NOT_SETTLED)
    driver.do(rest(main))
    driver.do(j.PayWin(jackpot="BJ", win="T1/1"))
    assert driver.check().sound


def test_a_part_settles_the_stakes_it_names_which_are_on_the_felt(driver: BookDriver) -> None:
    main, side = brook(driver)
    refused(driver, part((main[0].model_copy(update={"stake": 1000, "returned": 0}),)), BookRefusal.SLIPS_DIFFER)
    refused(driver, part((main[0].model_copy(update={"spot": 3}),)), BookRefusal.SLIPS_DIFFER)
    refused(driver, part((main[0].model_copy(update={"player": "Bob"}),)), BookRefusal.SLIPS_DIFFER)
    refused(driver, part((main[0].model_copy(update={"stakes": ()}),)), BookRefusal.SLIPS_DIFFER)
    driver.do(part(side[:1]))
    refused(driver, part(side), BookRefusal.NOT_PENDING)
    refused(driver, rest(main), BookRefusal.SLIPS_DIFFER)  # Bob's jackpot wager
    driver.do(rest((*main, side[1])))
    assert driver.check().sound


def test_one_of_two_split_hands_is_settled_while_the_other_is_played(driver: BookDriver) -> None:
    main, side = brook(driver)
    first, second = main[0].stakes
    bust = r.SlipLine(spot=1, player="Ann", wager="Ante", hand=0, stake=1000, stakes=(first,))
    driver.do(part((bust,)))
    assert second in on_felt(driver).stakes
    other = r.SlipLine(spot=1, player="Ann", wager="Ante", hand=1, stake=500, paid=500, returned=500)
    driver.do(rest((other, main[1], *side)))
    assert driver.own("player:Ann") == 10_000 - 1000 + 500 - 500
    assert driver.check().sound


def test_a_wrong_claim_is_refused_in_its_part_and_not_when_the_round_must_end(driver: BookDriver) -> None:
    main, side = brook(driver)
    half = r.ClaimLine.model_validate({**TOP, "share": "1/2"})
    refused(driver, part((side[0].model_copy(update={"claim": half}),)), BookRefusal.CLAIM_WITHOUT_WAGER)
    refused(driver, part((main[0].model_copy(update={"claim": side[0].claim}),)), BookRefusal.CLAIM_WITHOUT_WAGER)


def test_a_void_takes_back_what_was_paid_and_returns_what_was_taken(driver: BookDriver) -> None:
    """Ann was paid for her hand, Bob lost his jackpot wager, and Ann's claim was locked: as if nothing had happened."""
    main, side = brook(driver)
    driver.do(part((main[0], *side)), id="early")
    assert answer_of(driver.do(misdeal("T1", 1), id="void"), "table:T1") == {"returned": 4_000}
    assert [driver.own(name) for name in ("player:Ann", "player:Bob", "win:T1", "stakes:T1")] == [10_000, 10_000, 0, 0]
    state = driver.state("BJ")
    assert (dict(state.wins), state.wagers, state.values()) == ({}, 0, {"Bonus Jackpot": 125_000})
    assert driver.clerk is not None
    (day,) = report(driver.clerk.unit, driver.at.date()).jackpots
    assert (day.wagered, day.won) == (0, 0)
    corrected = {transfer.corrects for transfer in transfers(driver, "void") if transfer.corrects}
    assert corrected == {transfer.id for transfer in transfers(driver, "early") if transfer.reason in REVERSIBLE}
    assert driver.check().sound


def test_winnings_of_a_running_round_are_staked_in_it_and_taken_away_after_it(driver: BookDriver) -> None:
    main, side = brook(driver)
    driver.do(r.CashOut(table="T1", player="Ann", amount=8_000))  # nothing is left but what is on the felt
    driver.do(part(main[:1]))  # Ann's hand wins at once, and her stake comes back: she has 3,000
    no = refused(driver, r.CashOut(table="T1", player="Ann", amount=1_600), BookRefusal.WINNINGS_HELD)
    assert "$15" in str(no)
    refused(driver, r.Tip(table="T1", player="Ann", amount=1_600), BookRefusal.WINNINGS_HELD)
    driver.do(r.CashOut(table="T1", player="Ann", amount=1_000))
    stake(driver, 1, "Ann", "Lucky Ladies", 1_200)  # winnings first
    driver.do(r.Tip(table="T1", player="Ann", amount=500))
    refused(driver, r.Tip(table="T1", player="Ann", amount=1), BookRefusal.WINNINGS_HELD)
    refused(driver, r.CashOut(table="T1", player="Ann", amount=301), BookRefusal.PLAYER_NOT_ENOUGH)
    lost = r.SlipLine(spot=1, player="Ann", wager="Lucky Ladies", stake=1_200)
    driver.do(rest((main[1], lost, *side)))
    driver.do(r.CashOut(table="T1", player="Ann", amount=300))
    assert driver.own("player:Ann") == 0
    assert driver.check().sound


def test_winnings_of_a_running_round_are_not_staked_at_another_table(driver: BookDriver) -> None:
    main, _ = brook(driver)
    driver.table("T2", BROOK)
    driver.do(r.CashOut(table="T2", player="Ann", amount=8_000))
    driver.do(part(main[:1]))
    request = r.PlaceStake(table="T2", round=1, spot=1, player="Ann", wager="Ante", amount=1_600)
    refused(driver, request, BookRefusal.WINNINGS_HELD)
    driver.do(request.model_copy(update={"amount": 1_500}))
    driver.do(misdeal("T1", 1))  # it can take everything back
    assert driver.check().sound


def test_a_slip_that_was_wrong_is_reversed_and_its_stakes_are_on_the_felt_again(driver: BookDriver) -> None:
    main, side = brook(driver)
    driver.do(part((main[0], *side)), id="early")
    before = on_felt(driver).stakes
    wrong = (r.SlipName(spot=1, wager="Ante", hand=0), r.SlipName(spot=1, wager=GALAXY))
    driver.do(r.ReverseSlips(table="T1", round=1, slips=wrong), id="again")
    added = {name: one for name, one in on_felt(driver).stakes.items() if name not in before}
    assert [(name, one.amount) for name, one in added.items()] == [
        ("again", 1000),
        ("again#0.1", 500),
        ("again#0.2", 500),
    ]
    assert dict(driver.state("BJ").wins) == {}
    assert sum(stake.amount for stake in on_felt(driver).stakes.values() if stake.player == "Ann") == 2_000
    assert driver.own("player:Ann") == 10_000
    refused(driver, r.ReverseSlips(table="T1", round=1, slips=wrong), BookRefusal.NOT_SETTLED)
    lost = main[0].model_copy(update={"paid": 0, "returned": 0, "stakes": ("again", "again#0.1")})
    claim = side[0].model_copy(update={"stakes": ("again#0.2",)})
    driver.do(part((lost, claim)))
    assert list(driver.state("BJ").wins) == ["T1/1"]
    driver.do(rest(main[1:]))
    assert driver.own("player:Ann") == 8_000
    assert driver.check().sound


def test_payments_of_a_running_round_are_corrected_after_it(driver: BookDriver) -> None:
    main, side = brook(driver)
    driver.do(part(main[:1]), id="early")
    (paid,) = (transfer.id for transfer in transfers(driver, "early") if transfer.reason is Reason.PAID)
    correction = r.Correct(table="T1", transfer=paid, amount=500, why="paid too much")
    refused(driver, correction, BookRefusal.ROUND_NOT_SETTLED)
    driver.do(rest((main[1], *side)))
    driver.do(correction)
    assert driver.check().sound


def test_a_round_in_parts_is_one_round_of_the_day(driver: BookDriver) -> None:
    main, side = brook(driver)
    driver.do(part(side))
    assert driver.clerk is not None
    assert report(driver.clerk.unit, driver.at.date()).tables[0].rounds == 0
    driver.do(rest(main))
    assert report(driver.clerk.unit, driver.at.date()).tables[0].rounds == 1


def transfers(driver: BookDriver, command: str) -> list[Transfer]:
    """The transfers that a command made at the table."""
    assert driver.clerk is not None
    made: list[Transfer] = []
    for number in count():
        match = driver.clerk.unit.transfer("table:T1", transfer_id(command, 0, number))
        if match is None:
            return made
        made.append(match[0])
    return made
