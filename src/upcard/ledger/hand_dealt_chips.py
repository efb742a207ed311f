"""Chips at a table dealt by hand: they go into its tray and out of it with the money that a request moves. Pure.

What the house takes from the players, and what they give back for cash, lies in the tray afterwards; what it pays and
sells does not. Jackpots are paid by the cage, and chips sold at the cage never were in the tray.
"""

from collections.abc import Iterable

from upcard.ledger.accounts import Kind
from upcard.ledger.outcome import Draft, Moment, Outcome, account
from upcard.ledger.table_state import TableState
from upcard.ledger.transfers import Phase, Reason, Transfer
from upcard.ledger.trays import tray_of

_OF_PLAYERS = frozenset({Kind.PLAYER, Kind.STAKES})
_OF_THE_TABLE = frozenset({Kind.WIN, Kind.DROP})


def with_chips(state: TableState, outcome: Outcome[TableState], moment: Moment) -> Outcome[TableState]:
    """The outcome of a request, with the chips that it moves by hand."""
    into_tray = _into_tray(outcome.transfers)
    if not into_tray:
        return outcome
    draft = Draft(moment, transfers=list(outcome.transfers))
    tray, chips = tray_of(state), account(Kind.CHIPS, state.table)
    debit, credit = (tray, chips) if into_tray > 0 else (chips, tray)
    draft.move(Reason.CHIPS, abs(into_tray), debit=debit, credit=credit)
    return outcome._replace(transfers=tuple(draft.transfers))


def _into_tray(transfers: Iterable[Transfer]) -> int:
    into_tray = 0
    for transfer in transfers:
        if transfer.phase in (Phase.POSTED, Phase.POST):
            between = transfer.debit.kind, transfer.credit.kind
            if between[0] in _OF_PLAYERS and between[1] in _OF_THE_TABLE:
                into_tray += transfer.amount
            elif between[0] in _OF_THE_TABLE and between[1] in _OF_PLAYERS:
                into_tray -= transfer.amount
    return into_tray
