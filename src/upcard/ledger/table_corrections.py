"""Corrections of a table's transfers. A correction is a new transfer that names the one it corrects. Pure."""

from itertools import count

from upcard.ledger import requests as r
from upcard.ledger.accounts import Kind
from upcard.ledger.outcome import Draft, FindTransfer, Outcome, account
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.table_state import TableState
from upcard.ledger.transfers import CORRECTABLE, Phase, Reason


def correct(state: TableState, request: r.Correct, draft: Draft, find: FindTransfer) -> Outcome[TableState]:
    """Corrects a transfer of the table: reverses it, or pays a player what was underpaid."""
    match = find(request.transfer)
    if match is None:
        raise BookRefused(BookRefusal.TRANSFER_UNKNOWN, id=request.transfer)
    if not request.why.strip():
        raise BookRefused(BookRefusal.NEEDS_REASON)
    original, corrected = match
    if state.open is not None and original.id.partition("#")[0] in state.open.settled:
        raise BookRefused(BookRefusal.ROUND_NOT_SETTLED, table=state.table, round=state.open.round)
    if request.to_player:
        if original.reason not in (Reason.TAKEN, Reason.PAID, Reason.RETURNED):
            raise BookRefused(BookRefusal.NOT_CORRECTABLE, was=original.reason.code)
        if request.to_player not in _players(original.id, find):
            raise BookRefused(BookRefusal.NOT_OF_THE_ROUND, player=request.to_player, id=original.id)
        transfer_id = draft.move(
            Reason.UNDERPAID,
            request.amount,
            debit=account(Kind.WIN, state.table),
            credit=account(Kind.PLAYER, request.to_player),
            corrects=original.id,
        )
        return draft.outcome(state, {"transfer": transfer_id})
    if original.reason not in CORRECTABLE or original.phase is not Phase.POSTED:
        raise BookRefused(BookRefusal.NOT_CORRECTABLE, was=original.reason.code)
    remaining = original.amount - corrected
    if request.amount > remaining:
        raise BookRefused(BookRefusal.CORRECTED_TOO_MUCH, id=original.id, amount=original.amount, left=remaining)
    transfer_id = draft.move(
        Reason.REVERSED, request.amount, debit=original.credit, credit=original.debit, corrects=original.id
    )
    return draft.outcome(state, {"transfer": transfer_id})


def _players(settled: str, find: FindTransfer) -> set[str]:
    """The players of the settlement that made this transfer: its first transfers post their stakes."""
    command, players = settled.partition("#")[0], set[str]()
    for number in count():
        match = find(f"{command}#0.{number}" if number else command)
        if match is None or match[0].reason is not Reason.STAKE:
            break
        players.add(match[0].debit.owner)
    return players
