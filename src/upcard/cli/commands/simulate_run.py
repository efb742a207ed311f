"""`upcard simulate`: runs, saves and resumes a simulation."""

import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from upcard.catalog.fields import decks_text
from upcard.cli.catalog_in_use import catalog_in_use, chart_in_use
from upcard.cli.commands.simulate_options import SimulateOptions
from upcard.cli.commands.simulate_progress import ProgressBar
from upcard.cli.commands.simulate_request import (
    read_block,
    read_horizon,
    read_player,
    read_rounds,
    read_table,
    read_target,
)
from upcard.cli.commands.simulate_saved import request_of, with_saved_request
from upcard.cli.commands.simulate_view import SimulationReport, show_simulation
from upcard.cli.output import Form
from upcard.odds.main.jit import must_compile, note_compiled
from upcard.problems import BadRequest, UnknownName
from upcard.sim import kernel, lockstep, plot
from upcard.sim.charts import chart_named, is_cached
from upcard.sim.chunk import compile_kernels
from upcard.sim.compare import compare
from upcard.sim.compile import Compiled, compile_game
from upcard.sim.executors import Executor, ThreadExecutor, connect
from upcard.sim.jackpots import meters
from upcard.sim.lockstep import fallback_notice, has_lanes
from upcard.sim.record import RequestValue, load, merge, save
from upcard.sim.run import Run, Target, play
from upcard.sim.top_lines import few_hits
from upcard.strategy.chart import surrender_notice
from upcard.units import money

STOPPED_BY_HAND = 130
_SAVE_EVERY = 30.0  # seconds
_NOT_WITH_MERGE = (
    "--top-up",
    "--save",
    "--cluster",
    "--rounds",
    "--seed",
    "--threads",
    "--target-stderr",
    "--distribution",
)


def run_simulation(options: SimulateOptions, form: Form) -> int:
    """Runs and shows a simulation; gives the exit code, which says whether it ran to its end."""
    options = with_saved_request(options)
    rounds = read_rounds(options)
    block, bankroll, horizon = read_block(options, rounds), _read_bankroll(options), read_horizon(options)
    if options.plot:
        plot.check(Path(options.plot))
    compiled, notices = _compile(options, form)
    target = _target(compiled, options)
    run = _start_run(compiled, options, block)
    _threads(options)
    _compile_kernel(compiled, options, form, block)  # only now: bad options are refused at once
    code, clock = 0, time.perf_counter()
    if not options.merge:
        code = _play_run(run, options, rounds, target)
    statistics = run.statistics()
    report = SimulationReport(
        run=run,
        statistics=statistics,
        comparisons=compare(compiled, statistics) if options.compare else (),
        meters=tuple(meters(compiled, statistics)),
        notices=(
            *notices,
            *compiled.spread.notices,
            *fallback_notice(compiled.program, run.block),
            *_too_coarse(run, target),
            *few_hits(compiled, statistics),
        ),
        bankroll=bankroll,
        horizon=horizon,
        threads=_threads(options),
        cluster=options.cluster,
        seconds=time.perf_counter() - clock if options.merge else run.seconds,
        merged=len(options.merge),
    )
    show_simulation(report, form)
    if options.plot:  # last: a picture that cannot be written takes no figure with it
        plot.write(Path(options.plot), run, statistics.total)
    return code


def _compile(options: SimulateOptions, form: Form) -> tuple[Compiled, list[str]]:
    game, layout, rules = read_table(options)
    player = read_player(options)
    if form is Form.PEOPLE and not is_cached(options.strategy, rules, layout.decks) and must_compile("kernel"):
        print("upcard: compiling the odds, which takes about a minute; this happens only once", file=sys.stderr)
    chart = chart_named(chart_in_use(options.strategy), rules, layout.decks)
    compiled = compile_game(catalog_in_use(), layout, chart, player, spots=options.seats, fresh=options.fresh)
    notices = surrender_notice(options.strategy, chart, offered=rules.surrender != "none")
    if layout.decks not in game.decks:
        notices.append(
            f"{game.name} is played with {decks_text(game.decks)} decks; these results are for another number"
        )
    if player.flat_after is not None and not game.conduct.flat_betting:
        notices.append(f"the filing of {game.name} has no flat betting; these results assume it")
    return compiled, notices


def _compile_kernel(compiled: Compiled, options: SimulateOptions, form: Form, block: int) -> None:
    kind = f"lanes-{lockstep.VERSION}" if has_lanes(compiled.program, block) else f"{kernel.VERSION}-{options.seats}"
    stamp = f"simulate-{kind}"  # code of its own for lanes, and for each number of spots
    if form is Form.PEOPLE and must_compile(stamp):
        print("upcard: compiling the simulator, which takes a few seconds; this happens only once", file=sys.stderr)
    kernel_ready(compiled, block)
    note_compiled(stamp)


