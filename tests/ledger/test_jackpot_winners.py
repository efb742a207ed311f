"""Simultaneous winners: same hand, $5 and $10, 100% with 25%, two linked tables; as the readings say, to the cent."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger.book_driver import MORNING, BookDriver
from ledger.book_requests import answer_of

from upcard.catalog import shipped
from upcard.catalog.ruleset import ruleset_of
from upcard.ledger.jackpots import requests as j
from upcard.ledger.jackpots.apply import apply
from upcard.ledger.jackpots.sharing import apportioned, divided, in_full, one_after_another, pro_rata, scaled
from upcard.ledger.jackpots.terms import terms_of
from upcard.ledger.journal import jackpot_chain
from upcard.ledger.opening_requests import jackpot_opening
from upcard.ledger.outcome import Moment
from upcard.ledger.refusals import BookRefused

TOP = ("Bonus Jackpot", "1", "suited-three-aces")
MEGA_5 = ("MEGA", "1/2", "three-queens-of-hearts")
MEGA_10 = ("MEGA", "1", "three-queens-of-hearts")
MAJOR_10 = ("MAJOR", "1", "three-queens-same-suit")
LADIES = "Lucky Ladies Jackpot"
ALL = (LADIES, "1", "queen-of-hearts-pair-with-suit-specific-dealer-blackjack")
PART = (LADIES, "1/4", "queen-of-hearts-pair-with-suited-dealer-blackjack")


def won(driver: BookDriver, jackpot: str) -> dict[str, int]:
    """What each player waits for."""
    return {award.player: award.amount for win in driver.state(jackpot).wins.values() for award in win.awards}


def brook(driver: BookDriver, *tables: str) -> None:
    driver.jackpot("BJ", "the-brook", "Galaxy Bonus Jackpot")
    for table in tables or ("T1",):
        driver.table(table, "the-brook", BJ="Galaxy Bonus Jackpot")


def test_r18_two_winners_of_the_top_line_divide_it_and_the_odd_cent_goes_to_the_first_seat(driver: BookDriver) -> None:
    brook(driver)
    for _ in range(3):
        driver.hand("T1", {"Ann": 500}, "Galaxy Bonus Jackpot")
    driver.later(days=1)
    driver.do(j.AccrueDay(jackpot="BJ", day=driver.at.date().replace(day=2)))
    assert driver.meter("BJ") == 125_000 + 150
    stakes = {"Ann": 500, "Bob": 500, "Cy": 500, "Di": 500}
    driver.hand("T1", stakes, "Galaxy Bonus Jackpot", dict.fromkeys(("Ann", "Bob", "Di"), TOP))
    assert won(driver, "BJ") == {"Ann": 41717, "Bob": 41717, "Di": 41716}
    assert driver.meter("BJ") == 125_150  # shown until the win is paid
    driver.pay("BJ", "T1/4")
    assert (driver.meter("BJ"), driver.own("expense:BJ")) == (125_000, 125_150)
    assert (driver.own("player:Ann"), driver.own("player:Di"), driver.own("player:Cy")) == (41717, 41716, 0)
    assert driver.check().sound


def test_000_a_second_hand_that_was_running_wins_the_reseeding(driver: BookDriver) -> None:
    brook(driver, "T1", "T2")
    first = driver.deal("T1", {"Ann": 500}, "Galaxy Bonus Jackpot")
    second = driver.deal("T2", {"Bob": 500}, "Galaxy Bonus Jackpot")
    driver.settle("T1", first, {"Ann": 500}, "Galaxy Bonus Jackpot", {"Ann": TOP})
    driver.settle("T2", second, {"Bob": 500}, "Galaxy Bonus Jackpot", {"Bob": TOP})
    assert won(driver, "BJ") == {"Ann": 125_000, "Bob": 125_000}
    driver.pay("BJ", "T1/1")
    driver.pay("BJ", "T2/1")
    assert driver.meter("BJ") == 125_000
    assert driver.check().sound


def two_hands_win(driver: BookDriver) -> None:
    """Ann's locks the fund of $1,251.50, Bob's the reseeding."""
    brook(driver, "T1", "T2")
    driver.hand("T1", {"Ann": 500, "Bob": 500, "Cy": 500}, "Galaxy Bonus Jackpot")
    driver.later(days=1)
    driver.do(j.AccrueDay(jackpot="BJ", day=driver.at.date().replace(day=2)))
    first = driver.deal("T1", {"Ann": 500}, "Galaxy Bonus Jackpot")
    second = driver.deal("T2", {"Bob": 500}, "Galaxy Bonus Jackpot")
    driver.settle("T1", first, {"Ann": 500}, "Galaxy Bonus Jackpot", {"Ann": TOP})
    driver.settle("T2", second, {"Bob": 500}, "Galaxy Bonus Jackpot", {"Bob": TOP})
    assert won(driver, "BJ") == {"Ann": 125_150, "Bob": 125_000}


def test_000_a_denied_first_win_leaves_the_fund_to_the_second(driver: BookDriver) -> None:
    two_hands_win(driver)
    driver.do(j.Verify(jackpot="BJ", win="T2/1"), actor="Vera")
    driver.do(j.DenyWin(jackpot="BJ", win="T1/2", why="the shoe held seven decks"))
    assert won(driver, "BJ") == {"Bob": 125_150}
    with pytest.raises(BookRefused, match="must be verified by a second person"):
        driver.do(j.PayWin(jackpot="BJ", win="T2/1"), actor="Paul")
    driver.pay("BJ", "T2/1")
    assert (driver.meter("BJ"), driver.own("expense:BJ"), driver.own("player:Bob")) == (125_000, 125_150, 125_150)
    assert driver.check().sound


def test_000_a_first_win_denied_after_the_second_was_paid_leaves_the_fund_as_it_was(driver: BookDriver) -> None:
    two_hands_win(driver)
    driver.pay("BJ", "T2/1")
    driver.do(j.DenyWin(jackpot="BJ", win="T1/2", why="the shoe held seven decks"))
    assert (driver.meter("BJ"), driver.own("expense:BJ")) == (125_150, 125_000)
    assert driver.check().sound


def test_000_a_denied_second_win_changes_nothing_for_the_first(driver: BookDriver) -> None:
    two_hands_win(driver)
    driver.do(j.DenyWin(jackpot="BJ", win="T2/1", why="no wager was on the sensor"))
    assert won(driver, "BJ") == {"Ann": 125_150}
    driver.pay("BJ", "T1/2")
    assert (driver.meter("BJ"), driver.own("expense:BJ")) == (125_000, 125_150)
    assert driver.check().sound


@pytest.mark.parametrize(
    ("stakes", "expected"),
    [
        ({"Ann": 500}, {"Ann": 500_000}),
        ({"Ann": 1000}, {"Ann": 1_000_000}),
        ({"Ann": 500, "Bob": 1000}, {"Ann": 250_000, "Bob": 500_000}),
        ({"Ann": 500, "Bob": 500}, {"Ann": 250_000, "Bob": 250_000}),
        ({"Ann": 1000, "Bob": 1000}, {"Ann": 500_000, "Bob": 500_000}),
        # A third of $10,000, and half of a third: $3,333.33 1/3 and $1,666.66 2/3.
        ({"Ann": 500, "Bob": 1000, "Cy": 1000}, {"Ann": 166_667, "Bob": 333_334, "Cy": 333_333}),
        ({"Ann": 1000, "Bob": 1000, "Cy": 1000}, {"Ann": 333_334, "Bob": 333_333, "Cy": 333_333}),
    ],
)
def test_r8_the_posted_amount_is_divided_then_halved_by_the_wager(
    driver: BookDriver, stakes: dict[str, int], expected: dict[str, int]
) -> None:
    driver.jackpot("QQQ", "lucky-ladies-jackpot", "Lucky Ladies")
    driver.table("T1", "lucky-ladies-jackpot", QQQ="Lucky Ladies")
    claims = {name: MEGA_5 if stake == 500 else MEGA_10 for name, stake in stakes.items()}
    receipt = driver.hand("T1", stakes, "Lucky Ladies", claims)
    assert won(driver, "QQQ") == expected
    wins = answer_of(receipt, jackpot_chain("QQQ"))["wins"]
    assert [award["amount"] for award in wins["T1/1/MEGA"]["awards"]] == list(expected.values())


def test_r8_two_meters_in_one_hand_are_two_wins(driver: BookDriver) -> None:
    """Two players, one with MEGA and one with MAJOR: neither shares the other's."""
    driver.jackpot("QQQ", "lucky-ladies-jackpot", "Lucky Ladies")
    driver.table("T1", "lucky-ladies-jackpot", QQQ="Lucky Ladies")
    driver.hand("T1", {"Ann": 1000, "Bob": 1000}, "Lucky Ladies", {"Ann": MEGA_10, "Bob": MAJOR_10})
    assert won(driver, "QQQ") == {"Ann": 1_000_000, "Bob": 500_000}
    assert set(driver.state("QQQ").wins) == {"T1/1/MEGA", "T1/1/MAJOR"}
    assert driver.check().sound


