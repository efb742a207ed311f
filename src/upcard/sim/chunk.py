"""Chunks: so many rounds from one seed. A run is a row of chunks, and only their numbers decide what they hold."""

from dataclasses import dataclass

import numpy as np

from upcard.problems import BadRequest
from upcard.sim import kernel
from upcard.sim.compile import Program
from upcard.sim.kernel import Counts, Ints, Seeds, Shoe, Tally, Trace, Worths

ROUNDS = 1 << 20  # of a whole chunk
_NO_WORTHS = Worths(*(np.zeros(0, np.int64) for _ in Worths._fields))


@dataclass(frozen=True, kw_only=True)
class Tallied:
    """What one chunk counted."""

    rounds: int
    cells: Counts
    split_hands: Ints
    squares: Ints
    blocks: Ints


def seeds(seed: int, number: int) -> Seeds:
    """The generator's state for a chunk: the same as the child of this number that SeedSequence(seed) spawns."""
    return np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(4, np.uint64).astype(np.uint64)


def play_chunk(program: Program, seed: int, number: int, rounds: int, block: int = 0) -> Tallied:
    """Plays one chunk."""
    tally = new_tally(program, rounds, block)
    summed = block > 0 or len(program.house.seats) > 1
    played = kernel.play(
        rounds, new_shoe(program, seeds(seed, number), log=0), program.house, program.bets, program.classes,
        program.worths if summed else _NO_WORTHS, tally, None,
    )  # fmt: skip
    _check(played, rounds)
    return _tallied(program, tally, rounds)


def trace_chunk(program: Program, seed: int, number: int, rounds: int) -> tuple[Tallied, Trace, Shoe]:
    """The same chunk, with everything written down."""
    spots = len(program.house.seats)
    most = rounds * (spots * program.house.hands + 1)
    tally = new_tally(program, rounds, 0)
    trace = Trace(
        rounds=np.zeros((rounds, 6), np.int64),
        spots=np.zeros((rounds, spots, 4), np.int64),
        hands=np.zeros((most, 3), np.int64),
        acts=np.zeros(most * 8, np.uint8),
    )
    shoe = new_shoe(program, seeds(seed, number), log=most * 8)
    played = kernel.play(rounds, shoe, program.house, program.bets, program.classes, program.worths, tally, trace)
    _check(played, rounds)
    return _tallied(program, tally, rounds), trace, shoe


def new_shoe(program: Program, seeds: Seeds, *, log: int) -> Shoe:
    """An unshuffled shoe with its generator."""
    cards = len(program.cards)
    shoe = Shoe(
        cards=cards,
        bytes=np.zeros(kernel.SHOE_BYTES, np.uint8),
        numbers=np.zeros(kernel.SHOE_NUMBERS, np.int64),
        generator=seeds,
        log=np.zeros(log, np.uint8),
    )
    shoe.bytes[kernel.DECK : kernel.DECK + cards] = program.cards
    shoe.numbers[kernel.COUNTING] = int(program.tags.any())
    shoe.numbers[kernel.TAGS : kernel.TAGS + len(program.tags)] = program.tags
    return shoe


def new_tally(program: Program, rounds: int, block: int) -> Tally:
    """Nothing counted yet."""
    wagers = program.nets.deal_wagers + program.nets.dealer_wagers + 3
    slots = program.bets.bins * program.bets.plans if len(program.house.seats) > 1 else 0
    return Tally(
        cells=np.zeros(int(np.prod(program.cells)), np.uint32),
        split_hands=np.zeros(program.bets.plans * 8, np.int64),
        squares=np.zeros(slots * wagers, np.int64),
        blocks=np.zeros(rounds // block if block else 0, np.int64),
        block=block,
    )


def _tallied(program: Program, tally: Tally, rounds: int) -> Tallied:
    """The kernel's arrays as a chunk's."""
    if tally.squares.size:
        _complete(program, tally)
    return Tallied(
        rounds=rounds, cells=tally.cells, split_hands=tally.split_hands, squares=tally.squares, blocks=tally.blocks
    )


def _complete(program: Program, tally: Tally) -> None:
    """The kernel squared the sums of main wagers and of all wagers, and of a side wager only the products of two spots'
    gains; what a spot gained alone, what it has without a gain and what insurance brought follows from the cells."""
    spots = len(program.house.seats)
    bins, plans = program.bets.bins, program.bets.plans
    _, dealers, deals, insured, _ = program.cells
    counts = program.spread(tally.cells.reshape(program.cells).sum(axis=4, dtype=np.int64))
    classes = counts.sum(axis=4)
    rounds = classes.sum(axis=(2, 3)) // spots
    gains = program.worths.gains.reshape(plans, dealers, deals, -1)
    nets = program.nets
    deal, dealer = nets.deal.reshape(plans, deals, -1), nets.dealer.reshape(plans, dealers, -1)
    base = spots * np.concatenate([deal[:, 0], dealer[:, 0]], axis=1)  # [plan, wager]
    squares = tally.squares.reshape(bins, plans, -1)
    sides = squares[:, :, :-3]
    sides += np.einsum("bpec,pecw->bpw", classes, gains * (gains + 2 * base[:, None, None]))
    sides += rounds[:, :, None] * base**2
    insurance = nets.insurance.reshape(plans, 3)[:, :insured]
    squares[:, :, -2] = spots * (counts.sum(axis=(2, 3)) * insurance**2).sum(axis=2)


def _check(played: int, rounds: int) -> None:
    if played < rounds:
        raise BadRequest("a shoe ran out with every card on the table: play fewer spots or more decks")