def kernel_ready(compiled: Compiled, block: int = 0) -> None:
    """Compiles or loads the kernels before the timing starts."""
    compile_kernels(compiled.program, block)


def _start_run(compiled: Compiled, options: SimulateOptions, block: int) -> Run:
    """A new run, a saved one to continue, or several merged."""
    if options.merge:
        unused = [name for name in _NOT_WITH_MERGE if getattr(options, name[2:].replace("-", "_")) is not None]
        if unused:
            raise BadRequest(f"--merge only shows saved runs: leave out {' and '.join(unused)}")
        return merge([load(compiled, Path(name)) for name in options.merge])
    if options.top_up:
        run = load(compiled, Path(options.top_up))
        if options.seed is not None and options.seed != run.seed:
            raise BadRequest(f"{options.top_up} was started with seed {run.seed}, not {options.seed}")
        if options.distribution is not None and block != run.block:
            raise BadRequest(f"{options.top_up} was saved with --distribution {run.block}, not {block}")
        return run
    if options.seed is not None and not 0 <= options.seed < 1 << 64:
        raise BadRequest(f"--seed must be a whole number from 0 to 2^64 - 1, not {options.seed}")
    seed = secrets.randbits(53) if options.seed is None else options.seed
    if options.save and not Path(options.save).parent.is_dir():
        raise BadRequest(f"--save: there is no folder {Path(options.save).parent}")
    return Run(compiled=compiled, seed=seed, block=block)


def _play_run(run: Run, options: SimulateOptions, rounds: int, target: Target | None) -> int:
    """Plays, and saves the run if asked to; a full disk does not stop it."""
    run_file = options.save or options.top_up
    saver = _RunSaver(run, Path(run_file), request_of(options)) if run_file else None
    executor = _executor(options)
    try:
        with ProgressBar(run, rounds, target) as bar:

            def after_chunk(run: Run) -> None:
                bar.update(run)
                if saver:
                    saver.save_if_due()

            play(run, executor, rounds, target=target, watch=after_chunk)
    finally:
        executor.close()
    failed = saver is not None and not saver.save_at_the_end()
    if run.stopped:
        next_step = f"; continue with --top-up {run_file}" if run_file and not failed else ""
        print(
            f"upcard: {run.stopped} after {run.state.rounds:,} rounds; the results so far are shown{next_step}",
            file=sys.stderr,
        )
        return STOPPED_BY_HAND if run.stopped == "stopped by hand" else 2
    return 2 if failed else 0


class _RunSaver:
    """Saves the run to its file from time to time, and reports when it cannot."""

    def __init__(self, run: Run, path: Path, request: Mapping[str, RequestValue]) -> None:
        self.run, self.path, self.request = run, path, request
        self.last = time.monotonic()

    def save_if_due(self) -> None:
        if time.monotonic() - self.last > _SAVE_EVERY:
            self._write("; the run continues")
            self.last = time.monotonic()

    def save_at_the_end(self) -> bool:
        return self._write("; the results are shown but not saved")

    def _write(self, consequence: str) -> bool:
        try:
            save(self.run, self.path, self.request)
        except OSError as error:
            print(f"upcard: {self.path}: {(error.strerror or str(error)).lower()}{consequence}", file=sys.stderr)
            return False
        return True


def _threads(options: SimulateOptions) -> int:
    if options.threads is not None and not 1 <= options.threads <= 1024:
        raise BadRequest(f"--threads must be between 1 and 1024, not {options.threads}")
    if options.threads is not None:
        return options.threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _executor(options: SimulateOptions) -> Executor:
    count = _threads(options)
    return ThreadExecutor(count) if options.cluster is None else connect(options.cluster, count)


def _target(compiled: Compiled, options: SimulateOptions) -> Target | None:
    if options.target_stderr is None:
        if options.target_wager is not None:
            raise BadRequest("--target-wager needs --target-stderr, such as --target-stderr 0.01%")
        return None
    name = options.target_wager or compiled.terms.main.name
    if name not in compiled.spread.wagers:
        made = compiled.spread.wagers
        raise UnknownName(what="wager", name=name, known=made, hint=f"the wagers made are {', '.join(made)}")
    return Target(wager=name, stderr=read_target(options.target_stderr))


def _too_coarse(run: Run, target: Target | None) -> Iterator[str]:
    """A notice if --rounds ended the run before it reached its target."""
    if target is not None and not target.is_met(run):
        reached = f"{100 * run.figure(target.wager).stderr:.4g}%"
        yield f"the standard error of {target.wager} is {reached}, above the target of {100 * target.stderr:.4g}%"


def _read_bankroll(options: SimulateOptions) -> int | None:
    if options.bankroll is None:
        return None
    try:
        return int(money(options.bankroll))
    except ValueError as error:
        raise BadRequest(f"--bankroll: {error}") from None
