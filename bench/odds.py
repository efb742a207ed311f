"""How quick the exact odds are: whole cold processes, and beside them an empty Python process as the floor.

Times are noisy; the ratio to the floor, measured in the same run, is what compares between machines.
"""

import subprocess
import sys
import time
from pathlib import Path

UPCARD = Path(sys.executable).with_name("upcard")
PROMISES = {  # seconds of wall time for one cold process
    ("--help",): 0.4,
    ("odds", "PT-FLT-LL-03", "--decks", "6"): 0.6,
    ("odds", "MM6/2", "--decks", "6", "--json"): 0.6,
    ("odds", "--all"): 2.0,
    ("odds", "--all", "--json"): 2.0,
    ("audit",): 2.0,
}


def best_of(command: list[str], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    floor = best_of([sys.executable, "-c", "pass"])
    print(f"{'an empty Python process':45} {floor:6.3f} s")
    broken = 0
    for words, promise in PROMISES.items():
        took = best_of([str(UPCARD), *words])
        broken += took > promise
        verdict = "kept" if took <= promise else "BROKEN"
        print(f"{'upcard ' + ' '.join(words):45} {took:6.3f} s  {took / floor:5.1f} x  promise {promise} s {verdict}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
