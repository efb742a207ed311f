"""What workers compute for the expected win: each figure once, one after the other, so that no table waits for it."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

from upcard.catalog.ruleset import Ruleset
from upcard.odds.main.rules import from_game
from upcard.service.side_hold import terms_of
from upcard.workers.hold import BonusHold, JointHold, MainHold, Skill, solve_bonus, solve_joint, solve_main
from upcard.workers.pool import WorkerKind, WorkerLost, Workers


@dataclass(frozen=True, slots=True, kw_only=True)
class Solutions:
    """What workers have computed: each is None until it is ready."""

    main: Callable[[Ruleset], MainHold | None]
    joint: Callable[[Ruleset], JointHold | None]
    bonus: Callable[[Ruleset, str], BonusHold | None]  # of a wager that is lost with the hand (R6)


class Solver:
    """Solves main games, covariances, and wagers that are lost with the hand, in a worker: each once, one after the
    other, so that no table waits for it."""

    def __init__(self, workers: Workers, skill: Skill = "best") -> None:
        self._workers, self._skill = workers, skill
        self._solved: dict[tuple[object, object], Future[Any]] = {}
        self._lock = Lock()

    @property
    def solutions(self) -> Solutions:
        return Solutions(main=self.main, joint=self.joint, bonus=self.bonus)

    def main(self, ruleset: Ruleset) -> MainHold | None:
        """The solution if it is ready; if not, starts it. Layouts with the same rules and decks share one."""
        decks, rules = ruleset.layout.decks, terms_of(ruleset).rules
        even_money = float(rules.even_money.net) if rules.even_money is not None else 0.0
        job = partial(solve_main, decks, from_game(rules), even_money, self._skill)
        solved: MainHold | None = self._solution((decks, (from_game(rules), even_money)), job)
        return solved

    def joint(self, ruleset: Ruleset) -> JointHold | None:
        """How a layout's wagers vary together, if it is ready; if not, starts it."""
        job = partial(solve_joint, ruleset.text, self._skill)
        solved: JointHold | None = self._solution((ruleset.hash, None), job)
        return solved

    def bonus(self, ruleset: Ruleset, wager: str) -> BonusHold | None:
        """The hold of a wager that is lost with the hand if it is ready; if not, starts it."""
        solved: BonusHold | None = self._solution((ruleset.hash, wager), partial(solve_bonus, ruleset.text, wager))
        return solved

    @property
    def failed(self) -> bool:
        """Whether a figure cannot be computed; the log says why."""
        with self._lock:
            errors = [job.exception() for job in self._solved.values() if job.done()]
        return any(error is not None and not isinstance(error, WorkerLost) for error in errors)

    def _solution(self, key: tuple[object, object], solve: Callable[[], object]) -> Any:
        with self._lock:
            job = self._solved.get(key)
            if job is not None and job.done():
                if job.exception() is None:
                    return job.result()
                if isinstance(job.exception(), WorkerLost):  # the worker was lost: try again
                    job = None
            if job is None and all(other.done() for other in self._solved.values()):
                self._solved[key] = self._workers.submit(WorkerKind.LONG, solve)
            return None