def ladies(driver: BookDriver, layout: str, *tables: str) -> None:
    driver.jackpot("LL", layout, LADIES)
    for table in tables or ("T1",):
        driver.table(table, layout, LL=LADIES)


@pytest.mark.parametrize(
    ("claims", "expected", "shown"),
    [
        ({"Ann": ALL}, {"Ann": 1_200_000}, 1_000_000),
        ({"Ann": ALL, "Bob": ALL}, {"Ann": 1_200_000, "Bob": 1_200_000}, 1_000_000),
        ({"Ann": PART}, {"Ann": 300_000}, 900_000),
        ({"Ann": PART, "Bob": PART}, {"Ann": 300_000, "Bob": 300_000}, 900_000),
        ({"Ann": ALL, "Bob": PART}, {"Ann": 1_200_000, "Bob": 300_000}, 1_000_000),
    ],
)
def test_r14_bonus_pays_each_winner_in_full_and_the_display_drops_once(
    driver: BookDriver, claims: dict[str, tuple[str, str, str]], expected: dict[str, int], shown: int
) -> None:
    ladies(driver, "lucky-ladies")
    driver.do(j.Post(jackpot="LL", values={LADIES: 1_200_000}))
    driver.hand("T1", {"Ann": 100, "Bob": 100}, LADIES, claims)
    assert won(driver, "LL") == expected
    assert driver.meter("LL") == shown  # at once: others play on


