"""What players and the dealer say at the table, and what else the evaluator is told of a round."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

Verb = Literal[
    "bet",
    "take back",
    "no more bets",
    "insure",
    "decline insurance",
    "even money",
    "no more insurance",
    "no more late wagers",
    "hit",
    "stay",
    "double",
    "split",
    "surrender",
]


class Command(NamedTuple):
    """`cents` by wager for a bet, insurance or a double; `wager` is the one taken back, "" for all of the spot."""

    verb: Verb
    spot: int = 0
    cents: Mapping[str, int] = {}
    wager: str = ""


class House(NamedTuple):
    """How the table stands when the round begins."""

    posted_minimum: int
    shuffled_by_hand: bool
    seats: Mapping[int, str]  # player by spot


class Refill(NamedTuple):
    """The shoe ran out, and these discards were shuffled to be dealt on (R33)."""

    cards: Sequence[str]


class Disagreement(AssertionError):  # noqa: N818 - it says what it is
    """The round cannot have gone like this under the filing, or it paid something else."""


def require(claim: bool, *what: object) -> None:
    if not claim:
        raise Disagreement(" ".join(str(part) for part in what))


class Script:
    """The commands of a round, taken one by one."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self._commands: Iterator[Command] = iter(commands)
        self.next: Command | None = next(self._commands, None)

    def take(self, what_for: str) -> Command:
        command = self.next
        if command is None:
            raise Disagreement(f"no command is left, but the filing asks for {what_for}")
        self.next = next(self._commands, None)
        return command
