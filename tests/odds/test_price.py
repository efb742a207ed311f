"""The exact prices, against a slow enumeration written from the filings, and under their own laws."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import side_wager_oracle as oracle
from support.hypothesis_strategies import deal_kinds, hands, priced_tables, tables

from upcard.cards import DECK, SUIT_NAMES, Card
from upcard.catalog import shipped
from upcard.catalog.pays import Fixed, Share
from upcard.catalog.paytable import Paytable
from upcard.odds.composition import tally_shoe
from upcard.odds.price import price, price_all
from upcard.odds.shoe import shoe_without
from upcard.problems import BadRequest
from upcard.units import Basis, Cents
from upcard.wagers import DealKind
from upcard.wagers.deal_counts import tally, unreachable


@pytest.mark.parametrize("table", priced_tables(), ids=lambda table: table.slug)
def test_every_table_agrees_with_the_slow_enumeration(table: Paytable) -> None:
    """Exactly, at every deck count the filing allows."""
    for decks in table.decks:
        priced = price(table, decks)
        slow = oracle.probabilities(table.kind.name, sorted(table.lines), decks)
        assert {line.event: line.probability for line in priced.lines} | {"loss": priced.loss} == slow


@pytest.mark.parametrize("suit", SUIT_NAMES)
@pytest.mark.parametrize("name", ["PT-BJS-LL-34", "PT-BJS-213-08"])
def test_the_operators_suit_agrees_with_the_slow_enumeration(name: str, suit: str) -> None:
    """R13: hearts are rarer than the other suits, since the queens of hearts are in the player's hand."""
    table = shipped().paytable(name)
    priced = price(table, 6, suit=SUIT_NAMES.index(suit))
    slow = oracle.probabilities(table.kind.name, sorted(table.lines), 6, suit)
    assert {line.event: line.probability for line in priced.lines} == {event: slow[event] for event in table.lines}


@pytest.mark.parametrize("kind", sorted(set(oracle.KINDS)))
def test_every_kind_agrees_with_the_slow_enumeration_on_which_event_is_higher(kind: str) -> None:
    """All events listed at once, so that every precedence counts; the oracle knows the order by itself."""
    wager_kind = shipped().kind(kind)
    assert isinstance(wager_kind, DealKind)
    counted = tally(wager_kind, wager_kind.events, 6)
    slow = oracle.probabilities(kind, sorted(wager_kind.events), 6)
    assert {event: Fraction(count, counted.deals) for event, count in counted.by_event.items()} == {
        event: slow[event] for event in wager_kind.events
    }


def test_all_tables_at_all_their_decks_part_the_deals_exactly() -> None:
    prices = list(price_all(shipped()))
    assert len(prices) == sum(len(table.decks) for table in shipped().paytables.values())
    for kind_price in prices:
        assert sum((line.probability for line in kind_price.lines), kind_price.loss) == 1
        assert kind_price.hit_rate == 1 - kind_price.loss
        assert kind_price.variance >= 0


@given(deal_kinds, st.integers(1, 40))
def test_a_shoe_counted_card_by_card_agrees_with_the_polynomial(kind: DealKind, decks: int) -> None:
    assert tally_shoe(kind, kind.events, (decks,) * 52) == tally(kind, kind.events, decks)


@given(deal_kinds, hands(4, 9), st.integers(0, 3))
def test_any_small_shoe_agrees_with_dealing_it_in_every_order(kind: DealKind, cards: list[Card], suit: int) -> None:
    """The classifier of one hand and the counts of all hands are one definition."""
    counts = Counter(cards)
    counted = tally_shoe(kind, kind.events, [counts[card] for card in DECK], suit)
    dealt = Counter(
        kind.classify(dict(zip(kind.reads, deal, strict=True)), kind.events, suit)
        for deal in permutations(cards, len(kind.reads))
        if kind.name != "insurance" or deal[0] < 4
    )
    assert counted.by_event == {event: dealt[event] for event in kind.events}
    assert counted.loss == dealt[None]


@given(tables, st.data())
def test_raising_a_pay_by_one_lowers_the_edge_by_its_probability(table: Paytable, data: st.DataObject) -> None:
    decks = data.draw(st.sampled_from(table.decks))
    fixed = [event for event, pay in table.lines.items() if isinstance(pay, Fixed)]
    event = data.draw(st.sampled_from(fixed))
    pay = table.lines[event]
    assert isinstance(pay, Fixed)
    richer = replace(table, lines={**table.lines, event: Fixed(pay.units + 1)})
    before, after = price(table, decks), price(richer, decks)
    assert before.edge - after.edge == {line.event: line.probability for line in before.lines}[event]


