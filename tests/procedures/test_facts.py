"""Clauses that no single round can show: decks, shoes, equipment, jackpots, and money that follows from the layout.

Every test takes the catalog and the filing's number, so that the mutation table can run it with another catalog.
"""

from collections import Counter
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from procedures.catalogs import complaints, default_layout, offering, slips, with_layout

from upcard.cards import DECK, read_cards, shoe
from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.catalog.jackpot import Bonus, DailyAccrual, Posted, Progressive
from upcard.catalog.layout import AggregateLimit, Promotion
from upcard.engine.commands import CloseBetting, PlaceWager
from upcard.pit.dealer import Dealer, Script
from upcard.pit.events import DiscardsReturned
from upcard.pit.orders import BeginRound, NewShoe, Seat
from upcard.pit.table import open_table
from upcard.pit.terms import margins
from upcard.problems import BadRequest
from upcard.units import Basis, Cents

BET_BIGGER = ("000", "001", "002")
DECKS = {
    "000": {6},
    "001": {2, 6, 8},
    "002": {2, 3, 4, 5, 6, 7, 8},  # R20
    "003": {1, 2, 3, 4, 5, 6, 7, 8},
    "004": {2, 4, 5, 6, 8},
}


def numbers(*filings: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("number", filings)


@numbers(*DECKS)
def test_a_game_takes_its_own_numbers_of_decks(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    refused = {decks for decks in range(1, 10) if "is played with" in _about("decks", catalog, slug, decks=decks)}
    assert set(range(1, 10)) - refused == DECKS[number]


@numbers(*BET_BIGGER)
def test_every_deck_is_found_complete_and_all_of_them_are_in_the_shoe(catalog: Catalog, number: str) -> None:
    game = catalog.game(number)
    assert game.shuffle.verify_decks
    assert shoe.missing_cards(DECK) == []
    assert shoe.missing_cards(DECK[1:]) == ["Ac is missing"]
    assert shoe.missing_cards([*DECK[1:], DECK[1]]) == ["Ac is missing", "2 of Ad"]
    assert Counter(_shoe(game, cut=150).order) == dict.fromkeys(DECK, 6)


@numbers(*BET_BIGGER)
def test_a_player_cuts_about_a_deck_from_either_end_and_the_back_goes_to_the_front(
    catalog: Catalog, number: str
) -> None:
    game = catalog.game(number)
    uncut = shoe.shuffled([one for _ in range(6) for one in DECK], bytes(32), b"")
    assert _shoe(game, cut=52).order == (*uncut[52:], *uncut[:52])
    assert _shoe(game, cut=260).order == (*uncut[260:], *uncut[:260])
    for too_near in (0, 38, 274, 312):  # a deck, less a quarter for "approximately"
        with pytest.raises(BadRequest):
            _shoe(game, cut=too_near)


@numbers(*BET_BIGGER)
def test_the_cut_card_lies_a_deck_before_the_last_card(catalog: Catalog, number: str) -> None:
    assert _shoe(catalog.game(number), cut=150).cut_card == 312 - 52


@numbers("000", "001")
def test_a_table_posts_its_house_rules(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    assert "needs posted house rules" in _about("house_rules", catalog, slug, house_rules=())


@numbers("000")
def test_the_jackpot_needs_its_system(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    told = " ".join(complaints(catalog, slug, equipment=("lit jackpot button",)))
    assert "Galaxy Bonus Jackpot needs the jackpot system" in told


@numbers("000")
def test_the_jackpot_needs_its_button(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    told = " ".join(complaints(catalog, slug, equipment=("jackpot system",)))
    assert "Galaxy Bonus Jackpot needs the lit jackpot button" in told


@numbers("000")
def test_the_bonus_jackpot_opens_with_its_seed(catalog: Catalog, number: str) -> None:
    assert _daily(catalog, number).seed == 1250_00
    assert default_layout(catalog, number).jackpot[0].posted == {"Bonus Jackpot": 1250_00}


@numbers("000")
def test_a_tenth_of_yesterdays_wagers_is_added(catalog: Catalog, number: str) -> None:
    plan = _daily(catalog, number)
    assert plan.accrues == Fraction(1, 10)
    assert plan.accrues_from == "wagers of the previous gaming day"


@numbers("000")
def test_the_bonus_jackpot_is_seeded_again(catalog: Catalog, number: str) -> None:
    assert _daily(catalog, number).reseed == 1250_00


@numbers("000")
def test_no_points_are_kept(catalog: Catalog, number: str) -> None:
    assert catalog.game(number).point_system == "none"


@numbers(*BET_BIGGER)
def test_where_added_wagers_lie(catalog: Catalog, number: str) -> None:
    wanted = "beside the wagers stacked in the Ante circle" if number == "000" else "left of each wager"
    assert catalog.game(number).added_wagers == wanted


@numbers("001")
def test_three_jackpot_values_are_posted(catalog: Catalog, number: str) -> None:
    (settings,) = default_layout(catalog, number).jackpot
    assert set(settings.posted) == set(_posted(catalog, number).meters) == {"MEGA", "MAJOR", "MINOR"}


@numbers("001")
def test_posted_jackpots_change_once_in_24_hours_or_after_a_win(catalog: Catalog, number: str) -> None:
    plan = _posted(catalog, number)
    assert plan.hours_between_changes == 24
    assert not plan.changes_during_a_hand
    assert plan.changes_after_a_payout


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
    told = " ".join(complaints(catalog, default_layout(catalog, number).slug, equipment=()))
    assert "Lucky Ladies Jackpot needs the jackpot system" in told
    assert "21+3 Jackpot needs the jackpot system" in told


@numbers("003")
def test_the_shuffling_machine_has_an_approved_model(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    assert layout.shuffler == "automatic"
    assert layout.shuffler_model


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


@numbers("003")
def test_a_promotion_is_paid_beside_the_award(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    assert complaints(catalog, slug, promotion=(PROMOTION,)) == []
    told = slips(with_layout(catalog, slug, promotion=(PROMOTION,)), *_lucky_ladies(slug, "Lucky Ladies $5"))
    assert told[0].endswith(
        "paid $725, returned $5, taken $0 (Queen of Hearts Pair pays 125 to 1, and a promotion of $100)"
    )


@numbers("003")
def test_a_layout_has_two_jackpots_at_most(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    three = (*layout.jackpot, layout.jackpot[0].model_copy(update={"sensor": 3}))
    assert "at most 2 jackpots" in _about("jackpot", catalog, layout.slug, jackpot=three)


@numbers("003")
def test_the_jackpots_of_a_table_are_of_one_type(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    progressive = catalog.layout("lucky-ladies-progressive").jackpot
    mixed = (layout.jackpot[0], progressive[1])
    assert "of one type" in _about("jackpot", catalog, layout.slug, jackpot=mixed)


@numbers("003")
def test_bonus_and_progressive_jackpots_are_never_linked(catalog: Catalog, number: str) -> None:
    game = catalog.game(number)
    assert not game.layout_limits.link_jackpot_types
    moves = {plan.plan: plan.moves for plan in game.jackpot if isinstance(plan, Bonus | Progressive)}
    assert moves == {"bonus": "never with wagers", "progressive": "with every wager"}


@numbers("003")
def test_every_jackpot_has_a_sensor_of_its_own(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    shared = tuple(one.model_copy(update={"sensor": 1}) for one in layout.jackpot)
    assert "its own wagering sensor" in _about("jackpot", catalog, layout.slug, jackpot=shared)


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
    still = tuple(one.model_copy(update={"rate": None}) for one in layout.jackpot)
    assert "the part of each wager that goes to its meter" in " ".join(complaints(catalog, layout.slug, jackpot=still))


@numbers("003")
def test_progressive_money_is_held_in_escrow(catalog: Catalog, number: str) -> None:
    assert _progressive(catalog, number).held == "escrow"


@numbers("003")
def test_the_spot_of_lucky_ladies_has_another_name_on_the_felt(catalog: Catalog, number: str) -> None:
    wager = catalog.game(number).wager_named("Lucky Ladies")
    assert wager is not None
    assert wager.felt_name == "First 2 Cards Equal 20"


@numbers("003")
def test_felt_lucky_ladies_tables_have_their_own_decks(catalog: Catalog, number: str) -> None:
    decks = [_decks(catalog, f"PT-FLT-LL-0{one}") for one in (1, 2, 3, 4)]
    assert decks == [(2, 8), (4, 8), (6, 8), (2, 8)]
    slug = default_layout(catalog, number).slug
    assert "PT-FLT-LL-03 is for 6-8 decks" in " ".join(complaints(catalog, slug, decks=5))


@numbers("003")
def test_classic_pays_nine_for_every_hand(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    classic = tuple(
        one.model_copy(update={"name": "21+3 Classic", "paytable": "PT-FLT-213-03"})
        if one.name == "21+3 Xtreme"
        else one
        for one in layout.wager
    )
    other = with_layout(catalog, layout.slug, wager=classic)
    assert complaints(other, layout.slug) == []
    assert _decks(catalog, "PT-FLT-213-03") == (2, 8)
    for cards in ("5h 7h 6h Ts", "7c 7h 7d Ts", "8c 7h 9d Ts", "2h 7h 9h Ts"):
        told = slips(other, *_one_round(layout.slug, cards, "21+3 Classic $5"))
        assert "paid $45, returned $5" in told[0]


@numbers("003")
def test_xtreme_goes_with_any_number_of_decks(catalog: Catalog, number: str) -> None:
    assert number == "003"
    assert _decks(catalog, "PT-FLT-213XT-01") == _decks(catalog, "PT-FLT-213XT-02") == (1, 8)


@numbers("003")
def test_top_3_needs_four_decks_and_21_3_on_the_layout(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    assert "Top 3 is played with 4-8 decks" in " ".join(complaints(catalog, layout.slug, decks=3))
    alone = tuple(one for one in layout.wager if one.name != "21+3 Xtreme")
    assert "only together with 21+3 Classic" in " ".join(complaints(catalog, layout.slug, wager=alone))


@numbers("003")
def test_lucky_ladies_jackpot_pays_are_multiplied_by_the_wager(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    larger = with_layout(catalog, layout.slug, wager=offering(layout, "Lucky Ladies Jackpot", amount=Cents(5_00)))
    told = slips(larger, *_lucky_ladies(layout.slug, "Lucky Ladies Jackpot $5"))
    assert "stake $5, paid $1,250, returned $0" in told[0]


@numbers("003")
def test_21_3_jackpot_pays_are_multiplied_by_the_wager(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    larger = with_layout(catalog, layout.slug, wager=offering(layout, "21+3 Jackpot", amount=Cents(5_00)))
    told = slips(larger, *_one_round(layout.slug, "5h 7h 6h Ts", "21+3 Jackpot $5"))
    assert "stake $5, paid $200, returned $0" in told[0]


@numbers("003")
def test_lucky_ladies_jackpot_tables_have_their_own_decks(catalog: Catalog, number: str) -> None:
    assert number == "003"
    assert _decks(catalog, "PT-BJS-LL-26") == (2, 8)
    assert _decks(catalog, "PT-BJS-LL-28") == (2, 2)  # R12
    assert _decks(catalog, "PT-BJS-LL-34") == (4, 8)
    assert _decks(catalog, "LL/JP 1") == (1, 1)
    assert _decks(catalog, "LL/JP 7") == (4, 5)
    assert _decks(catalog, "LL/JP 13") == (5, 8)  # R28


@numbers("003")
def test_21_3_jackpots_take_three_to_eight_decks(catalog: Catalog, number: str) -> None:
    tables = [name for name in catalog.paytables if name.startswith("PT-BJS-213-")]
    assert number == "003"
    assert {_decks(catalog, name) for name in tables} == {(3, 8)}
    assert len(tables) == 11


@numbers("004")
def test_the_four_wager_restriction_is_posted_on_the_layout(catalog: Catalog, number: str) -> None:
    assert catalog.game(number).layout_limits.posted_on_layout
    layout = catalog.layout("double-action-with-21-3")
    assert "limited to $5" in _about("small_wager", catalog, layout.slug, small_wager="")
    assert "at most four wagers" in layout.title


LIMIT = AggregateLimit.model_validate({"wager": "Double Action", "amount": "$5,000"})


@numbers("004")
def test_a_posted_limit_is_shared_pro_rata_in_cents(catalog: Catalog, number: str) -> None:
    """$20,000 and $5,000 are owed on one deal, and $5,000 may be paid: four to one."""
    slug = default_layout(catalog, number).slug
    assert complaints(catalog, slug, aggregate_limit=(LIMIT,)) == []
    told = slips(
        with_layout(catalog, slug, aggregate_limit=(LIMIT,)),
        f"table {slug}",
        "cards 7h 5h 7h 7h 6h Ts",
        *("> seat Ann 1", "> seat Ben 2", "> round"),
        *("> 1 bet Blackjack $5", "> 1 bet Double Action $100"),
        *("> 2 bet Blackjack $5", "> 2 bet Double Action $100"),
        *("> deal", "> 1 stay", "> 2 stay"),
    )
    assert "Ben, Double Action: stake $100, paid $1,000, returned $100" in told[0]
    assert "Ann, Double Action: stake $100, paid $4,000, returned $100" in told[1]
    assert "shared pro rata under the posted limit of $5,000 per deal" in told[1]


MADNESS = {"name": "Match Madness", "paytable": "MM6/2", "min": Cents(1_00), "max": Cents(5_00)}


@numbers("004")
def test_a_layout_with_2nd_action_has_no_match_madness(catalog: Catalog, number: str) -> None:
    assert number == "004"
    layout = catalog.layout("double-action-second-action")
    both = (*layout.wager, layout.wager[-1].model_copy(update=MADNESS))
    assert "wager 2nd Action: 2nd Action and Match Madness may not be on the same layout" in " ".join(
        complaints(catalog, layout.slug, wager=both)
    )


@numbers("004")
def test_a_layout_with_match_madness_has_no_2nd_action(catalog: Catalog, number: str) -> None:
    layout = default_layout(catalog, number)
    second = {"name": "2nd Action", "paytable": "DA6/1"}
    both = (*layout.wager, layout.wager[-1].model_copy(update=second))
    assert "wager Match Madness: Match Madness and 2nd Action may not be on the same layout" in " ".join(
        complaints(catalog, layout.slug, wager=both)
    )


@numbers("004")
def test_match_madness_is_not_played_with_two_decks(catalog: Catalog, number: str) -> None:
    slug = default_layout(catalog, number).slug
    assert "Match Madness is played with 4-6, 8 decks, not 2" in " ".join(complaints(catalog, slug, decks=2))


@numbers(*DECKS)
def test_a_shoe_that_runs_out_is_filled_from_the_discards(catalog: Catalog, number: str) -> None:
    """R33: three cards are left; what is not on the table is shuffled and dealt on, and the round goes on."""
    layout = default_layout(catalog, number)
    dealer = Dealer(open_table(catalog, layout), Script(read_cards("Tc 7h 9d Td")))
    dealer.say(NewShoe(312))
    dealer.table = replace(dealer.table, shoe_cards=3)
    dealer.say(Seat("Ann", 1))
    dealer.say(BeginRound())
    dealer.say(PlaceWager(1, "Ante" if number in BET_BIGGER else "Blackjack", Cents(5_00)))
    happened = dealer.say(CloseBetting())
    assert DiscardsReturned(309) in happened
    assert dealer.table.shoe_cards == 308
    assert dealer.table.round is not None
    assert dealer.table.round.cards_dealt == 4


def _about(place: str, catalog: Catalog, slug: str, **changes: object) -> str:
    return " ".join(one for one in complaints(catalog, slug, **changes) if one.startswith(f"{place}: "))


def _shoe(game: Game, *, cut: int) -> shoe.Shoe:
    return shoe.new_shoe(6, shoe.Shuffle(key=bytes(32), cut=cut), margins(game, 6))


def _decks(catalog: Catalog, name: str) -> tuple[int, int]:
    decks = catalog.paytables[name].decks
    return decks[0], decks[-1]


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


def _one_round(slug: str, cards: str, wager: str) -> tuple[str, ...]:
    """A round of 003 with one bonus wager, whose slip comes first."""
    return (
        f"table {slug}",
        f"cards {cards}",
        *("> seat Ann 1", "> round", "> 1 bet Blackjack $5", f"> 1 bet {wager}"),
        *("> deal", "> close late wagers", "> 1 stay"),
    )


def _lucky_ladies(slug: str, wager: str) -> tuple[str, ...]:
    return _one_round(slug, "Qh 7s Qh Ts", wager)


def test_jackpots_are_for_one_and_felt_wagers_to_one(catalog: Catalog) -> None:
    tables = [table for table in catalog.paytables.values() if table.filing == "003"]
    assert {table.basis for table in tables if table.jackpots} == {Basis.FOR_ONE}
    assert {table.basis for table in tables if table.name.startswith("PT-FLT")} == {Basis.TO_ONE}
