"""How the wagers of a round vary together: covariances of two wagers on one spot, and on two spots.

Spots share the dealer and wagers read the same cards, so a day's results vary more than those of independent wagers.
They come from the kernel's trace of every spot of every round, so that other runs are as fast as ever. All wagers are
played at once; pairs that no single bet allows are played in further runs. A wager that is only made in some rounds
(insurance, late wagers) has its covariances per round in which both wagers are made.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

import numpy as np

from upcard.cards.shoe import CARDS_PER_DECK
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.engine.terms import Terms
from upcard.problems import BadRequest
from upcard.sim.chunk import trace_chunk
from upcard.sim.compile import Compiled, compile_game
from upcard.sim.event_classes import NOT_MADE, Event, build_event_classes
from upcard.sim.kernel import WIN, Floats, RoundTrace
from upcard.strategy.chart import Chart
from upcard.strategy.player import Player, WagerRule
from upcard.wagers import DealKind

ROUNDS = 1 << 19  # of each run: the error of a correlation is about 0.001
CHUNK = 1 << 15  # rounds traced at a time, which take some 30 MB
SPOTS = 3
SEED = 2026
MAIN, INSURANCE = "main", "insurance"  # names of a game's wagers begin with a capital letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Covariances:
    """Covariances of the results of two wagers of one unit each, per round in which both are made.

    The main wagers count as one; every side wager and insurance are among them.
    """

    one_spot: dict[tuple[str, str], float]
    two_spots: dict[tuple[str, str], float]
    two_spot_errors: dict[tuple[str, str], float]  # standard errors


def covariances(catalog: Catalog, layout: Layout, chart: Chart, *, rounds: int = ROUNDS) -> Covariances:
    """Plays every pair of a layout's wagers together; pairs that cannot be are left at zero."""
    layout = layout.model_copy(update={"aggregate_limit": ()})  # the simulator does not know it
    without_sides = _compile(catalog, layout, chart, {}, main_only=True)
    sides = [name for name, wager in without_sides.terms.wagers.items() if not wager.is_main]
    wagers = (MAIN, *sides, INSURANCE)
    one_spot, two_spots, errors = (dict.fromkeys(product(wagers, wagers), 0.0) for _ in range(3))
    pairs = dict.fromkeys(combinations_with_replacement(sides, 2))
    for compiled in _runs(catalog, layout, chart, sides, pairs) if sides else (without_sides,):
        made = [name for name in wagers if name in (MAIN, INSURANCE) or name in compiled.spread.wagers]
        for values, matrix in zip((one_spot, two_spots, errors), _moments(compiled, made, rounds), strict=True):
            values.update(zip(product(made, made), matrix.ravel().tolist(), strict=True))
        for pair in combinations_with_replacement([name for name in sides if name in made], 2):
            pairs.pop(pair, None)
    return Covariances(one_spot=one_spot, two_spots=two_spots, two_spot_errors=errors)


def _compile(
    catalog: Catalog, layout: Layout, chart: Chart, rules: Mapping[str, WagerRule], *, main_only: bool = False
) -> Compiled:
    player = Player(always_insures=True, rules=rules, main_only=main_only)
    return compile_game(catalog, layout, chart, player, spots=min(SPOTS, layout.spots))


def _runs(
    catalog: Catalog, layout: Layout, chart: Chart, sides: Sequence[str], pairs: dict[tuple[str, str], None]
) -> Iterator[Compiled]:
    """Runs until no pair is left: first all wagers, then each remaining pair with as many others as may join it."""
    with suppress(BadRequest):  # where some wagers exclude each other
        yield _compile(catalog, layout, chart, {})
    while pairs:
        pair = next(iter(pairs))
        for off in range(len(sides)):
            rules = {name: WagerRule(off=True) for name in [name for name in sides if name not in pair][:off]}
            try:
                compiled = _compile(catalog, layout, chart, rules | dict.fromkeys(pair, WagerRule()))
            except BadRequest:
                continue
            yield compiled
            break
        pairs.pop(pair, None)  # even if nobody can make the two together


