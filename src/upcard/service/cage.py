"""Checks at the cage: how much money may move at once, and that chips go only to players whom the house knows.

They are made when a command is given and not when a record is carried out again, so they may change at any time.
"""

from typing import get_args

from upcard.ledger.keyring import Keyring
from upcard.ledger.unit import Unit
from upcard.people import Role
from upcard.people.register import find_person
from upcard.service import commands as s
from upcard.service.pending import Context
from upcard.service.refusals import ServiceRefusal, ServiceRefused
from upcard.units import Cents

MOST_AT_ONCE = Cents(1_000_000_00)
CageCommand = s.BuyIn | s.CashOut | s.Tip | s.PayTips | s.Fill | s.Credit
CHECKED = frozenset(get_args(CageCommand | s.Seat | s.Correct))  # all other commands pass


def check(context: Context, unit: Unit, command: s.Command) -> None:
    """Refuses amounts that no cage hands over at once, and in a served house players whom nobody knows."""
    if isinstance(command, CageCommand) and command.amount > MOST_AT_ONCE:
        raise ServiceRefused(ServiceRefusal.TOO_MUCH_AT_ONCE, most=MOST_AT_ONCE, amount=command.amount)
    if context.known_players_only:
        _check_player(unit, context.keyring, command)


def _check_player(unit: Unit, keyring: Keyring, command: s.Command) -> None:
    """Refuses a seat, chips or a payment for a name that is no player's. Old chips can always be cashed in."""
    if (player := _receives(command)) is None:
        return
    person = find_person(unit, keyring, player)
    if person is None or Role.PLAYER not in person.roles:
        raise ServiceRefused(ServiceRefusal.PLAYER_UNKNOWN, player=player)
    if person.name != player:
        raise ServiceRefused(ServiceRefusal.PLAYER_SPELLED_OTHERWISE, player=player, name=person.name)
    if person.disabled and not isinstance(command, s.Correct):
        raise ServiceRefused(ServiceRefusal.PLAYER_DISABLED, player=player)


def _receives(command: s.Command) -> str | None:
    """The player who takes a seat or gets money, where a command names one."""
    match command:
        case s.BuyIn() | s.Seat():
            return command.player
        case s.Correct() if command.to_player:
            return command.to_player
        case _:
            return None
