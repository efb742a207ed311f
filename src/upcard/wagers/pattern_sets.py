"""Sets of card patterns, and the two tools every classifier is written with.

A deal of k cards shows a pattern of ranks (13^k of them) and a pattern of suits (4^k). A condition on a deal is
the *set* of patterns for which it is true, held as one whole number whose bit i stands for pattern i. So "and"
is `&`, "or" is `|`, and how many patterns satisfy a condition is a count of bits: exact, and quick without arrays.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import cached_property, reduce
from itertools import product
from operator import and_, or_


class Role(IntEnum):
    """The cards a wager on the deal may read."""

    FIRST = 0  # the player's first card
    SECOND = 1  # the player's second card
    UP = 2  # the dealer's face-up card
    HOLE = 3  # the dealer's face-down card


class Space:
    """All patterns that cards in some roles can show, in one attribute (rank or suit)."""

    def __init__(self, *, values: int, roles: Sequence[Role]) -> None:
        self.values = values
        self.roles = tuple(roles)
        self.patterns: int = values ** len(self.roles)
        self.every: int = (1 << self.patterns) - 1

    @cached_property
    def _axes(self) -> dict[Role, list[int]]:
        """For each role and value, the set of patterns that show this value in this role."""
        axes = {}
        for place, role in enumerate(reversed(self.roles)):
            run = self.values**place  # how many neighbouring patterns share the value
            stripe = (1 << run) - 1
            period = run * self.values
            repeats = sum(1 << start for start in range(0, self.patterns, period))
            axes[role] = [repeats * (stripe << value * run) for value in range(self.values)]
        return axes

    def index(self, pattern: Sequence[int]) -> int:
        """The number of a pattern."""
        number = 0
        for value in pattern:
            number = number * self.values + value
        return number

    def at(self, role: Role, *values: int) -> int:
        """The card in this role shows one of these values."""
        return reduce(or_, (self._axes[role][value] for value in values))

    def same(self, *roles: Role) -> int:
        """The cards in these roles all show one value."""
        return reduce(
            or_,
            (reduce(and_, (self._axes[role][value] for role in roles)) for value in range(self.values)),
        )

    def where(self, roles: Sequence[Role], holds: Callable[..., bool]) -> int:
        """`holds` is true of the values shown in these roles."""
        return self.among(roles, (cell for cell in product(range(self.values), repeat=len(roles)) if holds(*cell)))

    def among(self, roles: Sequence[Role], cells: Iterable[Sequence[int]]) -> int:
        """The values shown in these roles, in this order, are one of the cells."""
        patterns = 0
        for cell in cells:
            patterns |= reduce(and_, (self._axes[role][value] for role, value in zip(roles, cell, strict=True)))
        return patterns


def split_by(every: int, conditions: Iterable[int]) -> list[int]:
    """The coarsest classes of patterns such that each condition is true or false of a whole class."""
    classes = [every]
    for condition in conditions:
        inside = (part & condition for part in classes)
        outside = (part & ~condition for part in classes)
        classes = [part for part in (*inside, *outside) if part]
    return classes
