"""Each plan by its clauses: when a meter moves and when it may not, the way of a win, linking, multiples, escrow."""

from datetime import date
from fractions import Fraction

import pytest
from ledger.book_support import answer_of
from ledger.desk import MORNING, Desk, check_refusal, misdeal

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import ruleset_of
from upcard.codes import sentence_of
from upcard.ledger import requests as r
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.terms import BonusTerms, ProgressiveTerms, law_on, terms_of
from upcard.ledger.opening_requests import jackpot_opening, table_opening
from upcard.ledger.outcome import Moment
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused

GALAXY, LADIES = "Galaxy Bonus Jackpot", "Lucky Ladies Jackpot"
TOP = ("Bonus Jackpot", "1", "suited-three-aces")
ALL = (LADIES, "1", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack")
PART = (LADIES, "1/4", "queen-of-hearts-pair-with-suited-dealer-blackjack")
TODAY = date(2026, 3, 2)


def refused(desk: Desk, request: Record, reason: BookRefusal, *, actor: str = "Dana") -> None:
    with pytest.raises(BookRefused) as no:
        desk.do(request, actor=actor)
    assert no.value.reason is reason, no.value
    check_refusal(no.value)


def brook(desk: Desk) -> None:
    desk.jackpot("BJ", "the-brook", GALAXY)
    desk.table("T1", "the-brook", BJ=GALAXY)


def queens(desk: Desk) -> None:
    desk.jackpot("Q", "lucky-ladies-jackpot", "Lucky Ladies")
    desk.table("T1", "lucky-ladies-jackpot", Q="Lucky Ladies")


def ladies(desk: Desk, layout: str = "lucky-ladies-progressive") -> None:
    desk.jackpot("LL", layout, LADIES)
    desk.table("T1", layout, LL=LADIES)


def pot(desk: Desk) -> ProgressiveJackpot:
    state = desk.state("LL")
    assert isinstance(state, ProgressiveJackpot)
    return state


# --- 000 ----------------------------------------------------------------------------------------------------------


def test_000_grows_each_morning_by_a_tenth_of_yesterdays_wagers_on_it_and_by_nothing_else(desk: Desk) -> None:
    """000 F: 10% of the previous day's amount wagered on this side bet."""
    brook(desk)
    desk.hand("T1", {"Ann": 500, "Bob": 500}, GALAXY)
    number = desk.deal("T1", {"Ann": 500}, GALAXY)
    desk.do(misdeal("T1", number))
    assert desk.meter("BJ") == 125_000
    refused(desk, j.AccrueDay(jackpot="BJ", day=TODAY), BookRefusal.DAY_NOT_OVER)
    desk.later(days=1)
    desk.do(j.AccrueDay(jackpot="BJ", day=TODAY))
    assert desk.meter("BJ") == 125_000 + 100  # the void hand was not wagered
    refused(desk, j.AccrueDay(jackpot="BJ", day=TODAY), BookRefusal.ACCRUED_ALREADY)


def test_000_a_missed_morning_is_made_up_and_none_is_added_during_a_hand(desk: Desk) -> None:
    brook(desk)
    desk.hand("T1", {"Ann": 500}, GALAXY)
    desk.later(days=1)
    desk.hand("T1", {"Ann": 500, "Bob": 500}, GALAXY)
    desk.later(days=1)
    number = desk.deal("T1", {"Ann": 500}, GALAXY)
    refused(desk, j.AccrueDay(jackpot="BJ", day=date(2026, 3, 3)), BookRefusal.HAND_RUNNING)
    desk.settle("T1", number, {"Ann": 500}, GALAXY, {})
    desk.do(j.AccrueDay(jackpot="BJ", day=date(2026, 3, 3)))
    assert desk.meter("BJ") == 125_000 + 150


def test_000_rests_while_a_win_is_verified_and_reseeds_when_it_is_paid(desk: Desk) -> None:
    brook(desk)
    desk.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    desk.do(r.BuyIn(table="T1", player="Bob", amount=500))
    bet = r.PlaceStake(table="T1", round=2, spot=2, player="Bob", wager=GALAXY, amount=500)
    refused(desk, bet, BookRefusal.BEING_VERIFIED)
    desk.later(days=1)
    desk.do(j.AccrueDay(jackpot="BJ", day=TODAY))
    assert desk.meter("BJ") == 125_000  # the morning belongs to the next fund
    desk.pay("BJ", "T1/1")
    assert desk.meter("BJ") == 125_000 + 50
    desk.do(bet)


def test_000_a_denied_win_restores_everything(desk: Desk) -> None:
    brook(desk)
    desk.hand("T1", {"Ann": 500}, GALAXY, {"Ann": TOP})
    desk.later(days=1)
    desk.do(j.AccrueDay(jackpot="BJ", day=TODAY))
    desk.do(j.DenyWin(jackpot="BJ", win="T1/1", why="the shoe held seven decks"))
    assert (desk.meter("BJ"), desk.own("expense:BJ"), desk.own("player:Ann")) == (125_050, 0, 0)
    refused(desk, j.PayWin(jackpot="BJ", win="T1/1"), BookRefusal.NO_SUCH_WIN)
    assert desk.check().sound


# --- 001 ----------------------------------------------------------------------------------------------------------


def test_001_is_changed_once_in_24_hours_never_during_a_hand_and_once_after_a_payout(desk: Desk) -> None:
    queens(desk)
    post = j.Post(jackpot="Q", values={"MEGA": 1_100_000})
    desk.later(hours=23)
    refused(desk, post, BookRefusal.TOO_SOON)
    desk.later(hours=1)
    desk.do(post)
    number = desk.deal("T1", {"Ann": 1000}, "Lucky Ladies")
    desk.later(hours=24)
    refused(desk, post, BookRefusal.HAND_RUNNING)
    claim = {"Ann": ("MEGA", "1", "three-queens-of-hearts")}
    desk.settle("T1", number, {"Ann": 1000}, "Lucky Ladies", claim)
    desk.do(post)
    refused(desk, post, BookRefusal.TOO_SOON)
    desk.pay("Q", "T1/1/MEGA")
    assert desk.state("Q").values()["MEGA"] == 1_000_000
    desk.do(j.Post(jackpot="Q", values={"MEGA": 1_200_000, "MINOR": 90_000}))
    refused(desk, post, BookRefusal.TOO_SOON)
    assert desk.state("Q").values() == {"MEGA": 1_200_000, "MAJOR": 500_000, "MINOR": 90_000}


def test_001_the_change_after_a_payout_is_not_a_second_one_once_the_24_hours_are_over(desk: Desk) -> None:
    queens(desk)
    desk.hand("T1", {"Ann": 1000}, "Lucky Ladies", {"Ann": ("MEGA", "1", "three-queens-of-hearts")})
    desk.pay("Q", "T1/1/MEGA")
    desk.later(hours=24)
    post = j.Post(jackpot="Q", values={"MEGA": 1_100_000})
    desk.do(post)
    refused(desk, post, BookRefusal.TOO_SOON)
    desk.later(hours=23)
    refused(desk, post, BookRefusal.TOO_SOON)
    desk.later(hours=1)
    desk.do(post)


def test_001_a_paid_meter_goes_back_only_when_no_hand_runs(desk: Desk) -> None:
    queens(desk)
    desk.table("T2", "lucky-ladies-jackpot", Q="Lucky Ladies")
    desk.later(days=1)
    desk.do(j.Post(jackpot="Q", values={"MEGA": 1_100_000}))
    desk.hand("T1", {"Ann": 1000}, "Lucky Ladies", {"Ann": ("MEGA", "1", "three-queens-of-hearts")})
    number = desk.deal("T2", {"Bob": 500}, "Lucky Ladies")
    desk.pay("Q", "T1/1/MEGA")
    assert desk.state("Q").values()["MEGA"] == 1_100_000
    desk.settle("T2", number, {"Bob": 500}, "Lucky Ladies", {})
    assert desk.state("Q").values()["MEGA"] == 1_000_000


@pytest.mark.parametrize(("stake", "share"), [(500, "1"), (500, "1/4"), (1000, "1/2")])
def test_001_a_claim_is_exactly_the_share_for_its_stake(desk: Desk, stake: int, share: str) -> None:
    """Half for $5, all for $10."""
    queens(desk)
    with pytest.raises(BookRefused) as no:
        desk.hand("T1", {"Ann": stake}, "Lucky Ladies", {"Ann": ("MEGA", share, "three-queens-of-hearts")})
    assert no.value.reason is BookRefusal.CLAIM_WITHOUT_WAGER
    line = desk.state("Q").trigger.lines[0]
    assert [line.share_at(amount) for amount in (500, 1000, 700)] == [Fraction(1, 2), 1, None]


def test_001_knows_no_accrual(desk: Desk) -> None:
    queens(desk)
    refused(desk, j.AccrueDay(jackpot="Q", day=TODAY), BookRefusal.WRONG_PLAN)
    refused(desk, j.SetCap(jackpot="Q", cap=5), BookRefusal.WRONG_PLAN)
    refused(desk, j.Post(jackpot="Q", values={"MEGO": 5}), BookRefusal.TOO_SOON)


# --- 003 Bonus ----------------------------------------------------------------------------------------------------


def test_003_bonus_carries_its_notice_word_for_word_and_is_changed_between_hands(desk: Desk) -> None:
    ladies(desk, "lucky-ladies")
    state = desk.state("LL")
    assert isinstance(state, BonusJackpot)
    assert state.terms.notice.startswith("Bonus Jackpot prizes are paid by the casino and are not components of any")
    assert state.terms.notice.endswith("may be modified or discontinued at any time without prior notice.")
    desk.do(j.Post(jackpot="LL", values={LADIES: 5}))
    desk.do(j.Post(jackpot="LL", values={LADIES: 700_000}, seeds={LADIES: 600_000}))
    number = desk.deal("T1", {"Ann": 100}, LADIES)
    refused(desk, j.Post(jackpot="LL", values={LADIES: 5}), BookRefusal.HAND_RUNNING)
    desk.settle("T1", number, {"Ann": 100}, LADIES, {"Ann": ALL})
    assert desk.meter("LL") == 600_000


def test_003_bonus_a_denied_win_gives_the_display_back(desk: Desk) -> None:
    ladies(desk, "lucky-ladies")
    desk.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    assert desk.meter("LL") == 750_000
    desk.do(j.DenyWin(jackpot="LL", win="T1/1", why="no wager was on the sensor"))
    assert (desk.meter("LL"), desk.own("expense:LL")) == (1_000_000, 0)


def test_washington_wants_every_winner_of_a_house_jackpot_paid_in_full() -> None:
    layout = shipped().layout("lucky-ladies").model_copy(update={"readings": {"R14": "seat-order"}})
    with pytest.raises(BookRefused, match="Washington requires that every winner of a house jackpot is paid in full"):
        terms_of(shipped(), layout, LADIES)


# --- 003 Progressive ----------------------------------------------------------------------------------------------


def test_003_progressive_moves_with_each_wager_by_its_rate_and_carries_fractions() -> None:
    """15% and 5% of a wager in odd cents: what is not a whole cent yet waits, and nothing vanishes."""
    opening = jackpot_opening(ruleset_of(shipped(), "lucky-ladies-progressive"), "LL", LADIES)
    moment = Moment(command="a", part=0, at=MORNING, day=TODAY, actor="Dana")
    state = apply(None, opening, moment, lambda _: None).state
    for number in range(1, 41):
        stakes = (j.JackpotStake(spot=1, player="Ann", stake=33),)
        arm = j.BeginHand(jackpot="LL", table="T1", round=number, stakes=stakes)
        state = apply(state, arm, moment, lambda _: None).state
    assert isinstance(state, ProgressiveJackpot)
    assert state.meter - 1_000_000 + state.meter_carry == 40 * 33 * state.terms.rate
    assert state.reserve + state.reserve_carry == 40 * 33 * state.terms.reserve_rate


def test_003_progressive_above_its_cap_flows_over_and_the_cap_is_never_below_the_meter(desk: Desk) -> None:
    ladies(desk)
    refused(desk, j.SetCap(jackpot="LL", cap=999_999), BookRefusal.CAP_BELOW_METER)
    desk.do(j.SetCap(jackpot="LL", cap=1_000_020))
    desk.hand("T1", {"Ann": 100, "Bob": 100}, LADIES)
    assert (pot(desk).meter, pot(desk).overflow, pot(desk).reserve) == (1_000_020, 10, 10)
    desk.hand("T1", {"Ann": 100}, LADIES, {"Ann": ALL})
    state = pot(desk)  # reseeded from the reserve (15 cents), the overflow (25), and the house
    assert (state.meter, state.reserve, state.overflow, state.seed) == (1_000_000, 0, 0, 1_000_000 + 999_960)


def test_003_progressive_a_void_deal_does_not_lower_the_meter(desk: Desk) -> None:
    ladies(desk)
    number = desk.deal("T1", {"Ann": 100}, LADIES)
    desk.do(misdeal("T1", number))
    assert (desk.meter("LL"), desk.own("player:Ann"), desk.own("win:T1")) == (1_000_015, 100, -20)


def test_003_progressive_a_denied_win_gives_back_the_reseeding_first(desk: Desk) -> None:
    ladies(desk)
    desk.hand("T1", {"Ann": 100}, LADIES, {"Ann": ALL})
    desk.hand("T1", {"Bob": 100}, LADIES)
    desk.do(j.DenyWin(jackpot="LL", win="T1/1", why="the dealer had no blackjack"))
    state = pot(desk)
    assert (state.meter, state.reserve, state.seed, state.award) == (1_000_030, 10, 1_000_000, 0)
    assert state.shortfall == 0
    assert desk.check().sound


def test_003_progressive_is_reduced_for_five_reasons_only_by_two_people_with_a_paper(desk: Desk) -> None:
    ladies(desk)
    desk.hand("T1", {"Ann": 100, "Bob": 100}, LADIES)
    lock = next(name for request, name in desk.done if isinstance(request, r.LockRound))
    reduce = j.Reduce(
        jackpot="LL", reason="malfunction", amount=15, source="meter", second="Vera", document="form 9",
        corrects=f"{lock}#1.0",
    )  # fmt: skip
    refused(desk, reduce.model_copy(update={"document": " "}), BookRefusal.NEEDS_DOCUMENT)
    refused(desk, reduce, BookRefusal.SAME_PERSON, actor="Vera")
    refused(desk, reduce.model_copy(update={"corrects": "none"}), BookRefusal.TRANSFER_UNKNOWN)
    desk.do(reduce)
    refused(desk, reduce.model_copy(update={"amount": 16}), BookRefusal.NOT_SO_MUCH)
    assert desk.meter("LL") == 1_000_015
    to_receipts = reduce.model_copy(update={"reason": "gross-receipts", "amount": 4})
    refused(desk, to_receipts, BookRefusal.NOT_SO_MUCH)  # displayed money is never the house's
    desk.do(to_receipts.model_copy(update={"source": "reserve"}))
    assert desk.own("receipts:LL") == 4
    seed = reduce.model_copy(update={"reason": "seed", "amount": 16})
    refused(desk, seed, BookRefusal.NOT_SO_MUCH)  # the advertised base stays
    desk.do(seed.model_copy(update={"amount": 15}))
    refused(desk, reduce.model_copy(update={"reason": "to-cap"}), BookRefusal.NOT_ABOVE_CAP)
    assert (desk.meter("LL"), pot(desk).seed) == (1_000_000, 999_985)
    number = desk.deal("T1", {"Ann": 100}, LADIES)
    refused(desk, seed.model_copy(update={"amount": 1}), BookRefusal.HAND_RUNNING)
    desk.settle("T1", number, {"Ann": 100}, LADIES, {})
    assert desk.check().sound


def test_003_progressive_a_restored_meter_above_its_cap_is_brought_down_to_the_overflow(desk: Desk) -> None:
    ladies(desk)
    desk.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    desk.do(j.SetCap(jackpot="LL", cap=800_000))
    desk.do(j.DenyWin(jackpot="LL", win="T1/1", why="no wager was on the sensor"))
    assert desk.meter("LL") == 1_000_015
    down = j.Reduce(
        jackpot="LL", reason="to-cap", amount=200_015, source="meter", second="Vera", document="form 9"
    )  # fmt: skip
    desk.do(down)
    assert (pot(desk).meter, pot(desk).overflow) == (800_000, 200_015)


def test_003_progressive_wager_stops_when_escrow_is_short_until_it_is_cured(desk: Desk) -> None:
    """WAC 230-15-455: below what is required, stop at once; a hand that runs is finished."""
    ladies(desk)
    desk.do(j.Deposit(jackpot="LL", amount=1_000_000))
    number = desk.deal("T1", {"Ann": 100}, LADIES)
    desk.do(j.EscrowLost(jackpot="LL", amount=300, why="a seizure"))
    desk.settle("T1", number, {"Ann": 100}, LADIES, {})
    desk.do(r.BuyIn(table="T1", player="Ann", amount=100))
    bet = r.PlaceStake(table="T1", round=2, spot=1, player="Ann", wager=LADIES, amount=100)
    refused(desk, bet, BookRefusal.ESCROW_SHORT)
    desk.do(j.CureEscrow(jackpot="LL", amount=300))
    desk.do(bet)
    refused(desk, j.Deposit(jackpot="LL", amount=21), BookRefusal.NOT_SO_MUCH)


def test_003_progressive_the_daily_close_reminds_of_the_weekly_deposit_and_of_a_shortfall(desk: Desk) -> None:
    ladies(desk)
    warnings = []
    for number in range(2, 10):
        desk.later(days=1)
        warnings.append(answer_of(desk.do(r.CloseDay(day=date(2026, 3, number))), "house")["warnings"])
    assert warnings[:6] == [[]] * 6
    assert warnings[6] == [
        {"code": "warning/deposit-overdue", "jackpot": "LL", "waiting": 1_000_000, "since": "2026-03-02"}
    ]
    assert sentence_of(warnings[6][0]) == "LL: $10,000, set aside since 2026-03-02, should be deposited"
    desk.do(j.Deposit(jackpot="LL", amount=1_000_000))
    desk.do(j.EscrowLost(jackpot="LL", amount=5, why="a fee"))
    desk.later(days=1)
    told = answer_of(desk.do(r.CloseDay(day=date(2026, 3, 10))), "house")["warnings"]
    assert told == [{"code": "warning/escrow-short", "jackpot": "LL", "short": 5}]
    assert sentence_of(told[0]) == "LL: escrow is $0.05 short; its wager is stopped until it is made good"


def test_003_progressive_an_implausible_contribution_is_refused(desk: Desk) -> None:
    ladies(desk)
    state, moment = pot(desk), Moment(command="a", part=0, at=MORNING, day=TODAY, actor="Dana")
    arm = j.BeginHand(jackpot="LL", table="T1", round=1, stakes=(j.JackpotStake(spot=1, player="Ann", stake=500),))
    with pytest.raises(BookRefused) as no:  # a table does not sense such a stake
        apply(state, arm, moment, lambda _: None)
    assert no.value.reason is BookRefusal.IMPLAUSIBLE


# --- all ----------------------------------------------------------------------------------------------------------


def test_a_win_is_verified_by_a_second_person_from_the_threshold_on(desk: Desk) -> None:
    ladies(desk, "lucky-ladies")
    desk.do(j.Post(jackpot="LL", values={LADIES: 199_600}))
    desk.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    desk.do(j.PayWin(jackpot="LL", win="T1/1"))  # $499
    desk.do(j.Post(jackpot="LL", values={LADIES: 200_000}))
    desk.hand("T1", {"Ann": 100}, LADIES, {"Ann": PART})
    refused(desk, j.PayWin(jackpot="LL", win="T1/2"), BookRefusal.SECOND_PERSON)
    refused(desk, j.Verify(jackpot="LL", win="T1/2"), BookRefusal.SAME_PERSON)  # Dana locked it
    desk.do(j.Verify(jackpot="LL", win="T1/2"), actor="Vera")
    refused(desk, j.PayWin(jackpot="LL", win="T1/2"), BookRefusal.SAME_PERSON, actor="Vera")
    desk.do(j.PayWin(jackpot="LL", win="T1/2"))
    assert desk.own("player:Ann") == 49_900 + 50_000


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
def test_tables_are_linked_only_when_the_same_hand_wins_as_often(
    desk: Desk, plan: str, other: str, wager: str, why: str
) -> None:
    desk.jackpot("LL", plan, LADIES)
    desk.table("T1", other)
    with pytest.raises(BookRefused, match=why) as no:
        desk.do(r.LinkTable(table="T1", wager=wager, jackpot="LL"))
    check_refusal(no.value)


def test_another_number_of_decks_is_another_chance_and_other_terms_than_the_catalogs_are_refused(desk: Desk) -> None:
    """WAC 230-15-685: the chance is computed from the catalog, not trusted."""
    desk.jackpot("LL", "lucky-ladies-progressive", LADIES)
    right = table_opening(ruleset_of(shipped(), "lucky-ladies-progressive"), "T1")
    line = right.triggers[LADIES].lines[0]
    wrong = right.triggers[LADIES].model_copy(
        update={
            "lines": (line.model_copy(update={"probability": line.probability * 2}), *right.triggers[LADIES].lines[1:])
        }
    )
    refused(desk, right.model_copy(update={"triggers": {LADIES: wrong}}), BookRefusal.TERMS_DIFFER)
    desk.do(right)
    with pytest.raises(BookRefused, match="the chance of") as no:
        add_table_with(desk, wrong)
    check_refusal(no.value)


def add_table_with(desk: Desk, trigger: r.Trigger) -> None:
    from upcard.ledger.jackpots.state import add_linked_table

    add_linked_table(desk.state("LL"), j.AddLinkedTable(jackpot="LL", table="T9", trigger=trigger))


def test_r22_another_fixed_wager_multiplies_seed_cap_and_contribution() -> None:
    layout = shipped().layout("lucky-ladies-progressive")
    offers = tuple(one.model_copy(update={"amount": 500}) if one.name == LADIES else one for one in layout.wager)
    terms = terms_of(shipped(), layout.model_copy(update={"wager": offers}), LADIES)
    assert isinstance(terms, ProgressiveTerms)
    assert (terms.seed, terms.cap, terms.largest_contribution) == (5_000_000, 50_000_000, 100)
    bonus = shipped().layout("lucky-ladies")
    posted = terms_of(shipped(), bonus.model_copy(update={"wager": offers}), LADIES)
    assert isinstance(posted, BonusTerms)
    assert posted.seed == 5_000_000


def test_a_suspended_jackpot_takes_no_wager_until_it_is_resumed(desk: Desk) -> None:
    brook(desk)
    desk.do(j.Suspend(jackpot="BJ", why="the display is dark"))
    bet = r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager=GALAXY, amount=500)
    refused(desk, bet, BookRefusal.SUSPENDED)
    desk.do(j.Resume(jackpot="BJ"))
    refused(desk, j.Resume(jackpot="BJ"), BookRefusal.NOT_SUSPENDED)
    refused(desk, bet, BookRefusal.PLAYER_NOT_ENOUGH)


