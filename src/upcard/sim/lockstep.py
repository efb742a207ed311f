"""Chunks dealt to lanes: which programs can be, each lane's seed and rounds, and the kernel that plays them together.

A chunk of such a program is 32 tables, each with its own shoe, seed and share of the rounds. The lockstep kernel plays
them at the same time. The scalar kernel can play them too, one after the other, and counts the same integers: it does
so for short chunks, for traces, and where the lockstep kernel cannot be compiled.
"""

from functools import cache
from types import ModuleType

import numpy as np

from upcard.sim import kernel as k
from upcard.sim.compile import Program
from upcard.sim.kernel import Counters, Counts, RoundTrace, Seeds, ShoeState
from upcard.sim.lane_tables import LaneTables

VERSION = 1  # of the lanes' cards; part of a run's fingerprint
LANES = 32
FEWEST_ROUNDS = 1 << 16  # of a chunk for all lanes; a shorter one is one lane, so that shoes are played to their end
MOST_COUNT = 1 << 16  # of a running count
MOST_DIVISOR = 1 << 15  # cards times the scale of the tags
HIGHEST_INSURANCE = 30  # true count


def has_lanes(program: Program, block: int) -> bool:
    """Whether lanes play a program. Sums of consecutive rounds, and several spots, are left to the scalar kernel."""
    return block == 0 and _tables(program) is not None


def lane_count(rounds: int) -> int:
    return LANES if rounds >= FEWEST_ROUNDS else 1


def lane_rounds(rounds: int) -> Counts:
    """The rounds of each lane: the same for all, plus one for the first few."""
    lanes = lane_count(rounds)
    return np.array([rounds // lanes + (lane < rounds % lanes) for lane in range(lanes)], np.uint32)


def lane_seeds(seed: int, number: int) -> Counts:
    """[lane, word] the generators of a chunk."""
    sequence = np.random.SeedSequence(seed, spawn_key=(number,))
    return sequence.generate_state(4 * LANES, np.uint32).astype(np.uint32).reshape(LANES, 4)


def lane_generator(seeds: Counts) -> Seeds:
    """The generator of one lane for the scalar kernel; the second half is the current shoe's."""
    return np.append(seeds, np.zeros(k.LANE_WORDS - len(seeds))).astype(np.uint64)


def play_together(
    program: Program, rounds: Counts, seeds: Counts, spare: tuple[ShoeState, RoundTrace], tally: Counters
) -> int:
    """Plays all lanes in lockstep; returns how many rounds were played, which are fewer if a shoe ran out."""
    module, tables = kernel_module(), _tables(program)
    if module is None or tables is None:
        raise RuntimeError("only programs with lanes are played in lockstep, and only where the kernel compiles")
    memory, cards = module.new_memory(program, rounds, seeds), len(program.cards)
    while module.play_lanes(memory, tables, cards, program.game, program.spread, program.classes, tally):
        if module.finish_shoes(memory, program, spare, tally):
            return 0
    return int(rounds.sum())


@cache
def kernel_module() -> ModuleType | None:
    """The lockstep kernel, or None where this numba or llvmlite cannot compile it."""
    return None if why_not() else _imported()


@cache
def why_not() -> str:
    """Why the lockstep kernel cannot be compiled; empty if it can."""
    try:
        _imported().try_out()
    except Exception as error:  # whatever a new numba or llvmlite raises
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def _imported() -> ModuleType:
    from upcard.sim import lockstep_kernel

    return lockstep_kernel


def kernel_name(program: Program, block: int) -> str:
    """Which kernel plays long chunks: "lockstep" or "scalar"."""
    return "lockstep" if has_lanes(program, block) and kernel_module() is not None else "scalar"


def fallback_notice(program: Program, block: int) -> tuple[str, ...]:
    if not has_lanes(program, block) or not why_not():
        return ()
    return (
        f"the lockstep kernel cannot be compiled here ({why_not()}): the scalar kernel played, with the same results; "
        "install the versions of numba and llvmlite that requirements.lock names",
    )


def _tables(program: Program) -> LaneTables | None:
    if len(program.game.seats) > 1 or not _count_fits(program):
        return None
    return program.lane_tables


def _count_fits(program: Program) -> bool:
    """Whether the running count, its bins and insurance by it fit the lanes' numbers."""
    cards, spread = len(program.cards), program.spread
    tags = program.tags.reshape(-1, 4)
    by_rank = bool((tags == tags[:, :1]).all())
    count = int(np.abs(program.tags[program.cards]).sum())
    divisor = cards * round(1 / (float(spread.inverse[0]) * cards))
    insurance = not spread.insures or spread.insure_from < -HIGHEST_INSURANCE or spread.insure_from <= HIGHEST_INSURANCE
    return by_rank and count < MOST_COUNT and divisor < MOST_DIVISOR and insurance
