"""A player as data: the counting system, the bets at each count, and when to take insurance. The chart is separate.

True counts (`strategy.counting`) are rounded down. A wager's rule is an amount and the true count from which the wager
is made.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from upcard.problems import BadFile, BadRequest, Problem, UnknownName, UpcardError
from upcard.strategy.counting import CountingSystem, parse_count
from upcard.units import Cents, money

LOWEST_COUNT, HIGHEST_COUNT = -10, 10  # higher and lower true counts count as these


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRule:
    """When a wager is made and for how much; without an amount, the table's least."""

    amount: Cents | None = None
    since: int | None = None  # the true count from which it is made; None means always
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RampStep:
    """From this true count on, the main wager is so many times its base amount."""

    since: int
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    count: CountingSystem | None = None
    rules: Mapping[str, WagerRule] = field(default_factory=dict)  # by wager
    main_only: bool = False
    ramp: tuple[RampStep, ...] = ()
    insures_from: int | None = None  # a true count; None means never
    always_insures: bool = False
    flat_after: int | None = None  # rounds of each shoe until flat betting; None means never

    @property
    def needs_count(self) -> bool:
        """Whether any decision depends on a count."""
        by_count = any(rule.since is not None for rule in self.rules.values())
        return by_count or bool(self.ramp) or self.insures_from is not None


def parse_rule(text: str) -> tuple[str, WagerRule]:
    """Reads "Lucky Ladies=$10", "Perfect Pair=off", "Match the Dealer=from 2" or "Lucky Ladies=$5 from 3"."""
    name, equals, setting = text.partition("=")
    setting = setting.strip()
    if not equals or not name.strip() or not setting:
        raise BadRequest(f'--wager takes NAME=$5, NAME=off, NAME="from 2" or NAME="$5 from 2", not {text!r}')
    if setting.lower() == "off":
        return name.strip(), WagerRule(off=True)
    amount, _, since = setting.lower().partition("from")
    try:
        return name.strip(), WagerRule(
            amount=money(amount.strip()) if amount.strip() else None,
            since=_whole(since) if "from" in setting.lower() else None,
        )
    except ValueError as error:
        raise BadRequest(f"--wager {text}: {error}") from None


def parse_ramp(text: str) -> tuple[RampStep, ...]:
    """Reads "1:2 2:4 3:8": twice the base amount from a true count of one, four times from two ..."""
    steps = []
    for word in text.replace(",", " ").split():
        since, colon, times = word.partition(":")
        try:
            step = RampStep(since=_whole(since), times=_whole(times) if colon else 0)
        except ValueError:
            step = RampStep(since=0, times=0)
        if step.times < 1:
            raise BadRequest(f'--ramp takes COUNT:TIMES separated by spaces, like "1:2 2:4 3:8", not {word!r}')
        steps.append(step)
    if not steps or [step.since for step in steps] != sorted({step.since for step in steps}):
        raise BadRequest('--ramp must give each true count once, lowest first, like "1:2 2:4 3:8"')
    return tuple(steps)


def parse_insurance(text: str) -> tuple[bool, int | None]:
    """Reads "never", "always" or a true count like "3": whether always, or else from which count."""
    setting = text.strip().lower()
    if setting in ("never", "always"):
        return setting == "always", None
    try:
        return False, _whole(setting)
    except ValueError:
        raise BadRequest(f"--insurance must be never, always or a true count like 3, not {text!r}") from None


def _whole(text: str) -> int:
    digits = text.strip()
    if not digits.lstrip("+-").isdecimal() or len(digits) > 4:
        raise ValueError(f"{digits!r} is not a whole number like 2")
    return int(digits)


_KEYS = ("count", "ramp", "insurance", "flat_after", "main_only", "wagers")


def load_player(path: Path) -> Player:
    """Loads a player file: TOML with the words of the command line; a refusal lists all its problems."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRequest(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"{path} is not a TOML file: {error}") from None
    problems = [
        Problem(file=str(path), place=key, sentence=str(UnknownName(what="key", name=key, known=_KEYS)))
        for key in settings
        if key not in _KEYS
    ]
    player = Player()
    for key, reader in _READERS.items():
        if key in settings:
            try:
                player = replace(player, **reader(settings[key]))
            except (UpcardError, ValueError) as error:
                problems.append(Problem(file=str(path), place=key, sentence=str(error)))
    if problems:
        raise BadFile(problems)
    return player


def _read_count(value: object) -> dict[str, Any]:
    return {"count": parse_count(" ".join(map(str, value)) if isinstance(value, list) else str(value))}


def _read_insurance(value: object) -> dict[str, Any]:
    always, since = parse_insurance(str(value))
    return {"always_insures": always, "insures_from": since}


def _read_flat(value: object) -> dict[str, Any]:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"must be a number of rounds, not {value!r}")
    return {"flat_after": value}


def _read_main_only(value: object) -> dict[str, Any]:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {value!r}")
    return {"main_only": value}


def _read_wagers(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError('must be a table like { "Lucky Ladies" = "$5 from 2" }')
    return {"rules": dict(parse_rule(f"{name}={rule}") for name, rule in value.items())}


_READERS: dict[str, Callable[[object], dict[str, Any]]] = {
    "count": _read_count,
    "ramp": lambda value: {"ramp": parse_ramp(str(value))},
    "insurance": _read_insurance,
    "flat_after": _read_flat,
    "main_only": _read_main_only,
    "wagers": _read_wagers,
}