def test_a_claim_needs_a_wager_and_a_line_of_its_paytable(desk: Desk) -> None:
    brook(desk)
    number = desk.deal("T1", {"Ann": 500}, GALAXY)
    for claim in (("Bonus Jackpot", "1/2", "suited-three-aces"), ("Bonus Jackpot", "1", "straight"), ("X", "1", "y")):
        with pytest.raises(BookRefused) as no:
            desk.settle("T1", number, {"Ann": 500}, GALAXY, {"Ann": claim})
        assert no.value.reason is BookRefusal.CLAIM_WITHOUT_WAGER


@pytest.mark.parametrize(
    ("layout", "wager", "right", "wrong"),
    [("the-brook", GALAXY, 500, 1000), ("lucky-ladies-jackpot", "Lucky Ladies", 1000, 700)],
)
def test_a_spot_stakes_once_on_a_jackpots_wager_and_what_it_takes(
    desk: Desk, layout: str, wager: str, right: int, wrong: int
) -> None:
    desk.jackpot("J", layout, wager)
    desk.table("T1", layout, J=wager)
    desk.do(r.BuyIn(table="T1", player="Ann", amount=5000))
    bet = r.PlaceStake(table="T1", round=1, spot=1, player="Ann", wager=wager, amount=right)
    refused(desk, bet.model_copy(update={"amount": wrong}), BookRefusal.NOT_THE_STAKE)
    desk.do(bet, id="first")
    refused(desk, bet, BookRefusal.STAKED_ALREADY)
    desk.do(bet.model_copy(update={"spot": 2}))
    desk.do(r.ClearStake(table="T1", stake="first"))
    desk.do(bet)


