"""Clauses about jackpots: their equipment, displays, money, types and pays.

Every test takes the catalog and the filing's number, so that the mutation table can run it with another catalog.
"""

from datetime import date

from procedures.catalogs import complaints, default_layout, offering, slips, with_approved_models, with_layout
from procedures.clause_helpers import complaints_about, numbers, one_round, queens_of_hearts

from upcard.api.access import permissions
from upcard.catalog.game_checks import layout_notices
from upcard.catalog.index import Catalog
from upcard.reports.controls_text import controls_document
from upcard.reports.markdown import markdown
from upcard.service.controls import layout_controls
from upcard.units import Basis, Cents, dollars

NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest. Player "
    "wagers do not accrue to any guaranteed player fund. The displayed Bonus Jackpot prize may be modified or "
    "discontinued at any time without prior notice."
)


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
def test_every_jackpot_has_a_sensor_of_its_own(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    shared = tuple(jackpot.model_copy(update={"sensor": 1}) for jackpot in layout.jackpot)
    assert "its own wagering sensor" in complaints_about("jackpot", catalog, layout.slug, jackpot=shared)


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
