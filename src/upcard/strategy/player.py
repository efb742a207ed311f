"""A player as data: what he counts, what he bets at which count, when he insures. The chart stands beside it.

A count is linear: a tag for each rank, or each card, and the running count divided by the decks left (rounded down) is
the true count. A wager's rule is an amount and the true count from which it is made.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from upcard.cards import DECK, RANKS, rank_of
from upcard.problems import BadFile, BadRequest, Problem, UnknownName, UpcardError
from upcard.units import Cents, money

LOWEST, HIGHEST = -10, 10  # true counts beyond are counted with these


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Whole tags of the 52 cards; `scale` of them are one."""

    name: str
    tags: tuple[int, ...]
    scale: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When a wager is made and for how much; no amount: the least the table takes."""

    amount: Cents | None = None
    since: int | None = None  # the true count from which it is made; None: always
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """From this true count on the main wager is so many times its least amount."""

    since: int
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A way to bet."""

    count: Count | None = None
    rules: Mapping[str, Rule] = field(default_factory=dict)  # by wager
    main_only: bool = False
    ramp: tuple[Step, ...] = ()
    insures_from: int | None = None  # a true count; None: never
    always_insures: bool = False
    flat_after: int | None = None  # rounds of each shoe until he is held to its first wagers; None: never

    @property
    def needs_count(self) -> bool:
        """Whether something he does hangs on a count."""
        by_count = any(rule.since is not None for rule in self.rules.values())
        return by_count or bool(self.ramp) or self.insures_from is not None


# Tags from the ace to the king.
COUNTS: dict[str, tuple[int | str, ...]] = {
    "hilo": (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1),
    "ko": (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1, -1, -1, -1),
    "hi-opt-i": (0, 0, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1),
    "omega-ii": (0, 1, 1, 2, 2, 2, 1, 0, -1, -2, -2, -2, -2),
    "halves": ("-1", "0.5", "1", "1", "1.5", "1", "0.5", "0", "-0.5", "-1", "-1", "-1", "-1"),
    "tens": (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1),
}
_MOST_SCALE = 1000
_MOST_TAG = 100


def read_count(text: str) -> Count:
    """A count by name, or its tags: ten from ace to ten, 13 from ace to king, or 52 card by card."""
    name = text.strip().lower()
    words = name.replace(",", " ").split()
    if len(words) == 1 and not words[0].lstrip("+-").replace(".", "").isdecimal():
        if name not in COUNTS:
            raise UnknownName(
                what="count", name=text, known=COUNTS, hint=f"there are {', '.join(COUNTS)}, or give tags"
            )
        words = [str(tag) for tag in COUNTS[name]]
    try:
        tags = [Fraction(word) for word in words]
    except (ValueError, ZeroDivisionError):
        raise BadRequest(
            f"--count is a name or tags from ace to ten like -1,1,1,1,1,1,0,0,0,-1, not {text!r}"
        ) from None
    if len(tags) == 10:
        tags += [tags[-1]] * 3
    if len(tags) == len(RANKS):
        tags = [tags[rank_of(one)] for one in DECK]
    if len(tags) != len(DECK):
        raise BadRequest(f"a count has 10, 13 or 52 tags, not {len(tags)}")
    scale = lcm(*(tag.denominator for tag in tags))
    if scale > _MOST_SCALE or any(abs(tag) > _MOST_TAG for tag in tags):
        raise BadRequest(f"a count's tags are at most {_MOST_TAG} and have three decimals at most")
    return Count(name=name if name in COUNTS else "given", tags=tuple(int(tag * scale) for tag in tags), scale=scale)


