"""The job for simulations: a side wager played until it has its rounds or its time is up.

It is played in short turns, each continuing where the last one ended, so that other jobs get their turn in between.
"""

import pickle
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from upcard.odds.price import price, usual_terms
from upcard.odds.question import PriceQuestion
from upcard.workers.worker import Progress, report_progress

if TYPE_CHECKING:  # the simulator is loaded by the worker only
    from upcard.sim.compile import Compiled
    from upcard.sim.sums import Sums

FIRST_CHUNK = 4096  # rounds, so that a first result appears at once
LARGEST_CHUNK = 1 << 19
TURN_SECONDS = 1.0  # of play before other jobs get their turn


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationRequest:
    """What to simulate, and for how long."""

    slug: str
    question: PriceQuestion
    rounds: int
    seed: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationState:
    """What has been played so far, and how it ended if it has."""

    sums: bytes = b""  # pickled; only a worker reads them
    chunks: int = 0
    spent: float = 0.0
    ended: str = ""


def play(request: SimulationRequest, state: SimulationState) -> SimulationState:
    """Plays one turn, chunk after chunk, and reports the mean after each."""
    from upcard.sim.chunk import play_chunk
    from upcard.sim.sums import Sums

    compiled, wager, exact = _prepared(request.slug, request.question)
    top_chance = _top_chance(request.slug, request.question)
    sums: Sums = pickle.loads(state.sums) if state.sums else Sums.empty(compiled.program)
    chunks, spent = state.chunks, state.spent
    started, until = time.monotonic() - spent, min(spent + TURN_SECONDS, request.seconds)
    while sums.rounds < request.rounds and spent < until:
        size = min(LARGEST_CHUNK, max(FIRST_CHUNK, sums.rounds), request.rounds - sums.rounds)
        sums.add(play_chunk(compiled.program, request.seed, chunks, size))
        if chunks == 0:
            started = time.monotonic()  # the first chunk may have waited for the compiler
        chunks, spent = chunks + 1, time.monotonic() - started
        point = _point(compiled, sums, wager) | {"exact_percent": float(100 * exact), "seconds": spent}
        report_progress(point | {"top_hits_expected": top_chance * point["made"]})
    ended = "done" if sums.rounds >= request.rounds else "out of time" if spent >= request.seconds else ""
    return SimulationState(sums=pickle.dumps(sums), chunks=chunks, spent=spent, ended=ended)


@lru_cache(4)
def _prepared(slug: str, question: PriceQuestion) -> "tuple[Compiled, str, Fraction]":
    from upcard.sim.single_wager import compile_single_wager

    filed = question.catalog.paytable(slug)
    edited, decks = question.table(filed), question.decks or filed.decks[-1]
    terms = usual_terms(question.catalog, filed)
    exact = price(edited, decks, suit=question.read_suit(), terms=terms, each_upcard=False).edge
    suit, stake = question.suit.lower(), question.read_stake()
    return *compile_single_wager(question.catalog, filed, edited, decks, suit=suit, stake=stake), exact


@lru_cache(4)
def _top_chance(slug: str, question: PriceQuestion) -> float:
    """The chance of the line that pays most."""
    from upcard.sim.top_lines import top_line

    compiled, wager, _ = _prepared(slug, question)
    top = top_line(compiled, wager)
    return 1.0 if top is None else top[1]


def _point(compiled: "Compiled", sums: "Sums", wager: str) -> Progress:
    from upcard.sim.statistics import compute_statistics

    statistics = compute_statistics(compiled, sums)
    wager_statistics = next(figures for figures in statistics.wagers if figures.wager == wager)
    low, high = wager_statistics.figure.interval
    return {
        "rounds": sums.rounds,
        "made": wager_statistics.figure.made,
        "edge_percent": -100 * wager_statistics.figure.mean,
        "low_percent": -100 * high,
        "high_percent": -100 * low,
        "standard_error_percent": 100 * wager_statistics.figure.stderr,
        "hit_rate_percent": 100 * wager_statistics.hit_rate,
    }