def test_a_sensed_stake_is_claimed_once(desk: Desk) -> None:
    """Two claims of one stake would divide, or double, what one hand won."""
    brook(desk)
    moment = Moment(command="a", part=0, at=MORNING, day=TODAY, actor="Dana")
    arm = j.BeginHand(jackpot="BJ", table="T1", round=1, stakes=(j.JackpotStake(spot=1, player="Ann", stake=500),))
    armed = apply(desk.state("BJ"), arm, moment, lambda _: None).state
    claim = j.JackpotClaim(spot=1, player="Ann", stake=500, meter=TOP[0], share=Fraction(1), event=TOP[2])
    finish = j.EndHand(jackpot="BJ", table="T1", round=1, claims=(claim,))
    assert apply(armed, finish, moment, lambda _: None).state.wins
    with pytest.raises(BookRefused) as no:
        apply(armed, finish.model_copy(update={"claims": (claim, claim)}), moment, lambda _: None)
    assert no.value.reason is BookRefusal.CLAIM_WITHOUT_WAGER


def test_every_layout_with_jackpots_can_be_opened_and_linked(desk: Desk) -> None:
    catalog: Catalog = shipped()
    for number, layout in enumerate(one for one in catalog.layouts.values() if one.jackpot):
        links = {f"J{number}-{place}": one.wager for place, one in enumerate(layout.jackpot)}
        for jackpot, wager in links.items():
            desk.jackpot(jackpot, layout.slug, wager)
        desk.table(f"T{number}", layout.slug, **links)
    assert desk.check().sound
