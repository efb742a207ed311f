"""The duties of the house, and which of them nobody may hold together.

WAC 230-15-430 wants incompatible duties apart, so that nobody can both make an error and hide it: whoever handles money
or cards does not supervise it, whoever sets a jackpot does not pay it, whoever checks does nothing that is checked.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations


class Role(StrEnum):
    """What a person is here for."""

    PLAYER = "player"
    DEALER = "dealer"
    FLOOR = "floor"
    CASHIER = "cashier"
    JACKPOTS = "jackpots"
    AUDITOR = "auditor"
    DISPLAY = "display"  # a screen that only shows; it goes with everything


_STAFF = (Role.DEALER, Role.FLOOR, Role.CASHIER, Role.JACKPOTS)

_WHY: dict[frozenset[Role], str] = {
    **{frozenset({Role.PLAYER, role}): "whoever works here does not play here" for role in (*_STAFF, Role.AUDITOR)},
    **{frozenset({Role.AUDITOR, role}): "whoever checks does nothing that is checked" for role in _STAFF},
    frozenset({Role.DEALER, Role.FLOOR}): "whoever deals does not void or correct his own rounds",
    frozenset({Role.DEALER, Role.CASHIER}): "whoever moves chips at the table does not change them for money",
    frozenset({Role.DEALER, Role.JACKPOTS}): "whoever deals does not set what can be won",
    frozenset({Role.FLOOR, Role.CASHIER}): "whoever orders a fill does not hand it out",
    frozenset({Role.FLOOR, Role.JACKPOTS}): "whoever sets a jackpot does not approve its payout",
    frozenset({Role.CASHIER, Role.JACKPOTS}): "whoever sets a jackpot does not pay it",
}

FORBIDDEN: frozenset[frozenset[Role]] = frozenset(_WHY)


def clash(roles: Iterable[Role]) -> str:
    """Why nobody may hold these roles together; empty: somebody may."""
    for pair in combinations(sorted(set(roles)), 2):
        if (why := _WHY.get(frozenset(pair))) is not None:
            return f"{' and '.join(pair)}: {why}"
    return ""


def written(roles: Iterable[Role]) -> str:
    """Roles as they are stored."""
    return ",".join(sorted(set(roles)))


def read(text: str) -> frozenset[Role]:
    """Roles as they were stored."""
    return frozenset(Role(name) for name in text.split(","))
