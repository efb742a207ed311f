"""The same round on two spots: exact covariances between a wager on one spot and a wager on another.

Spots share the dealer and the shoe. Two wagers on the deal are compared over all cards of both spots, for each up card
and hole card: the second spot's cards come from what the first one's leave. A wager on the dealer's hand has the same
result on every spot, so there its covariances are those of one spot. The main game of one spot and a wager on the deal
of another are compared through what the main game is worth once that other spot's two cards are gone, played as if they
were not seen. Two main games, and the main game with a wager that reads a hole card which makes no blackjack, are left
to the simulator: NaN here.
"""

from collections.abc import Mapping, Sequence
from math import nan, perm

import numpy as np

from upcard.odds.four_cards import CARDS, PLACE, VALUE, BonusMeans, DealResults, MainMeans, OnFourCards
from upcard.odds.main.chart_play import ChartPlay
from upcard.odds.main.fixed_play import worth_by_upcard
from upcard.odds.main.hand_tables import Floats
from upcard.odds.main.play import Optimum
from upcard.odds.main.position import ACE, PAIRS, TEN


def two_spot_products(wagers: Mapping[str, OnFourCards], one_spot: Floats, decks: int) -> Floats:
    """[wager, wager of another spot] the mean of the product of both results; NaN where it is not exact.

    `one_spot` has the same means for two wagers on one spot.
    """
    results = list(wagers.values())
    products = np.full(one_spot.shape, nan)
    deals = [place for place, result in enumerate(results) if isinstance(result, DealResults)]
    if deals:
        products[np.ix_(deals, deals)] = _deal_products([_deal(results[place]) for place in deals], decks)
    for place, result in enumerate(results):
        if isinstance(result, BonusMeans):
            products[place], products[:, place] = one_spot[place], one_spot[:, place]
    mains = [place for place, result in enumerate(results) if isinstance(result, MainMeans)]
    way = next((result.way for result in results if isinstance(result, MainMeans)), None)
    if way is not None and deals and _tens_play_alike(way):
        by_cards, takes_all = worth_by_upcard(way), way.play.position.rules.hole == "none"
        for place in deals:
            wager = _deal(results[place])
            product = nan if takes_all and wager.reads_hole else _main_product(wager, by_cards, decks)
            products[mains, place] = products[place, mains] = product
    return products


def _deal(results: OnFourCards) -> DealResults:
    assert isinstance(results, DealResults)
    return results


def _deal_products(wagers: Sequence[DealResults], decks: int) -> Floats:
    """[wager, wager of another spot] the mean of the product of two wagers on the deal."""
    by_hole = any(wager.reads_hole for wager in wagers)
    return sum((deal_products_against(wagers, decks, up, by_hole=by_hole) for up in range(CARDS)), np.zeros(()))


def deal_products_against(wagers: Sequence[DealResults], decks: int, up: int, *, by_hole: bool) -> Floats:
    """The part of the products that one up card contributes."""
    equal, left = np.eye(CARDS), np.full((1, CARDS), float(decks))  # [hole card, card]
    left[0, up] -= 1
    if by_hole:
        chance = left[0] / (CARDS * (CARDS * decks - 1))
        left = np.maximum(left - equal, 0.0)
    else:
        chance = np.array([1 / CARDS])
    ways = left[:, :, None] * (left[:, None, :] - equal)  # of two cards in this order
    shape = (len(chance), CARDS, CARDS)
    nets = [np.broadcast_to(np.moveaxis(wager.with_up(up), 2, 0), shape) for wager in wagers]
    others = np.array([(_on_other_cards(net, ways, left)).ravel() for net in nets])
    drawn = perm(CARDS * decks - (2 if by_hole else 1), 4)
    weighted = np.array([(net * ways * chance[:, None, None] / drawn).ravel() for net in nets])
    return np.asarray(weighted @ others.T)


def _on_other_cards(net: Floats, ways: Floats, left: Floats) -> Floats:
    """[hole, first, second] a wager's results, summed over the two cards of a spot when these two are gone.

    One card less of a kind takes away the ways that use it: (n - x)(m - y) is multiplied out.
    """
    diagonal = np.einsum("hcc->hc", net)
    without = (net * left[:, None, :]).sum(axis=2) - diagonal + (net * left[:, :, None]).sum(axis=1)
    single = diagonal - without
    total = (net * ways).sum(axis=(1, 2))
    return np.asarray(total[:, None, None] + single[:, :, None] + single[:, None, :] + net + np.swapaxes(net, 1, 2))


def _tens_play_alike(way: Optimum | ChartPlay) -> bool:
    """Whether tens play the same in a pair by rank as not: otherwise values do not say what the main game is worth."""
    by_total, by_pair = way.decisions
    tens = PAIRS[TEN]
    return way.play.position.rules.split == "value" or bool((by_total[tens] == by_pair[tens]).all())


def _main_product(wager: DealResults, by_cards: tuple[Floats, Floats], decks: int) -> float:
    """The main game's result times this wager's on another spot; NaN if the wager reads hole cards of no blackjack."""
    answer = _by_blackjack(wager, decks)
    if answer is None:
        return nan
    with_blackjack, without = answer
    worth, lost = (table[PLACE[VALUE[:, None], VALUE]][:, :, VALUE] for table in by_cards)  # [first, second, up]
    equal = np.eye(CARDS)
    left = decks - equal[:, None, :] - equal[None, :, :]
    ways = decks * (decks - equal)[:, :, None] * np.maximum(left, 0)
    product = without * (worth - lost) + with_blackjack * lost
    return float((ways * product).sum() / perm(CARDS * decks, 3))


def _by_blackjack(wager: DealResults, decks: int) -> tuple[Floats, Floats] | None:
    """[first, second, up] the mean if the hole card makes a dealer's blackjack, and the result if it does not.

    None if the result then depends on the hole card. Which ace or ten makes the blackjack is nothing to the main game.
    """
    shape = (CARDS, CARDS, CARDS)
    if not wager.reads_hole:
        results = np.broadcast_to(wager.results[:, :, :, 0], shape)
        return results, results
    aces, tens = VALUE == ACE, VALUE == TEN
    blackjack = (aces[:, None] & tens) | (tens[:, None] & aces)  # [up, hole]
    equal = np.eye(CARDS)
    made, others = np.zeros(shape), np.zeros(shape)
    for up in range(CARDS):
        results = np.broadcast_to(wager.with_up(up), shape)  # [first, second, hole]
        alike = results[:, :, ~blackjack[up]]
        if (alike != alike[:, :, :1]).any():
            return None
        others[:, :, up] = alike[:, :, 0]
        holes = blackjack[up]
        if holes.any():
            left = np.maximum(decks - equal[:, None, holes] - equal[None, :, holes] - equal[up, holes], 0)
            made[:, :, up] = (results[:, :, holes] * left).sum(axis=2) / left.sum(axis=2)
    return made, others
