"""003's Progressive plan: contributions, cap, denials, reductions and escrow."""

from datetime import date

import pytest
from ledger.book_driver import MORNING, BookDriver, misdeal
from ledger.book_requests import answer_of
from ledger.jackpot_setups import ALL, LADIES, PART, TODAY, open_ladies_jackpot, progressive_state, refused

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.codes import sentence_of
from upcard.ledger import requests as r
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.terms import BonusTerms, ProgressiveTerms, terms_of
from upcard.ledger.opening_requests import jackpot_opening
from upcard.ledger.outcome import Moment
from upcard.ledger.refusals import BookRefusal, BookRefused


def test_003_progressive_moves_with_each_wager_by_its_rate_and_carries_fractions() -> None:
    """15% and 5% of a wager in odd cents: fractions of a cent are carried over, and none is lost."""
    opening = jackpot_opening(ruleset_of(shipped(), "lucky-ladies-progressive"), "LL", LADIES)
    moment = Moment(command="a", part=0, at=MORNING, day=TODAY, actor="Dana")
    state = apply(None, opening, moment, lambda _: None).state
    for number in range(1, 41):
        stakes = (j.JackpotStake(spot=1, player="Ann", stake=33),)
        begin = j.BeginHand(jackpot="LL", table="T1", round=number, stakes=stakes)
        state = apply(state, begin, moment, lambda _: None).state
    assert isinstance(state, ProgressiveJackpot)
    assert state.meter - 1_000_000 + state.meter_carry == 40 * 33 * state.terms.rate
    assert state.reserve + state.reserve_carry == 40 * 33 * state.terms.reserve_rate


def test_003_progressive_overflows_above_its_cap_which_is_never_below_the_meter(driver: BookDriver) -> None:
    open_ladies_jackpot(driver)
    refused(driver, j.SetCap(jackpot="LL", cap=999_999), BookRefusal.CAP_BELOW_METER)
    driver.do(j.SetCap(jackpot="LL", cap=1_000_020))
    driver.hand("T1", {"Ann": 100, "Bob": 100}, LADIES)
    assert (progressive_state(driver).meter, progressive_state(driver).overflow, progressive_state(driver).reserve) == (
        1_000_020,
        10,
        10,
    )
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": ALL})
    state = progressive_state(driver)  # reseeded from the reserve (15 cents), the overflow (25), and the house
    assert (state.meter, state.reserve, state.overflow, state.seed) == (1_000_000, 0, 0, 1_000_000 + 999_960)


def test_003_progressive_a_void_deal_does_not_lower_the_meter(driver: BookDriver) -> None:
    open_ladies_jackpot(driver)
    number = driver.deal("T1", {"Ann": 100}, LADIES)
    driver.do(misdeal("T1", number))
    assert (driver.meter("LL"), driver.own("player:Ann"), driver.own("win:T1")) == (1_000_015, 100, -20)


def test_003_progressive_a_denied_win_returns_the_reseeding_first(driver: BookDriver) -> None:
    open_ladies_jackpot(driver)
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": ALL})
    driver.hand("T1", {"Bob": 100}, LADIES)
    driver.do(j.DenyWin(jackpot="LL", win="T1/1", why="the dealer had no blackjack"))
    state = progressive_state(driver)
    assert (state.meter, state.reserve, state.seed, state.award) == (1_000_030, 10, 1_000_000, 0)
    assert state.shortfall == 0
    assert driver.check().sound


def test_003_progressive_is_reduced_for_lawful_reasons_only_by_two_people_with_a_document(driver: BookDriver) -> None:
    open_ladies_jackpot(driver)
    driver.hand("T1", {"Ann": 100, "Bob": 100}, LADIES)
    lock = next(name for request, name in driver.done if isinstance(request, r.LockRound))
    reduce = j.Reduce(
        jackpot="LL", reason="malfunction", amount=15, source="meter", second="Vera", document="form 9",
        corrects=f"{lock}#1.0",
    )  # fmt: skip
    refused(driver, reduce.model_copy(update={"document": " "}), BookRefusal.NEEDS_DOCUMENT)
    refused(driver, reduce, BookRefusal.SAME_PERSON, actor="Vera")
    refused(driver, reduce.model_copy(update={"corrects": "none"}), BookRefusal.TRANSFER_UNKNOWN)
    driver.do(reduce)
    refused(driver, reduce.model_copy(update={"amount": 16}), BookRefusal.NOT_SO_MUCH)
    assert driver.meter("LL") == 1_000_015
    to_receipts = reduce.model_copy(update={"reason": "gross-receipts", "amount": 4})
    refused(driver, to_receipts, BookRefusal.NOT_SO_MUCH)  # displayed money never becomes the house's
    driver.do(to_receipts.model_copy(update={"source": "reserve"}))
    assert driver.own("receipts:LL") == 4
    seed = reduce.model_copy(update={"reason": "seed", "amount": 16})
    refused(driver, seed, BookRefusal.NOT_SO_MUCH)  # the advertised base is kept
    driver.do(seed.model_copy(update={"amount": 15}))
    refused(driver, reduce.model_copy(update={"reason": "to-cap"}), BookRefusal.NOT_ABOVE_CAP)
    assert (driver.meter("LL"), progressive_state(driver).seed) == (1_000_000, 999_985)
    number = driver.deal("T1", {"Ann": 100}, LADIES)
    refused(driver, seed.model_copy(update={"amount": 1}), BookRefusal.HAND_RUNNING)
    driver.settle("T1", number, {"Ann": 100}, LADIES, {})
    assert driver.check().sound


