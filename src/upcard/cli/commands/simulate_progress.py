"""The progress bar of a run: rounds per second, the interval so far and the time left."""

import sys
import time
from typing import Self

from upcard.sim.figures import rounds_needed
from upcard.sim.run import Run, Target

_SECONDS = 0.5  # between two updates


class ProgressBar:
    """Shown on standard error, and only on a terminal."""

    def __init__(self, run: Run, rounds: int, target: Target | None) -> None:
        self._visible = sys.stderr.isatty()
        self._rounds, self._target = rounds, target
        self._began, self._already = time.perf_counter(), run.state.rounds
        self._last = 0.0

    def __enter__(self) -> Self:
        if self._visible:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                BarColumn(bar_width=24),
                TextColumn("{task.percentage:>3.0f}%"),
                TextColumn("{task.fields[status]}"),
                TimeRemainingColumn(compact=True),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("", total=self._rounds, completed=self._already, status="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._visible:
            self._bar.stop()

    def update(self, run: Run) -> None:
        """Called after each chunk."""
        now = time.perf_counter()
        if not self._visible or now - self._last < _SECONDS:
            return
        self._last = now
        done = run.state.rounds
        wager = self._target.wager if self._target else run.compiled.terms.main.name
        figure = run.figure(wager)
        quick = (done - self._already) / max(now - self._began, 1e-9) / 1e6
        total = min(rounds_needed(figure, self._target.stderr), self._rounds) if self._target else self._rounds
        status = f"{quick:.1f} M rounds/s  {wager} {100 * figure.mean:+.4f}% ± {100 * figure.margin:.4f}"
        self._bar.update(self._task, completed=done, total=total, status=status)
