"""Measures the simulator in rounds per second of processor time, compared with a baseline that only draws cards.

The baseline draws as many random numbers as the rounds use cards, from the same generator, and does nothing with them.
It is timed in alternation with the simulator, so that ratios compare between machines. `--agree` plays 2e8 rounds of
every game from new shoes and requires every wager to be within four standard errors of its exact value. `--dask` times
one worker and two for a minute. `--lockstep` compares the two kernels, and `--processors` does so again without AVX-512
and with SSE2 alone, after compiling for each.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from upcard.catalog import shipped
from upcard.odds.main.jit import compiled
from upcard.sim import kernel
from upcard.sim.charts import chart_named
from upcard.sim.chunk import NO_WORTHS, ROUNDS, new_shoe, new_tally, play_chunk, seeds, trace_chunk
from upcard.sim.compare import compare
from upcard.sim.compile import Compiled, Program, compile_game
from upcard.sim.executors import Executor, ThreadExecutor, connect
from upcard.sim.kernel import LOGGED, MASK, Seeds
from upcard.sim.run import Run, play
from upcard.sim.statistics import compute_statistics
from upcard.strategy.chart import usual
from upcard.strategy.counting import parse_count
from upcard.strategy.player import Player

UPCARD = Path(sys.executable).with_name("upcard")
GAMES = ("the-brook", "lucky-ladies-jackpot", "bet-bigger", "lucky-ladies", "double-action")
HILO = Player(count=parse_count("hilo"))
TURNS = 11
OTHER_PROCESSORS = {  # the least ratio of the two kernels there, and numba's switches
    "without AVX-512": (1.5, {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "+avx2,+bmi,+bmi2,-avx512f"}),
    "SSE2 alone": (1.0, {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "+sse2,-avx,-avx2,-avx512f"}),
}
LEAST_RATIO = "LEAST_RATIO"  # set in those processes


@compiled
def bare(generator: Seeds, draws: int, cards: int) -> int:
    """Draws random cards, two per word, and adds them up so that the compiler cannot drop the loop."""
    s0, s1, s2, s3 = generator[0], generator[1], generator[2], generator[3]
    total = np.uint64(0)
    left = np.uint64(cards)
    for _ in range(draws // 2):
        word = s0 + s3
        word = ((word << np.uint64(23)) | (word >> np.uint64(41))) + s0
        shifted = s1 << np.uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
        total += ((word & MASK) * left) >> np.uint64(32)
        total += ((word >> np.uint64(32)) * (left - np.uint64(1))) >> np.uint64(32)
        left = left - np.uint64(2) if left > np.uint64(60) else np.uint64(cards)
    generator[0], generator[1], generator[2], generator[3] = s0, s1, s2, s3
    return int(total)


def processor_time(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def game(layout: str, player: Player, spots: int = 1) -> Compiled:
    return compile_game(shipped(), shipped().layout(layout), usual(), player, spots=spots)


def measured(name: str, one: Compiled, promise: float | None) -> float:
    """Processor seconds per chunk, the best of several turns; the baseline is measured in between."""
    play_chunk(one.program, 1, 0, 1000)
    _, _, shoe = trace_chunk(one.program, 1, 0, 20_000)
    cards = int(shoe.numbers[LOGGED]) / 20_000
    draws = int(cards * ROUNDS)
    bare(seeds(1, 0), 1000, shoe.cards)
    times, baselines = [], []
    for turn in range(TURNS):
        baselines.append(processor_time(lambda: bare(seeds(1, 0), draws, shoe.cards)))
        times.append(processor_time(lambda turn=turn: play_chunk(one.program, 1, turn, ROUNDS)))  # type: ignore[misc]  # a default binds the loop's own value
    took, baseline = min(times), min(baselines)
    speed = ROUNDS / took / 1e6
    verdict = "" if promise is None else f"promise {promise:.0f} M {'kept' if speed >= promise else 'BROKEN'}"
    print(
        f"{name:58} {speed:6.2f} M rounds/s  {1e9 * took / ROUNDS:6.1f} ns per round  {cards:5.2f} cards  "
        f"{took / baseline:5.1f} x the baseline of {1e9 * baseline / draws:.2f} ns per card  {verdict}"
    )
    return took


def one_core() -> bool:
    print("Processor time of one core, six decks:")
    wanted = game("lucky-ladies-jackpot", HILO)
    kept = ROUNDS / measured("001, all side wagers, Hi-Lo bins", wanted, 15) / 1e6 >= 15
    alone = game("lucky-ladies-jackpot", Player(main_only=True))
    kept &= ROUNDS / measured("001, main wagers alone", alone, 20) / 1e6 >= 20
    for layout in GAMES:
        measured(f"{layout}, all wagers", game(layout, Player()), None)
    return kept


def scalar_chunk(program: Program, number: int) -> None:
    """A chunk as the scalar kernel plays it, from one shoe."""
    shoe, tally = new_shoe(program, seeds(1, number), log=0), new_tally(program, ROUNDS, 0)
    kernel.play(ROUNDS, shoe, program.game, program.spread, program.classes, NO_WORTHS, tally, None)


def lockstep_ratios() -> bool:
    """The lockstep kernel next to the scalar one, in turns."""
    games = {
        "001, all side wagers, Hi-Lo bins": (game("lucky-ladies-jackpot", HILO), 2.8),
        "001, main wagers alone": (game("lucky-ladies-jackpot", Player(main_only=True)), 3.5),
        **{f"{layout}, all wagers": (game(layout, Player()), 2.5) for layout in GAMES},
    }
    kept = True
    for name, (one, full_promise) in games.items():
        promise = float(os.environ.get(LEAST_RATIO, full_promise))
        best = [float("inf"), float("inf")]
        for turn in range(-1, TURNS):
            took = (
                processor_time(lambda: play_chunk(one.program, 1, max(turn, 0), ROUNDS)),  # noqa: B023 - called at once
                processor_time(lambda: scalar_chunk(one.program, max(turn, 0))),  # noqa: B023 - called at once
            )
            best = [min(pair) for pair in zip(best, took, strict=True)] if turn >= 0 else best  # the first may compile
        lanes, scalar = (1e9 * seconds / ROUNDS for seconds in best)
        kept &= scalar / lanes >= promise
        print(
            f"{name:58} lockstep {lanes:5.1f} ns per round, scalar {scalar:5.1f}: {scalar / lanes:.2f} x, "
            f"promise {promise} {'kept' if scalar / lanes >= promise else 'BROKEN'}"
        )
    return kept


def other_processors() -> bool:
    kept = True
    for name, (promise, switches) in OTHER_PROCESSORS.items():
        print(f"{name}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **switches, "NUMBA_CACHE_DIR": folder, LEAST_RATIO: str(promise)}
            words = [sys.executable, __file__, "--lockstep"]
            kept &= subprocess.run(words, env=environment, check=False).returncode == 0
    return kept


def several_spots() -> bool:
    """Each further spot must cost less than the first one of the same kernel. Spots of one round are correlated, so the
    round's sum is kept and squared; for one spot the scalar kernel does that only for a distribution. A single spot
    without those sums is played in lockstep."""
    programs = [game("lucky-ladies-jackpot", Player(), spots).program for spots in range(1, 7)]
    ways = [(programs[0], 0), (programs[0], 100), *((program, 0) for program in programs[1:])]
    best = [float("inf")] * len(ways)
    for turn in range(-1, TURNS):
        for place, (program, block) in enumerate(ways):
            took = processor_time(lambda: play_chunk(program, 1, max(turn, 0), ROUNDS, block))  # noqa: B023 - called at once
            best[place] = min(best[place], took if turn >= 0 else float("inf"))  # the first turn may compile
    lone, summed, *more = (1e9 * took / ROUNDS for took in best)
    print(f"001, all side wagers: 1 spot {lone:.1f} ns per round in lockstep, {summed:.1f} with sums per round")
    kept, last = True, summed
    for spots, took in enumerate(more, 2):
        cheaper = took - last < summed
        kept &= cheaper
        print(
            f"{'':6}{spots} spots {took:6.1f} ns: the last costs {took - last:.1f}: {'kept' if cheaper else 'BROKEN'}"
        )
        last = took
    return kept


def two_threads() -> bool:
    """Times the same chunks on one thread and two, next to the baseline: not every machine has two full cores."""
    program = game("lucky-ladies-jackpot", HILO).program
    works: dict[str, Callable[[int], object]] = {
        "play": lambda number: play_chunk(program, 1, number, ROUNDS),
        "bare": lambda number: bare(seeds(1, number), 40_000_000, len(program.cards)),
    }
    best: dict[tuple[str, int], float] = {}
    for _ in range(TURNS):
        for name, work in works.items():
            for threads in (1, 2):
                with ThreadPoolExecutor(threads) as pool:
                    start = time.perf_counter()
                    list(pool.map(work, range(8)))  # with fewer chunks, one thread would wait for the last
                    took = time.perf_counter() - start
                best[name, threads] = min(best.get((name, threads), took), took)
    gain, limit = (best[name, 1] / best[name, 2] for name in works)
    verdict = "kept" if gain >= 1.85 else "BROKEN"
    print(f"two threads: {gain:.2f} x one in wall time, promise 1.85 {verdict}; baseline {limit:.2f} x")
    return gain >= 1.85


def dask(seconds: float = 60.0, turns: int = 3) -> bool:
    """Times one worker for a minute and two for as many rounds, in turns; threads show what the machine allows."""
    one = game("lucky-ladies-jackpot", HILO)
    executors: dict[str, Executor] = {f"dask {workers}": connect("local", workers) for workers in (1, 2)}
    executors |= {f"threads {threads}": ThreadExecutor(threads) for threads in (1, 2)}
    for executor in executors.values():
        play(Run(compiled=one, seed=0), executor, 16 * ROUNDS)
    warm = Run(compiled=one, seed=0)
    play(warm, executors["dask 1"], 64 * ROUNDS)
    rounds = int(seconds / turns * 64 / warm.seconds) * ROUNDS
    took: dict[str, list[float]] = {name: [] for name in executors}
    for turn in range(turns):
        for name, executor in executors.items():
            run = Run(compiled=one, seed=turn)
            play(run, executor, rounds)
            took[name].append(run.seconds)
    for executor in executors.values():
        executor.close()
    for name, times in took.items():
        print(f"{name:10} {turns * rounds / sum(times) / 1e6:6.2f} M rounds/s of wall time, {sum(times):.1f} s in all")
    gain, bare_gain = (sum(took[f"{kind} 1"]) / sum(took[f"{kind} 2"]) for kind in ("dask", "threads"))
    verdict = "kept" if gain >= 1.8 else "BROKEN"
    print(
        f"two Dask workers: {gain:.2f} x one; promise 1.8 {verdict} (load {os.getloadavg()[0]:.1f}); "
        f"two threads in the same turns {bare_gain:.2f} x one"
    )
    return gain >= 1.8


def first_start() -> bool:
    """The very first run on a machine, which compiles both kernels."""
    words = [str(UPCARD), "simulate", "001", "--rounds", "1e6", "--seed", "1", "--strategy", "usual", "--json"]
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"the same with nothing compiled yet, and a chart that needs no odds: {used:.1f} s of processor "
        f"time, promise 12 {'kept' if used <= 12 else 'BROKEN'}"
    )
    return used <= 12


def start_up() -> bool:
    words = [str(UPCARD), "simulate", "001", "--rounds", "1e6", "--seed", "1"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    wall, used = [], []
    for _ in range(5):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        wall.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    kept = min(wall) < 2 and memory < 400
    print(
        f"upcard simulate 001 --rounds 1e6, cached: {min(wall):.2f} s of wall time, {min(used):.2f} s of "
        f"processor time; promise 2 s {'kept' if min(wall) < 2 else 'BROKEN'}; memory {memory:.0f} MB, promise 400 "
        f"{'kept' if memory < 400 else 'BROKEN'}"
    )
    return kept


def agreement(rounds: int = 200_000_000) -> bool:
    kept = True
    for layout in GAMES:
        found = shipped().layout(layout)
        from upcard.catalog.readings_in_force import rules_in_force
        from upcard.odds.main.rules import from_game

        rules = rules_in_force(shipped(), found)
        chart = chart_named("best", from_game(rules), found.decks)
        for fresh in (True, False):
            one = compile_game(shipped(), found, chart, Player(always_insures=True), fresh=fresh)
            run = Run(compiled=one, seed=2026)
            play(run, ThreadExecutor(2), rounds)
            for told in compare(one, compute_statistics(one, run.sums)):
                off = told.z is None or abs(told.z) >= 4
                kept &= not (fresh and off)
                what = "new shoes" if fresh else "cut-card effect"
                difference = 100 * (told.difference or 0)
                print(
                    f"{layout:22} {told.wager:22} {what:16} {difference:+.4f}%, standard error "
                    f"{100 * told.stderr:.4f}%  z {told.z:+.2f}"
                    f"{'  BROKEN' if fresh and off else ''}"
                )
    return kept


def main() -> int:
    parts: dict[str, Callable[[], bool]] = {"--dask": dask, "--agree": agreement, "--lockstep": lockstep_ratios}
    parts |= {"--processors": other_processors, "--first": first_start}
    wanted = [parts[word] for word in sys.argv[1:] if word in parts] or [
        one_core, lockstep_ratios, several_spots, two_threads, start_up, first_start
    ]  # fmt: skip
    kept = [part() for part in wanted]  # run all parts, even when one fails
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