@pytest.mark.parametrize(
    ("claims", "expected", "left"),
    [
        ({"Ann": ALL}, {"Ann": 1_000_045}, 1_000_000),
        ({"Ann": ALL, "Bob": ALL}, {"Ann": 500_023, "Bob": 500_022}, 1_000_000),
        ({"Ann": PART}, {"Ann": 250_012}, 750_033),
        ({"Ann": PART, "Bob": PART}, {"Ann": 250_012, "Bob": 250_011}, 500_022),
        ({"Ann": ALL, "Bob": PART}, {"Ann": 800_036, "Bob": 200_009}, 1_000_000),
        ({"Ann": ALL, "Bob": PART, "Cy": PART}, {"Ann": 666_697, "Bob": 166_674, "Cy": 166_674}, 1_000_000),
    ],
)
def test_r14_progressive_shares_the_meter_of_the_deal_scaled_down_together(
    driver: BookDriver, claims: dict[str, tuple[str, str, str]], expected: dict[str, int], left: int
) -> None:
    """Three wagers of $1 have brought the meter to $10,000.45 at the deal."""
    ladies(driver, "lucky-ladies-progressive")
    driver.hand("T1", {"Ann": 100, "Bob": 100, "Cy": 100}, LADIES, claims)
    assert won(driver, "LL") == expected
    assert driver.meter("LL") == left
    assert driver.own("award:LL") == sum(expected.values())
    assert driver.check().sound


