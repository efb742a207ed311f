"""The job for simulations: a side wager played until it has had its rounds, its time, or enough.

It is played a little at a time, and each time goes on where the last one ended: so whoever asks for a figure meanwhile
has his turn in between.
"""

import pickle
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from upcard.catalog import shipped
from upcard.odds.price import price
from upcard.odds.question import PriceQuestion
from upcard.workers.worker import Progress, report_progress

if TYPE_CHECKING:  # the simulator is loaded by the worker only
    from upcard.sim.compile import Compiled
    from upcard.sim.sums import Sums

FIRST = 4096  # rounds of the first chunk, so that something is seen at once
LARGEST = 1 << 19
A_WHILE = 1.0  # seconds of play before others have their turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be played, and for how long."""

    slug: str
    question: PriceQuestion
    rounds: int
    seed: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SoFar:
    """What was played until now, and how it ended if it has."""

    sums: bytes = b""  # pickled: only a worker reads them
    chunks: int = 0
    spent: float = 0.0
    ended: str = ""


def play(wanted: Wanted, so_far: SoFar) -> SoFar:
    """Plays on for a while, chunk after chunk, and tells the mean so far after each."""
    from upcard.sim.chunk import play_chunk
    from upcard.sim.sums import Sums

    compiled, wager, exact = _made_ready(wanted.slug, wanted.question)
    sums: Sums = pickle.loads(so_far.sums) if so_far.sums else Sums.empty(compiled.program)
    chunks, spent = so_far.chunks, so_far.spent
    started, until = time.monotonic() - spent, min(spent + A_WHILE, wanted.seconds)
    while sums.rounds < wanted.rounds and spent < until:
        size = min(LARGEST, max(FIRST, sums.rounds), wanted.rounds - sums.rounds)
        sums.add(play_chunk(compiled.program, wanted.seed, chunks, size))
        if chunks == 0:
            started = time.monotonic()  # the first chunk may have waited for the compiler
        chunks, spent = chunks + 1, time.monotonic() - started
        report_progress(_point(compiled, sums, wager) | {"exact_percent": float(100 * exact), "seconds": spent})
    ended = "done" if sums.rounds >= wanted.rounds else "out of time" if spent >= wanted.seconds else ""
    return SoFar(sums=pickle.dumps(sums), chunks=chunks, spent=spent, ended=ended)


@lru_cache(4)
def _made_ready(slug: str, question: PriceQuestion) -> "tuple[Compiled, str, Fraction]":
    from upcard.sim.single_wager import compile_single_wager

    filed = shipped().paytable(slug)
    meant, decks = question.table(filed), question.decks or filed.decks[-1]
    exact = price(meant, decks, suit=question.read_suit(), each_upcard=False).edge
    return *compile_single_wager(filed, meant, decks, suit=question.suit.lower(), stake=question.read_stake()), exact


def _point(compiled: "Compiled", sums: "Sums", wager: str) -> Progress:
    from upcard.sim.statistics import compute_statistics

    found = next(one for one in compute_statistics(compiled, sums).wagers if one.wager == wager)
    low, high = found.figure.interval
    return {
        "rounds": sums.rounds,
        "made": found.figure.made,
        "edge_percent": -100 * found.figure.mean,
        "low_percent": -100 * high,
        "high_percent": -100 * low,
        "standard_error_percent": 100 * found.figure.stderr,
        "hit_rate_percent": 100 * found.hit_rate,
    }