def test_003_progressive_a_restored_meter_above_its_cap_is_reduced_into_the_overflow(driver: BookDriver) -> None:
    open_ladies_jackpot(driver)
    driver.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    driver.do(j.SetCap(jackpot="LL", cap=800_000))
    driver.do(j.DenyWin(jackpot="LL", win="T1/1", why="no wager was on the sensor"))
    assert driver.meter("LL") == 1_000_015
    down = j.Reduce(
        jackpot="LL", reason="to-cap", amount=200_015, source="meter", second="Vera", document="form 9"
    )  # fmt: skip
    driver.do(down)
    assert (progressive_state(driver).meter, progressive_state(driver).overflow) == (800_000, 200_015)


def test_003_progressive_wager_stops_when_escrow_is_short_until_it_is_cured(driver: BookDriver) -> None:
    """WAC 230-15-455: below what is required, stop at once; a running hand is finished."""
    open_ladies_jackpot(driver)
    driver.do(j.Deposit(jackpot="LL", amount=1_000_000))
    number = driver.deal("T1", {"Ann": 100}, LADIES)
    driver.do(j.EscrowLost(jackpot="LL", amount=300, why="a seizure"))
    driver.settle("T1", number, {"Ann": 100}, LADIES, {})
    driver.do(r.BuyIn(table="T1", player="Ann", amount=100))
    bet = r.PlaceStake(table="T1", round=2, spot=1, player="Ann", wager=LADIES, amount=100)
    refused(driver, bet, BookRefusal.ESCROW_SHORT)
    driver.do(j.CureEscrow(jackpot="LL", amount=300))
    driver.do(bet)
    refused(driver, j.Deposit(jackpot="LL", amount=21), BookRefusal.NOT_SO_MUCH)


def test_003_progressive_the_daily_close_reminds_of_the_weekly_deposit_and_of_a_shortfall(driver: BookDriver) -> None:
    open_ladies_jackpot(driver)
    warnings = []
    for number in range(2, 10):
        driver.later(days=1)
        warnings.append(answer_of(driver.do(r.CloseDay(day=date(2026, 3, number))), "house")["warnings"])
    assert warnings[:6] == [[]] * 6
    assert warnings[6] == [
        {"code": "warning/deposit-overdue", "jackpot": "LL", "waiting": 1_000_000, "since": "2026-03-02"}
    ]
    assert sentence_of(warnings[6][0]) == "LL: $10,000, set aside since 2026-03-02, should be deposited"
    driver.do(j.Deposit(jackpot="LL", amount=1_000_000))
    driver.do(j.EscrowLost(jackpot="LL", amount=5, why="a fee"))
    driver.later(days=1)
    warned = answer_of(driver.do(r.CloseDay(day=date(2026, 3, 10))), "house")["warnings"]
    assert warned == [{"code": "warning/escrow-short", "jackpot": "LL", "short": 5}]
    assert sentence_of(warned[0]) == "LL: escrow is $0.05 short; its wager is stopped until it is made good"


def test_003_progressive_an_implausible_contribution_is_refused(driver: BookDriver) -> None:
    open_ladies_jackpot(driver)
    state, moment = progressive_state(driver), Moment(command="a", part=0, at=MORNING, day=TODAY, actor="Dana")
    begin = j.BeginHand(jackpot="LL", table="T1", round=1, stakes=(j.JackpotStake(spot=1, player="Ann", stake=500),))
    with pytest.raises(BookRefused) as caught:  # a table refuses such a stake itself
        apply(state, begin, moment, lambda _: None)
    assert caught.value.reason is BookRefusal.IMPLAUSIBLE


def test_r22_another_fixed_wager_multiplies_seed_cap_and_contribution() -> None:
    layout = shipped().layout("lucky-ladies-progressive")
    offers = tuple(
        offer.model_copy(update={"amount": 500}) if offer.name == LADIES else offer for offer in layout.wager
    )
    terms = terms_of(shipped(), layout.model_copy(update={"wager": offers}), LADIES)
    assert isinstance(terms, ProgressiveTerms)
    assert (terms.seed, terms.cap, terms.largest_contribution) == (5_000_000, 50_000_000, 100)
    bonus = shipped().layout("lucky-ladies")
    posted = terms_of(shipped(), bonus.model_copy(update={"wager": offers}), LADIES)
    assert isinstance(posted, BonusTerms)
    assert posted.seed == 5_000_000
