"""Chunks of rounds. A run is a series of chunks; its seed and the chunk's number decide what a chunk contains.

One spot is played by lanes (see `lockstep`), anything else by the scalar kernel from one shoe.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from upcard.problems import BadRequest
from upcard.sim import kernel
from upcard.sim.compile import Program
from upcard.sim.kernel import Counters, Counts, Ints, RoundTrace, Seeds, ShoeState, Worths
from upcard.sim.lockstep import (
    LANES,
    has_lanes,
    kernel_module,
    lane_count,
    lane_generator,
    lane_rounds,
    lane_seeds,
    play_together,
)

ROUNDS = 1 << 20  # of a complete chunk
NO_WORTHS = Worths(*(np.zeros(0, np.int64) for _ in Worths._fields))


@dataclass(frozen=True, kw_only=True)
class ChunkResult:
    rounds: int
    cells: Counts
    split_hands: Ints
    squares: Ints
    blocks: Ints


def seeds(seed: int, number: int) -> Seeds:
    """The generator's state for a chunk: the same as the child of this number that SeedSequence(seed) spawns."""
    return np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(4, np.uint64).astype(np.uint64)


def play_chunk(program: Program, seed: int, number: int, rounds: int, block: int = 0) -> ChunkResult:
    tally = new_tally(program, rounds, block)
    if has_lanes(program, block):
        return _play_lanes(program, lane_seeds(seed, number), rounds, tally)
    summed = block > 0 or len(program.game.seats) > 1
    played = kernel.play(
        rounds, new_shoe(program, seeds(seed, number), log=0), program.game, program.spread, program.classes,
        program.worths if summed else NO_WORTHS, tally, None,
    )  # fmt: skip
    _check(played, rounds)
    return _tallied(program, tally, rounds)


def _play_lanes(program: Program, generators: Counts, rounds: int, tally: Counters) -> ChunkResult:
    """Plays a chunk's lanes in lockstep, or one after the other if they are few or the kernel cannot be compiled."""
    if lane_count(rounds) == LANES and kernel_module() is not None:
        played = play_together(program, lane_rounds(rounds), generators, _spare(program, generators), tally)
        _check(played, rounds)
    else:
        for _ in _lanes_in_turn(program, generators, rounds, tally):
            pass
    return _tallied(program, tally, rounds)


def compile_kernels(program: Program, block: int = 0) -> None:
    """Compiles or loads the code that a run of this program needs."""
    play_chunk(program, 0, 0, 1, block)
    if has_lanes(program, block) and kernel_module() is not None:
        generators = lane_seeds(0, 0)
        few = np.ones(LANES, np.uint32)
        play_together(program, few, generators, _spare(program, generators), new_tally(program, LANES, 0))


def trace_chunk(program: Program, seed: int, number: int, rounds: int) -> tuple[ChunkResult, RoundTrace, ShoeState]:
    """Plays the same chunk and records every card and action."""
    tally = new_tally(program, rounds, 0)
    if not has_lanes(program, 0):
        shoe, trace = _recorder(program, rounds, seeds(seed, number))
        played = kernel.play(rounds, shoe, program.game, program.spread, program.classes, program.worths, tally, trace)
        _check(played, rounds)
        return _tallied(program, tally, rounds), trace, shoe
    parts = list(_lanes_in_turn(program, lane_seeds(seed, number), rounds, tally))
    shoe, trace = _joined(parts)
    return _tallied(program, tally, rounds), trace, shoe


def _lanes_in_turn(
    program: Program, generators: Counts, rounds: int, tally: Counters
) -> Iterator[tuple[ShoeState, RoundTrace, int]]:
    """Plays lane after lane by the scalar kernel: the shoe with its log, the trace, and how many hands it holds."""
    for lane, lane_share in enumerate(lane_rounds(rounds).tolist()):
        shoe, trace = _recorder(program, lane_share, lane_generator(generators[lane]))
        shoe.numbers[kernel.IS_LANE] = 1
        hands = int(tally.split_hands.sum())
        played = kernel.play(
            lane_share, shoe, program.game, program.spread, program.classes, program.worths, tally, trace
        )
        _check(played, lane_share)
        yield shoe, trace, int(tally.split_hands.sum()) - hands


