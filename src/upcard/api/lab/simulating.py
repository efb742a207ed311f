"""A simulation in the lab's own process: a side wager played until it has had its rounds, its time, or enough."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from upcard.api.lab.figures import question_of
from upcard.catalog import shipped
from upcard.odds.price import price

FIRST = 4096  # rounds of the first chunk, so that something is seen at once
LARGEST = 1 << 19

Point = dict[str, Any]


def simulate(asking: Mapping[str, Any], tell: Callable[[Point], None], stopped: Callable[[], bool]) -> str:
    """Plays chunk after chunk and tells the mean so far after each; says how it ended."""
    from upcard.sim.alone import play_alone
    from upcard.sim.chunk import play_chunk
    from upcard.sim.gather import Sums
    from upcard.sim.statistics import work_out

    question, filed = question_of(asking), shipped().paytable(asking["slug"])
    meant, decks = question.table(filed), question.decks or filed.decks[-1]
    exact = price(meant, decks, suit=question.read_suit(), each_upcard=False).edge
    compiled, wager = play_alone(filed, meant, decks, suit=question.suit.lower(), stake=question.read_stake())
    sums, number, size = Sums.nothing(compiled.program), 0, FIRST
    started, spent = time.monotonic(), 0.0
    while sums.rounds < asking["rounds"] and spent < asking["seconds"]:
        if stopped():
            return "cancelled"
        sums.add(play_chunk(compiled.program, asking["seed"], number, min(size, asking["rounds"] - sums.rounds)))
        if number == 0:
            started = time.monotonic()  # the first chunk may have waited for the compiler
        spent = time.monotonic() - started
        found = next(one for one in work_out(compiled, sums).wagers if one.wager == wager)
        low, high = found.figure.interval
        tell(
            {
                "rounds": sums.rounds,
                "made": found.figure.made,
                "edge_percent": -100 * found.figure.mean,
                "low_percent": -100 * high,
                "high_percent": -100 * low,
                "standard_error_percent": 100 * found.figure.stderr,
                "hit_rate_percent": 100 * found.hit_rate,
                "exact_percent": float(100 * exact),
                "seconds": spent,
            }
        )
        number, size = number + 1, min(LARGEST, max(FIRST, sums.rounds))
    return "done" if sums.rounds >= asking["rounds"] else "out of time"