def _moments(compiled: Compiled, wagers: Sequence[str], rounds: int) -> tuple[Floats, Floats, Floats]:
    """The covariances of these wagers on one spot, and on two with their standard errors.

    Chunks are independent of each other, so their spread gives the errors.
    """
    size, spots, chunks = len(wagers), compiled.spots, -(-rounds // CHUNK)
    means = np.zeros((chunks, size))
    products, times_made = np.zeros((2, chunks, size, size)), np.zeros((2, size, size))  # [on one spot, on two]
    pairs = np.array([CHUNK * spots, max(CHUNK * spots * (spots - 1), 1)])[:, None, None]
    for number in range(chunks):
        _, trace, _ = trace_chunk(compiled.program, SEED, number, CHUNK)
        results, made = _results(compiled, wagers, trace)
        means[number] = results.mean(axis=(0, 1))
        products[:, number] = _summed_products(results) / pairs
        times_made += _summed_products(made) / pairs
    mean = means.mean(axis=0)
    both_made = np.maximum(times_made / chunks, 1e-12)
    one_spot, two_spots = (products.mean(axis=1) - np.outer(mean, mean)) / both_made
    if spots == 1:
        return one_spot, np.zeros((size, size)), np.zeros((size, size))
    moved = means[:, :, None] * mean
    centred = products[1] - moved - np.swapaxes(moved, 1, 2)
    errors = centred.std(axis=0, ddof=1) / np.sqrt(chunks) if chunks > 1 else np.full((size, size), np.inf)
    return one_spot, two_spots, errors / both_made[1]


def _summed_products(values: Floats) -> Floats:
    """[on one spot or on two, wager, wager] the products of two wagers' values, summed over rounds."""
    flat, together = values.reshape(-1, values.shape[-1]), values.sum(axis=1)
    own = flat.T @ flat
    return np.array([own, together.T @ together - own])


def _results(compiled: Compiled, wagers: Sequence[str], trace: RoundTrace) -> tuple[Floats, Floats]:
    """[round, spot, wager] the net of one unit, and 1 where the wager was made."""
    program, (bet,), (payouts,) = compiled.program, compiled.spread.bets, compiled.payouts
    nets, classes = program.nets, compiled.classes
    deal, dealer, insured, result = np.moveaxis(trace.spots, 2, 0)
    results, made = np.zeros((*result.shape, len(wagers))), np.ones((*result.shape, len(wagers)))
    for place, name in enumerate(wagers):
        if name == MAIN:
            net, stake = nets.main[result], sum(hand.stake for hand in payouts.hands[WIN].values())
        elif name == INSURANCE:
            net, stake = nets.insurance[insured], sum(slip.stake for slip in payouts.insurance[0].values())
            made[:, :, place] = insured > 0
        elif name in classes.deal_wagers:
            by_class = nets.deal.reshape(-1, nets.deal_wagers)[:, classes.deal_wagers.index(name)]
            net, stake = by_class[deal], bet[name]
        else:
            column = classes.dealer_wagers.index(name)
            net, stake = nets.dealer.reshape(-1, nets.dealer_wagers)[:, column][dealer], bet[name]
            made[:, :, place] = np.array([events[column] != NOT_MADE for events in classes.dealer_events])[dealer]
        results[:, :, place] = net / stake
    return results, made


Events = tuple[tuple[str, str], ...]  # wagers and what each of them won


def joint_events(terms: Terms) -> dict[Events, float]:
    """The exact chance of every combination of events of the wagers on the first cards, except that none wins."""
    sides = [name for name, wager in terms.wagers.items() if isinstance(wager.kind, DealKind) and wager.paytable]
    if not sides:
        return {}
    classes = build_event_classes(terms, sides, insures=False)
    joint, roles = classes.classes, 4 if classes.classes.hole_read else 3
    cells = joint.insured * joint.results
    chances = np.zeros(joint.deals)
    cards = np.indices((CARDS_PER_DECK,) * (roles - 1)).reshape(roles - 1, -1)
    for first in range(CARDS_PER_DECK):
        dealt = [np.full(cards.shape[1], first), *cards]
        weight = np.ones(cards.shape[1])
        for place, card in enumerate(dealt):
            gone = sum((earlier == card for earlier in dealt[:place]), np.zeros(cards.shape[1]))
            weight *= np.maximum(terms.decks - gone, 0) / (CARDS_PER_DECK * terms.decks - place)
        ranks = sum((card >> 2) * 13 ** (roles - 1 - place) for place, card in enumerate(dealt))
        suits = sum((card & 3) * 4 ** (roles - 1 - place) for place, card in enumerate(dealt))
        pattern = joint.ranks[ranks].astype(np.int64) * joint.suit_classes + joint.suits[suits]
        chances += np.bincount(joint.join[pattern] // cells, weights=weight, minlength=joint.deals)
    rows = [_won(classes.deal_wagers, row) for row in classes.deal_events]
    return {events: float(chance) for events, chance in zip(rows, chances, strict=True) if events and chance}


def _won(wagers: Sequence[str], row: Sequence[Event]) -> Events:
    return tuple((name, event) for name, event in zip(wagers, row, strict=True) if event)