def read_rule(text: str) -> tuple[str, Rule]:
    """Reads "Lucky Ladies=$10", "Perfect Pair=off", "Match the Dealer=from 2" or "Lucky Ladies=$5 from 3"."""
    name, equals, told = text.partition("=")
    told = told.strip()
    if not equals or not name.strip() or not told:
        raise BadRequest(f'--wager takes NAME=$5, NAME=off, NAME="from 2" or NAME="$5 from 2", not {text!r}')
    if told.lower() == "off":
        return name.strip(), Rule(off=True)
    amount, _, since = told.lower().partition("from")
    try:
        return name.strip(), Rule(
            amount=money(amount.strip()) if amount.strip() else None,
            since=_whole(since) if "from" in told.lower() else None,
        )
    except ValueError as wrong:
        raise BadRequest(f"--wager {text}: {wrong}") from None


def read_ramp(text: str) -> tuple[Step, ...]:
    """Reads "1:2 2:4 3:8": from a true count of one twice the least, from two four times ..."""
    steps = []
    for word in text.replace(",", " ").split():
        since, colon, times = word.partition(":")
        try:
            step = Step(since=_whole(since), times=_whole(times) if colon else 0)
        except ValueError:
            step = Step(since=0, times=0)
        if step.times < 1:
            raise BadRequest(f'--ramp takes COUNT:TIMES parted by spaces, like "1:2 2:4 3:8", not {word!r}')
        steps.append(step)
    if not steps or [one.since for one in steps] != sorted({one.since for one in steps}):
        raise BadRequest('--ramp gives each true count once, lowest first, like "1:2 2:4 3:8"')
    return tuple(steps)


def read_insurance(text: str) -> tuple[bool, int | None]:
    """Reads "never", "always" or a true count like "3": whether always, and else from which count."""
    told = text.strip().lower()
    if told in ("never", "always"):
        return told == "always", None
    try:
        return False, _whole(told)
    except ValueError:
        raise BadRequest(f"--insurance is never, always or a true count like 3, not {text!r}") from None


def _whole(text: str) -> int:
    told = text.strip()
    if not told.lstrip("+-").isdecimal() or len(told) > 4:
        raise ValueError(f"{told!r} is not a whole number like 2")
    return int(told)


_KEYS = ("count", "ramp", "insurance", "flat_after", "main_only", "wagers")


def load_player(path: Path) -> Player:
    """Reads a player's file: TOML with the same words as the command line; everything wrong is said at once."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise BadRequest(f"{path}: cannot be read: {(wrong.strerror or str(wrong)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadRequest(f"{path} is not a TOML file: {wrong}") from None
    problems = [
        Problem(file=str(path), place=key, sentence=str(UnknownName(what="key", name=key, known=_KEYS)))
        for key in told
        if key not in _KEYS
    ]
    player = Player()
    for key, reader in _READERS.items():
        if key in told:
            try:
                player = replace(player, **reader(told[key]))
            except (UpcardError, ValueError) as wrong:
                problems.append(Problem(file=str(path), place=key, sentence=str(wrong)))
    if problems:
        raise BadFile(problems)
    return player


def _read_count(told: object) -> dict[str, Any]:
    return {"count": read_count(" ".join(map(str, told)) if isinstance(told, list) else str(told))}


def _read_insurance(told: object) -> dict[str, Any]:
    always, since = read_insurance(str(told))
    return {"always_insures": always, "insures_from": since}


def _read_flat(told: object) -> dict[str, Any]:
    if not isinstance(told, int) or isinstance(told, bool) or told < 0:
        raise ValueError(f"a number of rounds, not {told!r}")
    return {"flat_after": told}


def _read_main_only(told: object) -> dict[str, Any]:
    if not isinstance(told, bool):
        raise ValueError(f"true or false, not {told!r}")
    return {"main_only": told}


def _read_wagers(told: object) -> dict[str, Any]:
    if not isinstance(told, dict):
        raise ValueError('a table like { "Lucky Ladies" = "$5 from 2" }')
    return {"rules": dict(read_rule(f"{name}={rule}") for name, rule in told.items())}


_READERS: dict[str, Callable[[object], dict[str, Any]]] = {
    "count": _read_count,
    "ramp": lambda told: {"ramp": read_ramp(str(told))},
    "insurance": _read_insurance,
    "flat_after": _read_flat,
    "main_only": _read_main_only,
    "wagers": _read_wagers,
}
