"""Clauses about what a layout posts, offers and forbids, and the money that follows from it.

Every test takes the catalog and the filing's number, so that the mutation table can run it with another catalog.
"""

from datetime import date

from procedures.catalogs import complaints, default_layout, slips, with_layout
from procedures.clause_helpers import (
    BET_BIGGER,
    complaints_about,
    decks_for,
    numbers,
    one_round,
    queens_of_hearts,
    rules_card_text,
    terminal_felt,
)
from procedures.served_table import served

from upcard.catalog.index import Catalog
from upcard.catalog.layout import AggregateLimit, Promotion
from upcard.engine.commands import Double
from upcard.service import commands as s
from upcard.service.layout_card import layout_card
from upcard.units import Cents

PROMOTION = Promotion.model_validate(
    {
        "wager": "Lucky Ladies",
        "event": "queen-of-hearts-pair",
        "award": "$100",
        "since": date(2026, 1, 1),
        "until": date(2026, 12, 31),
        "consent": "letter of 2 January 2026",
    }
)

LIMIT = AggregateLimit.model_validate({"wager": "Double Action", "amount": "$5,000"})

MADNESS = {"name": "Match Madness", "paytable": "MM6/2", "min": Cents(1_00), "max": Cents(5_00)}


@numbers("000", "001")
def test_a_table_posts_its_house_rules(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    assert "needs posted house rules" in complaints_about("house_rules", catalog, slug, house_rules=())


@numbers("000")
def test_no_points_are_kept(catalog: Catalog, number: str) -> None:
    """The same wagers and cards are worth the same in the first round and after three wins."""
    slug = default_layout(catalog, number).slug
    assert "No points are kept: every hand stands alone." in rules_card_text(catalog, slug)
    lines = slips(
        catalog,
        *(f"table {slug}", "cards " + "Ac 7h Kd Td " * 4, "> seat Ann 1"),
        *("> round", "> 1 bet Ante $5", "> deal") * 4,
    )
    assert lines == [lines[0]] * 4
    assert "stake $5, paid $7.50, returned $5" in lines[0]


@numbers(*BET_BIGGER)
def test_a_table_with_players_closes_after_its_shoe_with_notice(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    assert "it gives notice: the game then ends with the shoe" in rules_card_text(catalog, slug)
    with served(catalog, slug, "Tc 7c 9d Td", "Ann") as table:
        table.play({"Ann": {"Ante": 5_00}})
        closing = s.CloseTable(table="T1", tray=table.balance("tray:T1"))
        assert table.reason(closing) == "END_SHOE_FIRST"
        table.floor(s.AnnounceClosing)
        assert table.reason(closing) == "END_SHOE_FIRST"
        table.floor(s.Shuffle)
        assert table.reason(closing) == ""


@numbers(*BET_BIGGER)
def test_where_added_wagers_lie(catalog: Catalog, number: str) -> None:
    """The chips of a double: beside the stack in the Ante circle in 000, to the left of each wager in 001 and 002."""
    layout = default_layout(catalog, number)
    place = "beside the wagers stacked in the Ante circle" if number == "000" else "left of each wager"
    assert layout_card(catalog, layout).added_wagers == place
    second = next(wager.name for wager in layout.wager if wager.name.startswith("Bet Bigger"))
    chips = terminal_felt(catalog, layout, "6c 7h 5d Td 9c", ["Ante", second], Double(1, (("Ante", Cents(5_00)),)))
    assert ("$10 stacked + $5 beside" if number == "000" else "$5 + $5 | $5") in chips


@numbers("003")
def test_a_promotion_is_paid_beside_the_award(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    assert complaints(catalog, slug, promotion=(PROMOTION,)) == []
    lines = slips(with_layout(catalog, slug, promotion=(PROMOTION,)), *queens_of_hearts(slug, "Lucky Ladies $5"))
    assert lines[0].endswith(
        "paid $725, returned $5, taken $0 (Queen of Hearts Pair pays 125 to 1, and a promotion of $100)"
    )


@numbers("003")
def test_the_spot_of_lucky_ladies_has_another_name_on_the_felt(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    circles = {circle.name: circle.felt_name for circle in layout_card(catalog, layout).wagers}
    assert circles["Lucky Ladies"] == "First 2 Cards Equal 20"
    assert 'on the felt "First 2 Cards Equal 20"' in rules_card_text(catalog, layout.slug)


@numbers("003")
def test_classic_pays_nine_for_every_hand(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    classic = tuple(
        wager.model_copy(update={"name": "21+3 Classic", "paytable": "PT-FLT-213-03"})
        if wager.name == "21+3 Xtreme"
        else wager
        for wager in layout.wager
    )
    with_classic = with_layout(catalog, layout.slug, wager=classic)
    assert complaints(with_classic, layout.slug) == []
    assert decks_for(catalog, number, "21+3 Classic", "PT-FLT-213-03") == set(range(2, 9))
    for cards in ("5h 7h 6h Ts", "7c 7h 7d Ts", "8c 7h 9d Ts", "2h 7h 9h Ts"):
        lines = slips(with_classic, *one_round(layout.slug, cards, "21+3 Classic $5"))
        assert "paid $45, returned $5" in lines[0]


@numbers("003")
def test_top_3_needs_four_decks_and_21_3_on_the_layout(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    assert "Top 3 is played with 4-8 decks" in " ".join(complaints(catalog, layout.slug, decks=3))
    without_21_3 = tuple(wager for wager in layout.wager if wager.name != "21+3 Xtreme")
    assert "only together with 21+3 Classic" in " ".join(complaints(catalog, layout.slug, wager=without_21_3))


@numbers("004")
def test_the_four_wager_restriction_is_posted_on_the_layout(catalog: Catalog, number: str) -> None:
    """On the felt and on the rules card, whatever the operator's title says; not where three wagers are offered."""
    posted = "At most 4 wagers on a spot; of 4 wagers, one must be $5 or less."
    crowded = layout_card(catalog, catalog.layout("double-action-with-21-3"))
    assert crowded.posted.wagers == posted
    assert [(posted, "")] in [section.lines for section in crowded.rules]
    assert (crowded.most_wagers, crowded.small_stake) == (4, 500)
    usual = layout_card(catalog, default_layout(catalog, number))
    assert (usual.posted.wagers, usual.most_wagers, usual.small_stake) == ("", None, None)
    assert not any(posted in line for section in usual.rules for line, _ in section.lines)
    assert "limited to $5" in complaints_about("small_wager", catalog, crowded.slug, small_wager="")


@numbers("004")
def test_a_posted_limit_is_shared_pro_rata_in_cents(catalog: Catalog, number: str) -> None:
    """$20,000 and $5,000 are owed on one deal, and $5,000 may be paid: four to one. The limit is posted before."""
    slug = default_layout(catalog, number).slug
    assert complaints(catalog, slug, aggregate_limit=(LIMIT,)) == []
    limited = with_layout(catalog, slug, aggregate_limit=(LIMIT,))
    section = next(part for part in layout_card(limited, limited.layout(slug)).rules if part.heading == "Double Action")
    assert ("pays at most $5,000 per deal, all players together", "") in section.lines
    lines = slips(
        with_layout(catalog, slug, aggregate_limit=(LIMIT,)),
        f"table {slug}",
        "cards 7h 5h 7h 7h 6h Ts",
        *("> seat Ann 1", "> seat Ben 2", "> round"),
        *("> 1 bet Blackjack $5", "> 1 bet Double Action $100"),
        *("> 2 bet Blackjack $5", "> 2 bet Double Action $100"),
        *("> deal", "> 1 stay", "> 2 stay"),
    )
    assert "Ben, Double Action: stake $100, paid $1,000, returned $100" in lines[0]
    assert "Ann, Double Action: stake $100, paid $4,000, returned $100" in lines[1]
    assert "reduced: all winners share the posted limit of $5,000 per deal" in lines[1]


@numbers("004")
def test_a_layout_with_2nd_action_has_no_match_madness(catalog: Catalog, number: str) -> None:
    assert number == "004"
    layout = catalog.layout("double-action-second-action")
    both_wagers = (*layout.wager, layout.wager[-1].model_copy(update=MADNESS))
    assert "wager 2nd Action: 2nd Action and Match Madness may not be on the same layout" in " ".join(
        complaints(catalog, layout.slug, wager=both_wagers)
    )


@numbers("004")
def test_a_layout_with_match_madness_has_no_2nd_action(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    second = {"name": "2nd Action", "paytable": "DA6/1"}
    both_wagers = (*layout.wager, layout.wager[-1].model_copy(update=second))
    assert "wager Match Madness: Match Madness and 2nd Action may not be on the same layout" in " ".join(
        complaints(catalog, layout.slug, wager=both_wagers)
    )
