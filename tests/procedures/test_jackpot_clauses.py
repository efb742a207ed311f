"""Clauses about jackpots: their equipment, displays, money, types and pays.

Every test takes the catalog and the filing's number, so that the mutation table can run it with another catalog.
"""

from datetime import date

from procedures.catalogs import complaints, default_layout, offering, slips, with_approved_models, with_layout
from procedures.clause_helpers import complaints_about, numbers, one_round, queens_of_hearts
from procedures.jackpot_by_rules import JackpotByRules

from upcard.api.access import permissions
from upcard.catalog.game_checks import layout_notices
from upcard.catalog.index import Catalog
from upcard.catalog.jackpot import Bonus, DailyAccrual, Posted, Progressive
from upcard.ledger.jackpots import requests as j
from upcard.reports.controls_text import controls_document
from upcard.reports.markdown import markdown
from upcard.service.controls import layout_controls
from upcard.units import Basis, Cents, dollars


@numbers("000")
def test_the_jackpot_needs_its_system(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    problems = " ".join(complaints(catalog, slug, equipment=("lit jackpot button",)))
    assert "Galaxy Bonus Jackpot needs the jackpot system" in problems


@numbers("000")
def test_the_jackpot_needs_its_button(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    problems = " ".join(complaints(catalog, slug, equipment=("jackpot system",)))
    assert "Galaxy Bonus Jackpot needs the lit jackpot button" in problems


@numbers("000")
def test_the_bonus_jackpot_opens_with_its_seed(catalog: Catalog, number: str) -> None:
    assert JackpotByRules(catalog, number, 5_00).meters == {"Bonus Jackpot": 1250_00}
    assert default_layout(catalog, number).jackpot[0].posted == {"Bonus Jackpot": 1250_00}


@numbers("000")
def test_a_tenth_of_yesterdays_wagers_is_added(catalog: Catalog, number: str) -> None:
    """Nobody asks for it: the first hand of the next day is dealt for it."""
    jackpot = JackpotByRules(catalog, number, 5_00)
    for _ in range(3):
        jackpot.deal()
        jackpot.end()
        assert jackpot.meters == {"Bonus Jackpot": 1250_00}
    jackpot.later(days=1)
    jackpot.deal()
    assert jackpot.meters == {"Bonus Jackpot": 1250_00 + 1_50}
    assert _daily(catalog, number).accrues_from == "wagers of the previous gaming day"


@numbers("000")
def test_the_bonus_jackpot_is_seeded_again(catalog: Catalog, number: str) -> None:
    jackpot = JackpotByRules(catalog, number, 5_00)
    jackpot.deal()
    jackpot.end()
    jackpot.later(days=1)
    jackpot.deal()
    jackpot.end(won=True)
    jackpot.pay()
    assert jackpot.meters == {"Bonus Jackpot": 1250_00}
    jackpot.later(days=1)
    jackpot.deal()
    assert jackpot.meters == {"Bonus Jackpot": 1250_50}


@numbers("001")
def test_three_jackpot_values_are_posted(catalog: Catalog, number: str) -> None:
    (settings,) = default_layout(catalog, number).jackpot
    assert set(settings.posted) == set(_posted(catalog, number).meters) == {"MEGA", "MAJOR", "MINOR"}


@numbers("001")
def test_posted_jackpots_change_once_in_24_hours_or_after_a_win(catalog: Catalog, number: str) -> None:
    """Nor while a wager plays for them: the change waits, and the winner gets what was posted."""
    plan = _posted(catalog, number)
    assert not plan.changes_during_a_hand
    assert plan.changes_after_a_payout
    jackpot, lowered = JackpotByRules(catalog, number, 10_00), j.Post(jackpot="J", values={"MEGA": 1_00})
    mega = jackpot.meters["MEGA"]
    jackpot.later(hours=23)
    assert jackpot.refused(lowered) == "TOO_SOON"
    jackpot.later(hours=1)
    jackpot.do(j.StakePlaced(jackpot="J", table="T", round=1, spot=1))
    jackpot.do(lowered)
    assert jackpot.meters["MEGA"] == mega
    assert jackpot.refused(j.StakePlaced(jackpot="J", table="U", round=1, spot=1)) == "CHANGE_WAITS"
    jackpot.deal()
    jackpot.end(won=True)
    assert jackpot.meters["MEGA"] == 1_00
    assert jackpot.state is not None
    assert [win.amount for win in jackpot.state.wins.values()] == [mega]
    jackpot.pay()
    assert [jackpot.refused(lowered), jackpot.refused(lowered)] == ["", "TOO_SOON"]


@numbers("001")
def test_winners_of_one_posted_jackpot_share_it(catalog: Catalog, number: str) -> None:
    assert _posted(catalog, number).winners == "divide"


@numbers("001")
def test_posted_jackpots_are_the_houses_money_and_no_wager_moves_them(catalog: Catalog, number: str) -> None:
    plan = _posted(catalog, number)
    assert (plan.funded, plan.moves) == ("house", "never with wagers")
    slug = default_layout(catalog, number).slug
    (settings,) = default_layout(catalog, number).jackpot
    moving = settings.model_copy(update={"rate": 1})
    assert "never moves with wagers" in " ".join(complaints(catalog, slug, jackpot=(moving,)))


@numbers("003")
def test_the_jackpot_wagers_need_the_owners_system(catalog: Catalog, number: str) -> None:
    problems = " ".join(complaints(catalog, default_layout(catalog, number).slug, equipment=()))
    assert "Lucky Ladies Jackpot needs the jackpot system" in problems
    assert "21+3 Jackpot needs the jackpot system" in problems
    layout = default_layout(catalog, number)
    assert any("Andromeda Bonus Jackpot System" in notice for notice in layout_notices(catalog, layout))
    listed = with_approved_models(catalog, number, {"jackpot system": ("An approved system",)})
    assert complaints(listed, layout.slug, jackpot_system_model="An approved system") == []
    assert complaints_about("jackpot_system_model", listed, layout.slug, jackpot_system_model="Another")


@numbers("003")
def test_a_layout_has_two_jackpots_at_most(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    three = (*layout.jackpot, layout.jackpot[0].model_copy(update={"sensor": 3}))
    assert "at most 2 jackpots" in complaints_about("jackpot", catalog, layout.slug, jackpot=three)


@numbers("003")
def test_the_jackpots_of_a_table_are_of_one_type(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    progressive = catalog.layout("lucky-ladies-progressive").jackpot
    mixed = (layout.jackpot[0], progressive[1])
    assert "of one type" in complaints_about("jackpot", catalog, layout.slug, jackpot=mixed)


@numbers("003")
def test_bonus_and_progressive_jackpots_are_never_linked(catalog: Catalog, number: str) -> None:
    game = catalog.game(number)
    assert not game.layout_limits.link_jackpot_types
    moves = {plan.plan: plan.moves for plan in game.jackpot if isinstance(plan, Bonus | Progressive)}
    assert moves == {"bonus": "never with wagers", "progressive": "with every wager"}


@numbers("003")
def test_every_jackpot_has_a_sensor_of_its_own(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    shared = tuple(jackpot.model_copy(update={"sensor": 1}) for jackpot in layout.jackpot)
    assert "its own wagering sensor" in complaints_about("jackpot", catalog, layout.slug, jackpot=shared)


@numbers("003")
def test_a_bonus_display_does_not_move_with_wagers(catalog: Catalog, number: str) -> None:
    assert _bonus(catalog, number).moves == "never with wagers"


@numbers("003")
def test_a_bonus_display_carries_its_notice(catalog: Catalog, number: str) -> None:
    notice = " ".join(_bonus(catalog, number).notice.split())
    assert notice.startswith("Bonus Jackpot prizes are paid by the casino")
    assert notice.endswith("at any time without prior notice.")


@numbers("003")
def test_a_progressive_display_moves_with_every_wager(catalog: Catalog, number: str) -> None:
    assert _progressive(catalog, number).moves == "with every wager"
    layout = catalog.layout("lucky-ladies-progressive")
    still = tuple(jackpot.model_copy(update={"rate": None}) for jackpot in layout.jackpot)
    assert "the part of each wager that goes to its meter" in " ".join(complaints(catalog, layout.slug, jackpot=still))


@numbers("003")
def test_progressive_money_is_held_in_escrow(catalog: Catalog, number: str) -> None:
    assert _progressive(catalog, number).held == "escrow"


@numbers("003")
def test_the_internal_controls_say_how_each_jackpot_is_run(catalog: Catalog, number: str) -> None:
    for slug, plan in ((default_layout(catalog, number).slug, "Bonus"), ("lucky-ladies-progressive", "Progressive")):
        layout = catalog.layout(slug)
        sheet = layout_controls(catalog, layout, day=date(2026, 3, 2), permissions=permissions())
        text = markdown(controls_document(sheet))
        for settings in layout.jackpot:
            _, found, part = text.partition(f"## {plan} Jackpot on {settings.wager}\n")
            assert found
            (seed,) = settings.posted.values()
            assert f"| {settings.wager} opens at | {dollars(seed)} |" in part
            assert f"| wagering sensor | {settings.sensor} |" in part
            assert "### How it is won" in part
            assert "### How a win is paid or denied" in part


@numbers("003")
def test_lucky_ladies_jackpot_pays_are_multiplied_by_the_wager(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    larger = with_layout(catalog, layout.slug, wager=offering(layout, "Lucky Ladies Jackpot", amount=Cents(5_00)))
    lines = slips(larger, *queens_of_hearts(layout.slug, "Lucky Ladies Jackpot $5"))
    assert "stake $5, paid $1,250, returned $0" in lines[0]


@numbers("003")
def test_21_3_jackpot_pays_are_multiplied_by_the_wager(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    larger = with_layout(catalog, layout.slug, wager=offering(layout, "21+3 Jackpot", amount=Cents(5_00)))
    lines = slips(larger, *one_round(layout.slug, "5h 7h 6h Ts", "21+3 Jackpot $5"))
    assert "stake $5, paid $200, returned $0" in lines[0]


def test_jackpots_are_for_one_and_felt_wagers_to_one(catalog: Catalog) -> None:
    tables = [table for table in catalog.paytables.values() if table.filing == "003"]
    assert {table.basis for table in tables if table.jackpots} == {Basis.FOR_ONE}
    assert {table.basis for table in tables if table.name.startswith("PT-FLT")} == {Basis.TO_ONE}


def _daily(catalog: Catalog, number: str) -> DailyAccrual:
    (plan,) = catalog.game(number).jackpot
    assert isinstance(plan, DailyAccrual)
    return plan


def _posted(catalog: Catalog, number: str) -> Posted:
    (plan,) = catalog.game(number).jackpot
    assert isinstance(plan, Posted)
    return plan


def _bonus(catalog: Catalog, number: str) -> Bonus:
    return next(plan for plan in catalog.game(number).jackpot if isinstance(plan, Bonus))


def _progressive(catalog: Catalog, number: str) -> Progressive:
    return next(plan for plan in catalog.game(number).jackpot if isinstance(plan, Progressive))
