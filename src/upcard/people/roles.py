"""The duties of the house, and which of them nobody may hold together.

WAC 230-15-430 keeps incompatible duties apart, so that nobody can both make an error and hide it: people who handle
money or cards do not supervise that, people who set a jackpot do not pay it, and auditors do nothing that they audit.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations

from upcard.codes import phrases


class Role(StrEnum):
    """What a person does in the house."""

    PLAYER = "player"
    DEALER = "dealer"
    FLOOR = "floor"
    CASHIER = "cashier"
    JACKPOTS = "jackpots"
    AUDITOR = "auditor"
    DISPLAY = "display"  # a screen that only shows; it may be held with any other role


_STAFF = (Role.DEALER, Role.FLOOR, Role.CASHIER, Role.JACKPOTS)
STAFF = frozenset({*_STAFF, Role.AUDITOR})  # they sign in with a code, and two people make their accounts

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
        "roles/cashier-dealer": "dealers do not exchange chips for cash",
        "roles/dealer-jackpots": "dealers do not set jackpots",
        "roles/cashier-floor": "the person who orders a fill does not hand it out",
        "roles/floor-jackpots": "the person who sets a jackpot does not approve its payout",
        "roles/cashier-jackpots": "the person who sets a jackpot does not pay it",
    }
)

FORBIDDEN: frozenset[frozenset[Role]] = frozenset(_WHY)


def clashing_pair(roles: Iterable[Role]) -> tuple[Role, Role] | None:
    """The first two of these roles that nobody may hold together; None: one person may hold them all."""
    return next((pair for pair in combinations(sorted(set(roles)), 2) if frozenset(pair) in FORBIDDEN), None)


def clash(roles: Iterable[Role]) -> str:
    """The code of the reason why nobody may hold these roles together; empty: one person may."""
    pair = clashing_pair(roles)
    return "" if pair is None else _WHY[frozenset(pair)]


def is_staff(roles: frozenset[Role]) -> bool:
    return bool(roles & STAFF)


def roles_text(roles: Iterable[Role]) -> str:
    """Roles as they are stored."""
    return ",".join(sorted(set(roles)))


def parse_roles(text: str) -> frozenset[Role]:
    return frozenset(Role(name) for name in text.split(","))
