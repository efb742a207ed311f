"""Times the main game's solver: computing after warm-up, and whole new processes with the compiled code cached.

Times are noisy, so the best of several runs is compared with the promise, and with an empty Python process.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from upcard.odds.main.deviation import standard_deviation
from upcard.odds.main.rank_shoe import RankShoe, full_shoe
from upcard.odds.main.rules import MainRules
from upcard.odds.main.solve import solve

UPCARD = Path(sys.executable).with_name("upcard")
RULES = MainRules(
    soft17="hit",
    blackjack=Fraction(3, 2),
    insurance=Fraction(2),
    das=True,
    double="any",
    hands=4,
    resplit_aces=False,
    hit_split_aces=False,
    split="value",
    surrender="none",
    hole="peek",
)
REMAINING = RankShoe((17, 20, 15, 12, 9, 14, 18, 16, 13, 12, 15, 11, 17))  # somewhere in a shoe of six decks
COMPUTING = {"1 deck": (full_shoe(1), 0.15), "6 decks": (full_shoe(6), 0.3), "8 decks": (full_shoe(8), 0.35)} | {
    "a remaining shoe": (REMAINING, 0.3)
}
COLD = {  # seconds of wall time for one process
    ("odds", "main", "--game", "002", "--decks", "6"): 1.5,
    ("odds", "main", "--game", "002", "--decks", "6", "--json"): 1.5,
    ("odds", "main", "--game", "002", "--decks", "6", "--sd"): 5.0,
    ("odds", "002 Break Bonus", "--decks", "6"): 0.6,
    ("odds", "PT-FLT-BB-01", "--decks", "6"): 0.6,
}


def best_of(work: Callable[[], object], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def value_and_chart(shoe: RankShoe) -> None:
    found = solve(shoe, RULES)
    found.optimum.value, found.best_chart.value  # noqa: B018 - computed on access


def process(words: tuple[str, ...]) -> None:
    subprocess.run([str(UPCARD), *words], check=True, stdout=subprocess.DEVNULL)


def report(name: str, took: float, promise: float, floor: float | None = None) -> bool:
    ratio = "" if floor is None else f"{took / floor:5.1f} x"
    print(f"{name:55} {took:6.3f} s  {ratio:7}  promise {promise} s {'kept' if took <= promise else 'BROKEN'}")
    return took <= promise


def main() -> int:
    value_and_chart(full_shoe(6))  # compiles on the first run
    kept = True
    for name, (shoe, promise) in COMPUTING.items():
        took = best_of(lambda shoe=shoe: value_and_chart(shoe))  # type: ignore[misc]  # a default binds the loop's own value
        kept &= report(f"value and chart, {name}", took, promise)
    spread = solve(full_shoe(6), RULES).optimum
    standard_deviation(spread)
    kept &= report("standard deviation, 6 decks", best_of(lambda: standard_deviation(spread)), 5.0)
    floor = best_of(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    for words, promise in COLD.items():
        process(words)
        kept &= report("upcard " + " ".join(words), best_of(lambda words=words: process(words)), promise, floor)  # type: ignore[misc]  # a default binds the loop's own value
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
