"""Clauses about the money of jackpots, at served tables: what meters open at, how they move, and who is paid.

Every test takes the catalog and the filing's number, so that the mutation table can run it with another catalog.
"""

from contextlib import suppress
from datetime import date, timedelta

from procedures.catalogs import complaints, default_layout
from procedures.clause_helpers import numbers
from procedures.served_table import served

from upcard.catalog.index import Catalog
from upcard.ledger.jackpots.requests import AccrueDay, Post
from upcard.service import commands as s
from upcard.service.jackpot_display import display
from upcard.service.layout_card import layout_card
from upcard.service.refusals import Refused

GALAXY, LADIES = "Galaxy Bonus Jackpot", "Lucky Ladies Jackpot"
JACKPOT_STAKE = {"Ann": {"Ante": 5_00, GALAXY: 5_00}}
QUEENS_STAKE = {"Ann": {"Ante": 5_00, "Lucky Ladies": 10_00}}
NINETEEN = "Tc 7c 9d Td"  # against 17
NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest. Player "
    "wagers do not accrue to any guaranteed player fund. The displayed Bonus Jackpot prize may be modified or "
    "discontinued at any time without prior notice."
)


@numbers("000")
def test_the_bonus_jackpot_opens_with_its_seed(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    with served(catalog, layout.slug) as table:
        assert table.meters() == {"Bonus Jackpot": 1250_00}
    dearer = layout.jackpot[0].model_copy(update={"posted": {"Bonus Jackpot": 2000_00}})
    assert "opens at its seed of $1,250" in " ".join(complaints(catalog, layout.slug, jackpot=(dearer,)))


@numbers("000")
def test_a_tenth_of_yesterdays_wagers_is_added(catalog: Catalog, number: str) -> None:
    """Of $5 wagered on one day, the fund gets $0.50 on the next."""
    with served(catalog, default_layout(catalog, number).slug, NINETEEN, "Ann") as table:
        table.play(JACKPOT_STAKE)
        assert table.meters() == {"Bonus Jackpot": 1250_00}
        table.now += timedelta(days=1)
        with suppress(Refused):  # where it is added without being asked
            table.do(s.House(request=AccrueDay(jackpot=GALAXY, day=date(2026, 3, 2))))
        table.play(JACKPOT_STAKE)
        assert table.meters() == {"Bonus Jackpot": 1250_50}


@numbers("000")
def test_the_bonus_jackpot_is_seeded_again(catalog: Catalog, number: str) -> None:
    with served(catalog, default_layout(catalog, number).slug, "Ah Ah Ah 5c", "Ann") as table:
        table.play(JACKPOT_STAKE)
        assert table.pay_win() == {"Ann": 1250_00}
        assert table.meters() == {"Bonus Jackpot": 1250_00}


@numbers("001")
def test_three_jackpot_values_are_posted(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    posted = {"MEGA": 10_000_00, "MAJOR": 5_000_00, "MINOR": 1_000_00}
    assert {jackpot.meter: jackpot.posted for jackpot in layout_card(catalog, layout).jackpots} == posted
    with served(catalog, layout.slug) as table:
        assert table.meters() == posted


@numbers("001")
def test_posted_jackpots_change_once_in_24_hours_or_after_a_win(catalog: Catalog, number: str) -> None:
    with served(catalog, default_layout(catalog, number).slug, "Qh Qh Qh 5c", "Ann") as table:

        def post(mega: int) -> str:
            return table.reason(s.House(request=Post(jackpot="Lucky Ladies", values={"MEGA": mega})))

        assert post(11_000_00) == "TOO_SOON"
        table.now += timedelta(hours=24)
        assert post(12_000_00) == ""
        assert post(13_000_00) == "TOO_SOON"
        table.play(QUEENS_STAKE)
        assert table.pay_win() == {"Ann": 12_000_00}
        assert post(14_000_00) == ""
        assert post(15_000_00) == "TOO_SOON"
        assert table.meters()["MEGA"] == 14_000_00


@numbers("001")
def test_posted_jackpots_do_not_change_during_a_hand(catalog: Catalog, number: str) -> None:
    with served(catalog, default_layout(catalog, number).slug, NINETEEN, "Ann") as table:
        table.now += timedelta(hours=25)
        table.bet_all(QUEENS_STAKE)
        table.floor(s.Deal)
        assert table.live.table.round is not None
        table.reason(s.House(request=Post(jackpot="Lucky Ladies", values={"MEGA": 1_00})))
        assert table.meters()["MEGA"] == 10_000_00


@numbers("001")
def test_winners_of_one_posted_jackpot_share_it(catalog: Catalog, number: str) -> None:
    """R8: $10,000 for two winners is $5,000 each; Ben's $5 wager gets half of that."""
    stakes = {"Ann": {"Ante": 5_00, "Lucky Ladies": 10_00}, "Ben": {"Ante": 5_00, "Lucky Ladies": 5_00}}
    with served(catalog, default_layout(catalog, number).slug, "Qh Qh Qh Qh Qh 5c", "Ann", "Ben") as table:
        table.play(stakes)
        assert table.pay_win() == {"Ann": 5_000_00, "Ben": 2_500_00}


@numbers("001")
def test_posted_jackpots_are_the_houses_money_and_no_wager_moves_them(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    with served(catalog, layout.slug, "Qh Qh Qh 5c", "Ann") as table:
        before = table.meters()
        table.play(QUEENS_STAKE)
        assert table.meters() == before
        table.pay_win()
        assert table.balance("expense:Lucky Ladies") == 10_000_00
    moving = layout.jackpot[0].model_copy(update={"rate": 1})
    assert "never moves with wagers" in " ".join(complaints(catalog, layout.slug, jackpot=(moving,)))


@numbers("003")
def test_bonus_and_progressive_jackpots_are_never_linked(catalog: Catalog, number: str) -> None:
    """The same wager, paytable and amount, but one table plays for a Bonus and the other for a Progressive."""
    bonus = default_layout(catalog, number).slug
    with served(catalog, "lucky-ladies-progressive") as table:
        opening = s.OpenTable(table="T2", layout=bonus, jackpots={LADIES: LADIES})
        assert table.reason(opening) == "TRIGGER_DIFFERS"
        opening = s.OpenTable(table="T2", layout="lucky-ladies-progressive", jackpots={LADIES: LADIES})
        assert table.reason(opening) == ""


@numbers("003")
def test_a_bonus_display_does_not_move_with_wagers(catalog: Catalog, number: str) -> None:
    with served(catalog, default_layout(catalog, number).slug, NINETEEN, "Ann") as table:
        before = table.meters()
        assert before == {LADIES: 10_000_00, "21+3 Jackpot": 5_000_00}
        table.play({"Ann": {"Blackjack": 5_00, LADIES: 1_00, "21+3 Jackpot": 1_00}})
        assert table.meters() == before


@numbers("003")
def test_a_bonus_display_carries_its_notice(catalog: Catalog, number: str) -> None:
    with served(catalog, default_layout(catalog, number).slug) as table:
        assert {jackpot.notice for jackpot in display(table.service.desk.book, "T1").jackpots} == {NOTICE}


@numbers("003")
def test_a_progressive_display_moves_with_every_wager(catalog: Catalog, number: str) -> None:
    """15% of $1 each time, before the hand is played."""
    assert number == "003"
    with served(catalog, "lucky-ladies-progressive", NINETEEN, "Ann") as table:
        for meter in (10_000_15, 10_000_30):
            table.bet_all({"Ann": {"Blackjack": 5_00, LADIES: 1_00}})
            table.floor(s.Deal)
            assert table.meters()[LADIES] == meter
            while table.live.table.round is not None:
                table.later(60)


@numbers("003")
def test_progressive_money_is_held_in_escrow(catalog: Catalog, number: str) -> None:
    """The meter and the reserve are owed to the players, and cash is set aside for all of it."""
    assert number == "003"
    with served(catalog, "lucky-ladies-progressive", NINETEEN, "Ann") as table:
        assert table.balance(f"undeposited:{LADIES}") == table.balance(f"meter:{LADIES}") == 10_000_00
        table.play({"Ann": {"Blackjack": 5_00, LADIES: 1_00}})
        assert (table.balance(f"meter:{LADIES}"), table.balance(f"reserve:{LADIES}")) == (10_000_15, 5)
        assert table.balance(f"undeposited:{LADIES}") == 10_000_20