def _joined(parts: list[tuple[ShoeState, RoundTrace, int]]) -> tuple[ShoeState, RoundTrace]:
    """The lanes' traces one behind the other, as one."""
    rounds, hands, cards, acts = 0, [], 0, 0
    ends, log, said = [], [], []
    for shoe, trace, hand_count in parts:
        made = int(trace.rounds[-1, 1]) if len(trace.rounds) else 0
        end, hand = trace.rounds, trace.hands[:hand_count]
        end[:, 0] += cards
        end[:, 1] += acts
        hand[:, 0] += rounds
        ends.append(end)
        hands.append(hand)
        log.append(shoe.log[: int(shoe.numbers[kernel.LOGGED])])
        said.append(trace.acts[:made])
        rounds, cards, acts = rounds + len(end), cards + len(log[-1]), acts + made
    shoe = parts[0][0]
    shoe.numbers[kernel.LOGGED] = cards
    trace = RoundTrace(
        rounds=np.concatenate(ends),
        spots=np.concatenate([trace.spots for _, trace, _ in parts]),
        hands=np.concatenate(hands),
        acts=np.concatenate(said),
    )
    return shoe._replace(log=np.concatenate(log)), trace


def _recorder(program: Program, rounds: int, generator: Seeds) -> tuple[ShoeState, RoundTrace]:
    """A shoe that logs its cards, and an empty trace."""
    spots = len(program.game.seats)
    most_hands = rounds * (spots * program.game.hands + 1)
    trace = RoundTrace(
        rounds=np.zeros((rounds, 6), np.int64),
        spots=np.zeros((rounds, spots, 4), np.int64),
        hands=np.zeros((most_hands, 3), np.int64),
        acts=np.zeros(most_hands * 8, np.uint8),
    )
    return new_shoe(program, generator, log=most_hands * 8), trace


def _spare(program: Program, generators: Counts) -> tuple[ShoeState, RoundTrace]:
    """What the scalar kernel needs to play a single round of a lane."""
    shoe, trace = _recorder(program, 1, lane_generator(generators[0]))
    shoe.numbers[kernel.IS_LANE] = 1
    return shoe._replace(log=np.zeros(4 * len(program.cards), np.uint8)), trace


def new_shoe(program: Program, seeds: Seeds, *, log: int) -> ShoeState:
    """An unshuffled shoe with its random generator."""
    cards = len(program.cards)
    shoe = ShoeState(
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


def new_tally(program: Program, rounds: int, block: int) -> Counters:
    wagers = program.nets.deal_wagers + program.nets.dealer_wagers + 3
    slots = program.spread.bins * program.spread.bets if len(program.game.seats) > 1 else 0
    return Counters(
        cells=np.zeros(int(np.prod(program.cells)), np.uint32),
        split_hands=np.zeros(program.spread.bets * 8, np.int64),
        squares=np.zeros(slots * wagers, np.int64),
        blocks=np.zeros(rounds // block if block else 0, np.int64),
        block=block,
    )


def _tallied(program: Program, tally: Counters, rounds: int) -> ChunkResult:
    if tally.squares.size:
        _complete(program, tally)
    return ChunkResult(
        rounds=rounds, cells=tally.cells, split_hands=tally.split_hands, squares=tally.squares, blocks=tally.blocks
    )


def _complete(program: Program, tally: Counters) -> None:
    """Completes the squares from the cells: the kernel squares only the sums of main wagers and of all wagers, and for
    a side wager adds the products of two spots' gains. Single gains, base results and insurance are added here."""
    spots = len(program.game.seats)
    bins, plans = program.spread.bins, program.spread.bets
    _, dealers, deals, insured, _ = program.cells
    counts = program.by_bin_and_bet(tally.cells.reshape(program.cells).sum(axis=4, dtype=np.int64))
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
        raise BadRequest("a shoe ran out with every card on the table: use fewer spots or more decks")
