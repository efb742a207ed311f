"""The duties of the house, and which of them nobody may hold together.

WAC 230-15-430 wants incompatible duties apart, so that nobody can both make an error and hide it: whoever handles money
or cards does not supervise it, whoever sets a jackpot does not pay it, whoever checks does nothing that is checked.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations

from upcard.codes import phrases


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
    **{frozenset({Role.PLAYER, role}): "roles/staff-player" for role in (*_STAFF, Role.AUDITOR)},
    **{frozenset({Role.AUDITOR, role}): "roles/auditor-staff" for role in _STAFF},
    frozenset({Role.DEALER, Role.FLOOR}): "roles/dealer-floor",
    frozenset({Role.DEALER, Role.CASHIER}): "roles/cashier-dealer",
    frozenset({Role.DEALER, Role.JACKPOTS}): "roles/dealer-jackpots",
    frozenset({Role.FLOOR, Role.CASHIER}): "roles/cashier-floor",
    frozenset({Role.FLOOR, Role.JACKPOTS}): "roles/floor-jackpots",
    frozenset({Role.CASHIER, Role.JACKPOTS}): "roles/cashier-jackpots",
}
phrases(
    {
        "roles/staff-player": "staff do not play here",
        "roles/auditor-staff": "auditors do nothing that they audit",
        "roles/dealer-floor": "dealers do not void or correct their own rounds",
        "roles/cashier-dealer": "whoever moves chips at the table does not change them for money",
        "roles/dealer-jackpots": "whoever deals does not set what can be won",
        "roles/cashier-floor": "whoever orders a fill does not hand it out",
        "roles/floor-jackpots": "whoever sets a jackpot does not approve its payout",
        "roles/cashier-jackpots": "whoever sets a jackpot does not pay it",
    }
)

FORBIDDEN: frozenset[frozenset[Role]] = frozenset(_WHY)


def clashing_pair(roles: Iterable[Role]) -> tuple[Role, Role] | None:
    """The first two of these roles that nobody may hold together; None: somebody may hold them all."""
    return next((pair for pair in combinations(sorted(set(roles)), 2) if frozenset(pair) in FORBIDDEN), None)


def clash(roles: Iterable[Role]) -> str:
    """The code of why nobody may hold these roles together; empty: somebody may."""
    pair = clashing_pair(roles)
    return "" if pair is None else _WHY[frozenset(pair)]


def written(roles: Iterable[Role]) -> str:
    """Roles as they are stored."""
    return ",".join(sorted(set(roles)))


def read(text: str) -> frozenset[Role]:
    """Roles as they were stored."""
    return frozenset(Role(name) for name in text.split(","))
