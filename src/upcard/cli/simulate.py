"""`upcard simulate`: a game played by the million."""

import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from upcard.catalog import shipped
from upcard.catalog.fields import decks_text
from upcard.cli.output import Form
from upcard.cli.simulate_progress import Watch
from upcard.cli.simulate_question import (
    Betting,
    Question,
    Running,
    bettor,
    read_block,
    read_rounds,
    read_target,
    understand,
)
from upcard.cli.simulate_view import Shown, write
from upcard.odds.main.jit import must_compile, note_compiled
from upcard.problems import BadRequest, UnknownName
from upcard.sim import kernel, plot
from upcard.sim.charts import chart_named, is_kept
from upcard.sim.compare import compare
from upcard.sim.compile import Compiled, compile_game
from upcard.sim.crew import Crew, Threads, connect
from upcard.sim.jackpots import meters
from upcard.sim.record import load, merge, save
from upcard.sim.run import Run, Target, play
from upcard.sim.statistics import work_out
from upcard.units import money

STOPPED_BY_HAND = 130
_SAVE_EVERY = 30.0  # seconds


def show(question: Question, betting: Betting, running: Running, form: Form) -> int:
    """Plays what was asked and shows it; the exit code says whether it was played to its end."""
    rounds, block = read_rounds(running), read_block(running)
    bankroll = _read_bankroll(running)
    if running.plot:
        plot.check(Path(running.plot))
    compiled, notices = _compile(question, betting, form)
    target = _target(compiled, running)
    run = _begun(compiled, running, block)
    code, clock = 0, time.perf_counter()
    if not running.merge:
        code = _played(run, running, rounds, target)
    statistics = work_out(compiled, run.sums)
    shown = Shown(
        run=run,
        statistics=statistics,
        comparisons=compare(compiled, statistics) if running.compare else (),
        meters=tuple(meters(compiled, statistics)),
        notices=(*notices, *compiled.plans.notices, *_too_coarse(run, target)),
        bankroll=bankroll,
        threads=_threads(running),
        cluster=running.cluster,
        seconds=time.perf_counter() - clock if running.merge else run.seconds,
        merged=len(running.merge),
    )
    write(shown, form)
    if running.plot:  # last: a picture that cannot be written takes no figure with it
        plot.write(Path(running.plot), run, statistics.total)
    return code


def _compile(question: Question, betting: Betting, form: Form) -> tuple[Compiled, list[str]]:
    game, layout, rules = understand(question)
    player = bettor(betting)
    says = form is Form.PEOPLE
    if says and not is_kept(question.strategy, rules, layout.decks) and must_compile("kernel"):
        print("upcard: compiling the odds once, which takes about a minute", file=sys.stderr)
    chart = chart_named(question.strategy, rules, layout.decks)
    compiled = compile_game(shipped(), layout, chart, player, spots=question.seats, fresh=question.fresh)
    stamp = f"simulate-{kernel.VERSION}-{question.seats}"  # code of its own for each number of spots
    if says and must_compile(stamp):
        print("upcard: compiling once, which takes some seconds; later runs start at once", file=sys.stderr)
    kernel_ready(compiled)
    note_compiled(stamp)
    notices = []
    if layout.decks not in game.decks:
        notices.append(f"{game.name} is played with {decks_text(game.decks)} decks; this is a question of its own")
    if player.flat_after is not None and not game.conduct.flat_betting:
        notices.append(f"the rules of {game.name} do not provide for flat betting; this is a question of its own")
    return compiled, notices


def kernel_ready(compiled: Compiled) -> None:
    """Compiles or loads the kernel before the clock runs."""
    from upcard.sim.chunk import play_chunk

    play_chunk(compiled.program, 0, 0, 1)


