"""Times the exact odds: whole new processes, compared with an empty Python process.

Times are noisy. To compare machines, use the ratio to the empty process, which is measured in the same run.
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
    empty = best_of([sys.executable, "-c", "pass"])
    print(f"{'an empty Python process':45} {empty:6.3f} s")
    broken = 0
    for words, promise in PROMISES.items():
        took = best_of([str(UPCARD), *words])
        broken += took > promise
        verdict = "kept" if took <= promise else "BROKEN"
        print(f"{'upcard ' + ' '.join(words):45} {took:6.3f} s  {took / empty:5.1f} x  promise {promise} s {verdict}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
