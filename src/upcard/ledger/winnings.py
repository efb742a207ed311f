"""Winnings of a round that goes on: a player may stake them in that round, but not take them away before it ends.

They are paid to the player at once. A pending transfer from the player to an account of their own holds what they have
not staked again, so no cash-out, no tip and no wager at another table can use it; it is voided when the round ends. A
void round can therefore always take back what it paid.
"""

from upcard.ledger.accounts import Kind
from upcard.ledger.outcome import Draft, account
from upcard.ledger.record import changed_record
from upcard.ledger.table_state import OpenRound, Winnings
from upcard.ledger.transfers import Phase, Reason


def with_payment(on_felt: OpenRound, player: str, paid: int, draft: Draft) -> OpenRound:
    """The round after a player was paid before its end; a negative amount was taken back."""
    before = on_felt.winnings.get(player) or Winnings(won=0)
    return _with_hold(on_felt, player, changed_record(before, won=before.won + paid), draft)


def with_stake(on_felt: OpenRound, player: str, amount: int, draft: Draft) -> OpenRound:
    """The round after somebody with winnings staked an amount: their winnings first. A negative amount was returned."""
    before = on_felt.winnings[player]
    return _with_hold(on_felt, player, changed_record(before, staked=max(before.staked + amount, 0)), draft)


def release(on_felt: OpenRound, draft: Draft) -> None:
    """Releases all winnings at the end of a round."""
    for player, winnings in on_felt.winnings.items():
        _release(player, winnings, draft)


def _with_hold(on_felt: OpenRound, player: str, changed: Winnings, draft: Draft) -> OpenRound:
    others = {name: winnings for name, winnings in on_felt.winnings.items() if name != player}
    held = max(changed.won - changed.staked, 0)
    if held != changed.held:
        _release(player, changed, draft)
        debit, credit = account(Kind.PLAYER, player), account(Kind.HELD, player)
        hold = draft.move(Reason.HELD, held, debit=debit, credit=credit, phase=Phase.PENDING)
        changed = changed_record(changed, held=held, hold=hold)
    return changed_record(on_felt, winnings={**others, player: changed} if changed.won else others)


def _release(player: str, winnings: Winnings, draft: Draft) -> None:
    if winnings.hold:
        debit, credit = account(Kind.PLAYER, player), account(Kind.HELD, player)
        draft.resolve(winnings.hold, Phase.VOID, Reason.HELD, winnings.held, debit, credit)