def _begun(compiled: Compiled, running: Running, block: int) -> Run:
    """A new run, one to be topped up, or several merged."""
    if running.merge:
        options = (
            "--top-up",
            "--save",
            "--cluster",
            "--rounds",
            "--seed",
            "--threads",
            "--target-stderr",
            "--distribution",
        )
        given = [name for name in options if getattr(running, name[2:].replace("-", "_")) is not None]
        if given:
            raise BadRequest(f"--merge shows kept runs and plays none: leave {' and '.join(given)} out")
        return merge([load(compiled, Path(name)) for name in running.merge])
    if running.top_up:
        run = load(compiled, Path(running.top_up))
        if running.seed is not None and running.seed != run.seed:
            raise BadRequest(f"{running.top_up} was begun with seed {run.seed}, not {running.seed}")
        if running.distribution is not None and block != run.block:
            raise BadRequest(f"{running.top_up} keeps the distribution after {run.block} rounds, not {block}")
        return run
    if running.seed is not None and not 0 <= running.seed < 1 << 64:
        raise BadRequest(f"--seed is a whole number from 0 to 2^64 - 1, not {running.seed}")
    seed = secrets.randbits(53) if running.seed is None else running.seed
    if running.save and not Path(running.save).parent.is_dir():
        raise BadRequest(f"--save: there is no folder {Path(running.save).parent}")
    return Run(compiled=compiled, seed=seed, block=block)


def _played(run: Run, running: Running, rounds: int, target: Target | None) -> int:
    """Plays, and keeps the run where it was asked to; a disk that is full stops nothing."""
    kept = running.save or running.top_up
    keeper = _Keeper(run, Path(kept)) if kept else None
    crew = _crew(running)
    try:
        with Watch(run, rounds, target) as watch:

            def look(run: Run) -> None:
                watch.look(run)
                if keeper:
                    keeper.now_and_then()

            play(run, crew, rounds, target=target, watch=look)
    finally:
        crew.close()
    failed = keeper is not None and not keeper.at_the_end()
    if run.stopped:
        goes_on = f"; `--top-up {kept}` goes on" if kept and not failed else ""
        print(f"upcard: {run.stopped} after {run.gathered.rounds:,} rounds, which are shown{goes_on}", file=sys.stderr)
        return STOPPED_BY_HAND if run.stopped == "stopped by hand" else 2
    return 2 if failed else 0


class _Keeper:
    """Writes the run to its file from time to time, and says once when it cannot."""

    def __init__(self, run: Run, path: Path) -> None:
        self.run, self.path = run, path
        self.last = time.monotonic()

    def now_and_then(self) -> None:
        if time.monotonic() - self.last > _SAVE_EVERY:
            self._write("; the run goes on")
            self.last = time.monotonic()

    def at_the_end(self) -> bool:
        return self._write("; the results are shown but not kept")

    def _write(self, and_then: str) -> bool:
        try:
            save(self.run, self.path)
        except OSError as wrong:
            print(f"upcard: {self.path}: {(wrong.strerror or str(wrong)).lower()}{and_then}", file=sys.stderr)
            return False
        return True


def _threads(running: Running) -> int:
    if running.threads is not None and not 1 <= running.threads <= 1024:
        raise BadRequest(f"--threads is 1 to 1024, not {running.threads}")
    if running.threads is not None:
        return running.threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _crew(running: Running) -> Crew:
    count = _threads(running)
    return Threads(count) if running.cluster is None else connect(running.cluster, count)


def _target(compiled: Compiled, running: Running) -> Target | None:
    if running.target_stderr is None:
        if running.target_wager is not None:
            raise BadRequest("--target-wager is the wager of --target-stderr: say how precise it is to be")
        return None
    name = running.target_wager or compiled.terms.main.name
    if name not in compiled.plans.made:
        made = compiled.plans.made
        raise UnknownName(what="wager", name=name, known=made, hint=f"played are {', '.join(made)}")
    return Target(wager=name, stderr=read_target(running.target_stderr))


def _too_coarse(run: Run, target: Target | None) -> Iterator[str]:
    """What is to be said of a target that --rounds did not let the run reach."""
    if target is not None and not target.is_met(run):
        reached = f"{100 * run.figure(target.wager).stderr:.4g}%"
        yield f"the standard error of {target.wager} is {reached}, not yet {100 * target.stderr:.4g}%"


def _read_bankroll(running: Running) -> int | None:
    if running.bankroll is None:
        return None
    try:
        return int(money(running.bankroll))
    except ValueError as wrong:
        raise BadRequest(f"--bankroll: {wrong}") from None