def test_r14_progressive_two_linked_tables_the_earlier_lock_takes_the_pot_of_its_deal(driver: BookDriver) -> None:
    ladies(driver, "lucky-ladies-progressive", "T1", "T2")
    first = driver.deal("T1", {"Ann": 100}, LADIES)  # the meter stands at $10,000.15
    second = driver.deal("T2", {"Bob": 100}, LADIES)  # at $10,000.30
    driver.settle("T2", second, {"Bob": 100}, LADIES, {"Bob": ALL})
    assert won(driver, "LL") == {"Bob": 1_000_030}
    assert driver.meter("LL") == 1_000_000  # reseeded at once
    driver.settle("T1", first, {"Ann": 100}, LADIES, {"Ann": ALL})
    assert won(driver, "LL") == {"Bob": 1_000_030, "Ann": 1_000_000}  # what is there now, not what was shown
    assert driver.check().sound


def test_r14_progressive_two_linked_tables_with_a_part_each_win_their_part_of_what_was_shown(
    driver: BookDriver,
) -> None:
    ladies(driver, "lucky-ladies-progressive", "T1", "T2")
    first = driver.deal("T1", {"Ann": 100}, LADIES)  # the meter stands at $10,000.15
    second = driver.deal("T2", {"Bob": 100}, LADIES)  # at $10,000.30
    driver.settle("T1", first, {"Ann": 100}, LADIES, {"Ann": PART})
    driver.settle("T2", second, {"Bob": 100}, LADIES, {"Bob": PART})
    assert won(driver, "LL") == {"Ann": 250_004, "Bob": 250_008}  # a quarter each, rounded up to a cent
    assert driver.meter("LL") == 1_000_030 - 250_004 - 250_008
    assert driver.check().sound


def test_r14_progressive_what_others_wagered_after_the_deal_stays_for_the_next(driver: BookDriver) -> None:
    ladies(driver, "lucky-ladies-progressive", "T1", "T2")
    first = driver.deal("T1", {"Ann": 100}, LADIES)
    driver.hand("T2", {"Bob": 100, "Cy": 100}, LADIES)
    driver.settle("T1", first, {"Ann": 100}, LADIES, {"Ann": ALL})
    assert won(driver, "LL") == {"Ann": 1_000_015}
    assert driver.meter("LL") == 1_000_000 + 30


def test_r14_bonus_two_linked_tables_each_by_what_was_posted_at_its_deal(driver: BookDriver) -> None:
    ladies(driver, "lucky-ladies", "T1", "T2")
    driver.do(j.Post(jackpot="LL", values={LADIES: 1_100_000}))
    first, second = driver.deal("T1", {"Ann": 100}, LADIES), driver.deal("T2", {"Bob": 100}, LADIES)
    driver.settle("T1", first, {"Ann": 100}, LADIES, {"Ann": ALL})
    driver.settle("T2", second, {"Bob": 100}, LADIES, {"Bob": PART})
    assert won(driver, "LL") == {"Ann": 1_100_000, "Bob": 275_000}
    assert driver.meter("LL") == 750_000


def test_r8_two_linked_tables_each_by_what_was_posted(driver: BookDriver) -> None:
    """R8 divides among the winners of one hand; another hand is another win of the posted amount."""
    driver.jackpot("QQQ", "lucky-ladies-jackpot", "Lucky Ladies")
    for table in ("T1", "T2"):
        driver.table(table, "lucky-ladies-jackpot", QQQ="Lucky Ladies")
    first, second = (driver.deal(table, {name: 1000}, "Lucky Ladies") for table, name in (("T1", "Ann"), ("T2", "Bob")))
    driver.settle("T1", first, {"Ann": 1000}, "Lucky Ladies", {"Ann": MEGA_10})
    driver.settle("T2", second, {"Bob": 1000}, "Lucky Ladies", {"Bob": MEGA_10})
    assert won(driver, "QQQ") == {"Ann": 1_000_000, "Bob": 1_000_000}


