"""A wager by the count is the mean over every shoe that the count may mean."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement, product
from operator import mul

import pytest
from support.shipped_prices import by_count, price, removal, terms_of

from upcard.cards import DECK, rank_of
from upcard.catalog import shipped
from upcard.catalog.editing import edit_paytable
from upcard.catalog.paytable import Paytable
from upcard.odds.by_count import count_for
from upcard.odds.insurance import insurance_table
from upcard.problems import BadFile, BadRequest, UnknownName
from upcard.strategy.counting import parse_count
from upcard.wagers import DealKind

TABLES = shipped().paytables
ONE_OF_EACH_KIND = list({table.kind.name: table for table in TABLES.values()}.values())
NEVER = Fraction(0)


@pytest.fixture(scope="module")
def insurance() -> Paytable:
    return insurance_table(shipped())


CARD_TAGS = " ".join(
    str(3 * (card % 4 == 2) - card // 4 % 2) for card in DECK
)  # hearts by themselves, every other rank


def tag(card: int, count: str = "hilo") -> Fraction:
    system = parse_count(count)
    return Fraction(system.tags[card], system.scale)


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
        assert by_running_count[Fraction(running)] == sum(map(mul, edges, offered), NEVER) / sum(offered)


@pytest.mark.parametrize("count", ["ko", "omega-ii", "halves", "tens", CARD_TAGS])
@pytest.mark.parametrize("name", ["000 Lucky Ladies", "PT-FLT-BB-01"])
def test_any_tags_give_the_mean_of_the_shoes_without_one_card_of_that_tag(name: str, count: str) -> None:
    """Any level, unbalanced counts, and tags card by card."""
    table = TABLES[name]
    counted = by_count(table, 6, count=count, cards_gone=1, least_chance=NEVER)
    assert {point.running for point in counted.points} == {tag(card, count) for card in DECK}
    for point in counted.points:
        cards = [card for card in DECK if tag(card, count) == point.running]
        offered = [offered_without(table, 6, card) for card in cards]
        edges = [price(table, 6, removed=[card], each_upcard=False).edge for card in cards]
        assert point.chance == Fraction(len(cards), 52)
        assert point.edge == sum(map(mul, edges, offered), NEVER) / sum(offered)


def test_a_wager_made_after_the_up_card_is_priced_by_up_card_and_count() -> None:
    """Bust Bonus: the edge at a count against a six is the mean over the shoes of that count, each by its sixes."""
    table, decks = TABLES["PT-FLT-BB-01"], 6
    counted = by_count(table, decks, count="omega-ii", cards_gone=1, least_chance=NEVER)
    for point in counted.points:
        cards = [card for card in DECK if tag(card, "omega-ii") == point.running]
        against_six = [price(table, decks, removed=[card]).by_upcard["6"] for card in cards]
        sixes = [4 * decks - (rank_of(card) == 5) for card in cards]  # every six up is offered: no blackjack with it
        edge = sum((six.edge * weight for six, weight in zip(against_six, sixes, strict=True)), NEVER) / sum(sixes)
        assert point.by_upcard["6"].edge == edge
        assert point.by_upcard["6"].offered == Fraction(sum(sixes), len(cards) * (52 * decks - 1))
    assert counted.gain == sum(
        (
            -point.chance * choice.offered * choice.edge
            for point in counted.points
            for choice in point.by_upcard.values()
            if choice.edge < 0
        ),
        NEVER,
    )


@pytest.mark.parametrize("count", ["hilo", "ko"])
def test_insurance_is_weighed_by_how_often_an_ace_is_up(count: str, insurance: Paytable) -> None:
    """Every order of three ranks gone from one deck; a counter insures where the count makes it a good bet."""
    gone, sums = 3, defaultdict[Fraction, list[Fraction]](lambda: [NEVER, NEVER, NEVER])
    for ranks in product(range(13), repeat=gone):
        left, chance = [4] * 13, Fraction(1)
        for drawn, rank in enumerate(ranks):
            chance *= Fraction(max(left[rank], 0), 52 - drawn)
            left[rank] -= 1
        if chance:
            running = sum((tag(4 * rank, count) for rank in ranks), NEVER)
            ace = Fraction(left[0], 52 - gone)
            tens = Fraction(sum(left[9:]), 51 - gone)
            for place, addend in enumerate((chance, chance * ace, chance * ace * (3 * tens - 1))):
                sums[running][place] += addend
    counted = by_count(insurance, 1, count=count, cards_gone=gone, least_chance=NEVER)
    assert {point.running: point.chance for point in counted.points} == {run: row[0] for run, row in sums.items()}
    assert {point.running: point.offered * point.chance for point in counted.points} == {
        run: row[1] for run, row in sums.items()
    }
    assert counted.gain == sum((max(row[2], NEVER) for row in sums.values()), NEVER)
    assert counted.gain_per_offer == counted.gain / Fraction(4, 52)


def test_insurance_with_hi_lo_is_worth_little_per_round_and_more_per_offer(insurance: Paytable) -> None:
    """Summed over aces, tens and low cards gone, in floating point: 0.024645%, 0.320388%, and 0.319886% as listed."""
    counted = by_count(insurance, 6, count="hilo")
    assert float(100 * counted.gain) == pytest.approx(0.0246, abs=5e-5)
    assert float(100 * counted.gain_per_offer) == pytest.approx(0.3204, abs=5e-5)
    listed = sum((point.chance * point.offered * max(-point.edge, NEVER) for point in counted.points), NEVER)
    offered = sum((point.chance * point.offered for point in counted.points), NEVER)
    assert float(100 * listed / offered) == pytest.approx(0.3199, abs=5e-5)  # without the counts too rare to be shown


@pytest.mark.parametrize("count", ["ko", "tens", "best"])
def test_the_true_counts_of_an_unbalanced_count_average_zero(count: str, insurance: Paytable) -> None:
    """A count that is divided as if it were balanced has a mean far from zero: -57 was one of its true counts."""
    counted = by_count(insurance, 6, count=count, least_chance=NEVER)
    assert sum((point.chance * point.true for point in counted.points), NEVER) == 0
    favourable = [point.true for point in counted.points if point.edge < 0]
    assert favourable
    assert min(favourable) > 0  # a high count is a good one


def test_an_unbalanced_count_says_where_it_starts_and_turns(insurance: Paytable) -> None:
    counted = by_count(insurance, 6, count="ko")
    assert counted.count.initial_count(6) == -20
    assert counted.count.pivot == 4
    start = counted.count.initial_count(6)
    (at_pivot,) = (point for point in counted.points if start + point.running == 4)
    assert at_pivot.true == 4
    assert counted.key_count == start + min(point.running for point in counted.points if point.edge < 0)


def offered_without(table: Paytable, decks: int, card: int) -> int:
    """A shoe counts as often as the wager is offered: after a peek, not when the dealer has a blackjack."""
    if isinstance(table.kind, DealKind) or not terms_of(table).after_peek:
        return 1
    aces, tens = 4 * decks - (rank_of(card) == 0), 16 * decks - (rank_of(card) >= 9)
    return (52 * decks - 1) * (52 * decks - 2) - 2 * aces * tens


def test_two_cards_gone_are_the_mean_of_all_such_shoes() -> None:
    table, decks = TABLES["000 Lucky Ladies"], 2
    sums: dict[Fraction, list[Fraction]] = defaultdict(lambda: [NEVER, NEVER])
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
    assert count_for("best", price(table, 6)).tags[::4] == removal(table, 6).counts()[0].tags
    assert by_count(table, 6, count="best").gain > by_count(table, 6, count="hilo").gain > 0


def test_a_count_that_cannot_be_is_refused() -> None:
    table = TABLES["001 Perfect Pair"]
    with pytest.raises(BadRequest, match="no single card changes the price"):
        by_count(table, 4, count="best")
    with pytest.raises(UnknownName, match="did you mean hilo"):
        by_count(table, 4, count="hi-low")
    with pytest.raises(BadRequest, match="from 1 to 206, not 207"):
        by_count(table, 4, cards_gone=207)


def test_tags_with_too_many_sums_are_refused(insurance: Paytable) -> None:
    with pytest.raises(BadRequest, match="use smaller tags"):
        by_count(insurance, 8, count="99.999 0 0 0 0 0 0 0 0 -100")


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