@given(tables)
def test_for_one_costs_the_winner_their_stake(table: Paytable) -> None:
    decks = table.decks[0]
    to_one = price(replace(table, basis=Basis.TO_ONE), decks)
    for_one = price(replace(table, basis=Basis.FOR_ONE), decks)
    assert for_one.edge - to_one.edge == to_one.hit_rate


@given(tables)
def test_contributions_add_up_to_the_edge(table: Paytable) -> None:
    priced = price(table, table.decks[-1])
    returned = sum((line.contribution for line in priced.lines), Fraction(0))
    if table.basis is Basis.TO_ONE:
        assert priced.edge == priced.loss - returned
    else:
        assert priced.edge == 1 - returned


@given(tables, st.data())
def test_the_edge_is_a_straight_line_in_the_meter_and_zero_at_break_even(table: Paytable, data: st.DataObject) -> None:
    decks = data.draw(st.sampled_from(table.decks))
    priced = price(table, decks)
    for jackpot in table.jackpots:
        even = priced.break_even(jackpot)
        if even is None:
            assert set(unreachable(table.kind, tuple(table.lines), decks)) > set()
            continue
        assert priced.edge_at({jackpot: even}) == 0
        meter = Fraction(data.draw(st.integers(0, 10**7)))
        paid = {
            event: Fixed(pay.largest * meter / Fraction(priced.stake or 0, 100)) if isinstance(pay, Share) else pay
            for event, pay in table.lines.items()
        }
        others = {event for event, pay in table.lines.items() if isinstance(pay, Share) and pay.jackpot != jackpot}
        if not others:
            assert price(replace(table, lines=paid), decks).edge == priced.edge_at({jackpot: meter})


def test_second_action_is_priced_as_double_action() -> None:
    """004: the same tables, the hole card for the up card."""
    second, double = shipped().kind("second-action"), shipped().kind("double-action")
    assert isinstance(second, DealKind)
    assert isinstance(double, DealKind)
    for decks in (2, 4, 5, 6, 8):
        assert tally(second, second.events, decks) == tally(double, double.events, decks)


def test_half_the_share_for_half_the_wager_has_the_same_edge() -> None:
    """001: $5 wins 50% of MEGA, $10 wins all of it."""
    table = shipped().paytable("001 Lucky Ladies")
    five, ten = (price(table, 6, stake=Cents(stake)) for stake in (500, 1000))
    meters = {"MEGA": Fraction(40_000), "MAJOR": Fraction(9_000), "MINOR": Fraction(1_234)}
    assert [line.share for line in five.jackpots] == [Fraction(1, 2)] * 3
    assert five.edge_at(meters) == ten.edge_at(meters)


def test_a_larger_fixed_wager_needs_a_larger_meter_to_break_even() -> None:
    """003 D note 6, R22: fixed pays multiply with the wager, the meter does not."""
    table = shipped().paytable("PT-BJS-LL-30")
    one_dollar, five_dollars = (price(table, 6, stake=Cents(stake)) for stake in (100, 500))
    assert one_dollar.edge == five_dollars.edge
    even_one, even_five = one_dollar.break_even("Lucky Ladies Jackpot"), five_dollars.break_even("Lucky Ladies Jackpot")
    assert even_one is not None
    assert even_five == 5 * even_one


def test_a_wager_the_table_has_no_share_for_is_refused() -> None:
    with pytest.raises(BadRequest, match=r"a wager of \$7 has no share of MEGA; it takes \$5 or \$10"):
        price(shipped().paytable("001 Lucky Ladies"), 6, stake=Cents(700))


def test_removed_cards_change_the_price_and_impossible_removals_are_refused() -> None:
    table = shipped().paytable("PT-FLT-LL-03")
    queens = [Card(46)] * 5  # five of six queens of hearts are gone
    assert price(table, 6, removed=queens).lines[0].probability == 0
    with pytest.raises(BadRequest, match="6 decks hold 6 Qh, not 7"):
        shoe_without(6, [Card(46)] * 7)
    with pytest.raises(BadRequest, match="52 counts"):
        tally_shoe(shipped().kind("21+3"), ("flush",), [1, 2, 3])  # type: ignore[arg-type]  # a kind known to be a deal kind


def test_awards_that_cannot_happen_are_found() -> None:
    """R21."""
    table = shipped().paytable("001 Lucky Ladies")
    assert unreachable(table.kind, tuple(table.lines), 2) == ("three-queens-of-hearts", "three-queens-same-suit")
    assert unreachable(table.kind, tuple(table.lines), 6) == ()
    match = shipped().paytable("002 Match the Dealer")
    assert unreachable(match.kind, tuple(match.lines), 2) == ("two-suited-matches",)
    bust = shipped().paytable("PT-FLT-BB-01")
    assert unreachable(bust.kind, tuple(bust.lines), 2) == ("three-eights-suited",)
    assert unreachable(bust.kind, tuple(bust.lines), 3) == ()
