"""A wager by the count is the mean over every shoe that the count may mean."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement
from operator import mul

import pytest

from upcard.cards import DECK, rank_of
from upcard.catalog import shipped
from upcard.catalog.editing import edit_paytable
from upcard.catalog.paytable import Paytable
from upcard.odds.by_count import HILO, by_count, tags_of
from upcard.odds.dealer_hands import terms_of
from upcard.odds.price import price
from upcard.odds.removal import removal
from upcard.problems import BadFile, BadRequest, UnknownName
from upcard.wagers import DealKind

TABLES = shipped().paytables
ONE_OF_EACH_KIND = list({table.kind.name: table for table in TABLES.values()}.values())
NEVER = Fraction(0)


def tag(card: int) -> int:
    return HILO[rank_of(card)]


@pytest.mark.parametrize("table", ONE_OF_EACH_KIND, ids=lambda table: table.kind.name)
def test_one_card_gone_is_the_mean_of_the_shoes_without_one_card_of_that_tag(table: Paytable) -> None:
    decks = table.decks[0]
    by_running_count = {
        point.running: point.edge for point in by_count(table, decks, cards_gone=1, least_chance=NEVER).points
    }
    four_cards = isinstance(table.kind, DealKind) and len(table.kind.reads) == 4  # which take their time
    for running in (0,) if four_cards else (-1, 0, 1):
        cards = [card for card in DECK if tag(card) == running]
        offered = [offered_without(table, decks, card) for card in cards]
        edges = [price(table, decks, removed=[card]).edge for card in cards]
        assert by_running_count[running] == sum(map(mul, edges, offered), NEVER) / sum(offered)


def offered_without(table: Paytable, decks: int, card: int) -> int:
    """A shoe counts as often as the wager is offered: after a peek, not when the dealer has a blackjack."""
    if isinstance(table.kind, DealKind) or not terms_of(table).after_peek:
        return 1
    aces, tens = 4 * decks - (rank_of(card) == 0), 16 * decks - (rank_of(card) >= 9)
    return (52 * decks - 1) * (52 * decks - 2) - 2 * aces * tens


def test_two_cards_gone_are_the_mean_of_all_such_shoes() -> None:
    table, decks = TABLES["000 Lucky Ladies"], 2
    sums: dict[int, list[Fraction]] = defaultdict(lambda: [NEVER, NEVER])
    for first, second in combinations_with_replacement(DECK, 2):
        ways = Fraction(decks * decks if first != second else decks * (decks - 1) // 2)
        sums[tag(first) + tag(second)][0] += ways * price(table, decks, removed=[first, second]).edge
        sums[tag(first) + tag(second)][1] += ways
    by_running_count = {
        point.running: point.edge for point in by_count(table, decks, cards_gone=2, least_chance=NEVER).points
    }
    assert by_running_count == {running: total / ways for running, (total, ways) in sums.items()}


@pytest.mark.parametrize("name", ["DA6/1", "PT-FLT-LL-01", "002 Break Bonus"])
@pytest.mark.parametrize("gone", [26, 156])
def test_over_all_counts_the_wager_is_worth_what_it_is_worth_at_first(name: str, gone: int) -> None:
    table = TABLES[name]
    counted = by_count(table, 6, cards_gone=gone, least_chance=NEVER)
    assert sum(point.chance for point in counted.points) == 1
    assert sum(point.chance * point.edge for point in counted.points) == price(table, 6).edge


def test_with_a_meter_it_is_worth_what_it_is_worth_with_that_meter() -> None:
    table = TABLES["PT-BJS-213-01"]
    (jackpot,) = table.jackpots
    filled = by_count(table, 6, least_chance=NEVER, meters={jackpot: Fraction(10_000)})
    assert sum(point.chance * point.edge for point in filled.points) == price(table, 6).edge_at(
        {jackpot: Fraction(10_000)}
    )


def test_the_best_count_follows_the_wager_at_least_as_well_as_hi_lo() -> None:
    table = TABLES["000 Lucky Ladies"]
    assert tags_of("best", table, 6) == removal(table, 6).counts()[0].tags
    assert by_count(table, 6, count="best").gain > by_count(table, 6, count="hilo").gain > 0


def test_a_count_that_cannot_be_is_refused() -> None:
    table = TABLES["001 Perfect Pair"]
    with pytest.raises(BadRequest, match="no single card changes the price"):
        by_count(table, 4, count="best")
    with pytest.raises(UnknownName, match="did you mean hilo"):
        by_count(table, 4, count="hi-low")
    with pytest.raises(BadRequest, match="from 1 to 206, not 207"):
        by_count(table, 4, cards_gone=207)


# --- edited tables ------------------------------------------------------------------------------------------------


def test_an_edited_table_is_priced_with_its_new_pays() -> None:
    filed = TABLES["DA6/1"]
    tried = edit_paytable(filed, {"straight": "7.5", "match": "none"})
    before, after = price(filed, 6), price(tried, 6)
    by_event = {line.event: line for line in before.lines}
    change = by_event["straight"].probability * Fraction(3, 2) - 2 * by_event["match"].probability
    assert before.edge - after.edge == change
    assert tried.name == "DA6/1, edited"
    assert price(tried, 5).decks == 5


def test_everything_wrong_with_edited_pays_is_said_at_once() -> None:
    with pytest.raises(BadFile) as refused:
        edit_paytable(TABLES["DA6/1"], {"straigt": "3", "flush": "-2", "match": "much"})
    sentences = str(refused.value)
    assert "did you mean straight" in sentences
    assert "cannot be negative" in sentences
    assert "'much' is not a pay" in sentences
    with pytest.raises(BadRequest, match="needs at least one line that pays"):
        edit_paytable(TABLES["DA6/1"], dict.fromkeys(TABLES["DA6/1"].lines, "none"))


def test_a_pay_may_become_a_share_of_a_meter() -> None:
    tried = edit_paytable(TABLES["PT-BJS-213-01"], {"straight": "1%"})
    assert price(tried, 6).slope(tried.jackpots[0]) > price(TABLES["PT-BJS-213-01"], 6).slope(tried.jackpots[0])