def test_the_other_readings_share_differently() -> None:
    """R18 each in full, R8 pro rata, R14 in seat order: an operator's layout may choose them where the law lets it."""
    readings = {"R18": "each-in-full", "R8": "pro-rata", "R14": "seat-order"}
    for layout, wager, claims, expected in (
        ("the-brook", "Galaxy Bonus Jackpot", (TOP, TOP), [125_000, 125_000]),
        ("lucky-ladies-jackpot", "Lucky Ladies", (MEGA_5, MEGA_10), [333_333, 666_667]),
        ("lucky-ladies-progressive", LADIES, (PART, PART), [250_008, 187_506]),
        ("lucky-ladies-progressive", LADIES, (ALL, PART), [1_000_030, 250_000]),
    ):
        assert by_readings(layout, wager, claims, readings) == expected


def by_readings(
    layout: str, wager: str, claims: tuple[tuple[str, str, str], ...], readings: dict[str, str]
) -> list[int]:
    """What two spots win in one hand under other readings, by the pure rules alone."""
    other = shipped().layout(layout).model_copy(update={"readings": readings})
    opening = jackpot_opening(ruleset_of(shipped(), layout), "J", wager).model_copy(
        update={"terms": terms_of(shipped(), other, wager)}
    )
    moment = Moment(command="c", part=0, at=MORNING, day=MORNING.date(), actor="Dana")
    state = apply(None, opening, moment, lambda _: None).state
    amounts = [opening.trigger.stake or (500 if claim == MEGA_5 else 1000) for claim in claims]
    stakes = [j.JackpotStake(spot=spot, player=f"P{spot}", stake=amount) for spot, amount in enumerate(amounts, 1)]
    state = apply(
        state, j.BeginHand(jackpot="J", table="T", round=1, stakes=tuple(stakes)), moment, lambda _: None
    ).state
    claimed = [
        j.JackpotClaim(
            spot=stake.spot, player=stake.player, stake=stake.stake, meter=meter, share=Fraction(share), event=event
        )
        for stake, (meter, share, event) in zip(stakes, claims, strict=True)
    ]
    over = j.EndHand(jackpot="J", table="T", round=1, claims=tuple(claimed))
    state = apply(state, over, moment, lambda _: None).state
    return [award.amount for win in state.wins.values() for award in win.awards]


shares = st.lists(
    st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)]), min_size=1, max_size=7
)


def test_unequal_winners_of_a_tiny_meter_each_get_their_share_to_the_cent() -> None:
    """001, R8: half of the meter each, then 100% and 25% of it by the wager; the odd cent is the second winner's."""
    shares_won = [Fraction(1), Fraction(1, 4)]
    assert divided(2, shares_won) == [1, 1]
    assert divided(2, shares_won, written=1) == [2, 0]  # as books of format 1 have it


@given(st.lists(st.fractions(0, 1000, max_denominator=2520), min_size=1, max_size=7))
def test_every_winner_gets_what_they_are_owed_rounded_down_or_up(owed: list[Fraction]) -> None:
    parts = apportioned(owed)
    assert sum(parts) == -(-sum(owed) // 1)
    assert all(abs(part - amount) < 1 for part, amount in zip(parts, owed, strict=True))
    assert sum(apportioned(owed, written=1)) == sum(parts)


@given(st.integers(0, 10**9) | st.integers(0, 40), shares)
def test_no_cent_vanishes_whatever_is_shared(base: int, wanted: list[Fraction]) -> None:
    parts = scaled(base, wanted)
    assert sum(parts) == -(-base * min(sum(wanted), Fraction(1)) // 1)
    assert sum(parts) <= base
    assert sum(divided(base, [Fraction(1)] * len(wanted))) == base
    assert all(
        abs(part - Fraction(base, len(wanted)) * share) < 1
        for part, share in zip(divided(base, wanted), wanted, strict=True)
    )
    assert all(0 <= part - base * share < 1 for part, share in zip(in_full(base, wanted), wanted, strict=True))
    assert sum(pro_rata(base, wanted)) == -(-base * max(wanted) // 1)
    assert one_after_another(base, wanted[:1], base) == in_full(base, wanted[:1])
    assert sum(apportioned([Fraction(base, 7)] * 7)) == base
