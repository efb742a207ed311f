"""Balances: what transfers add up to, and the floors below which no command may leave an account."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from upcard.ledger.accounts import Account, Kind, Side
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase, Transfer
from upcard.units import Cents


class Balance(NamedTuple):
    """The two sides of an account, final and pending."""

    debits: int = 0
    credits: int = 0
    pending_debits: int = 0
    pending_credits: int = 0

    def own(self, side: Side) -> Cents:
        """The final balance, positive on the account's own side."""
        net = self.debits - self.credits
        return Cents(net if side is Side.DEBIT else -net)

    def free(self, side: Side) -> Cents:
        """What can still be taken: the final balance without what pending transfers hold."""
        return Cents(self.own(side) - (self.pending_credits if side is Side.DEBIT else self.pending_debits))


NOTHING = Balance()

# How often a transfer counts in the final and in the pending sum of each of its two sides.
_STEPS = {Phase.POSTED: (1, 0), Phase.PENDING: (0, 1), Phase.POST: (1, -1), Phase.VOID: (0, -1)}


def after(balances: Mapping[Account, Balance], transfers: Iterable[Transfer]) -> dict[Account, Balance]:
    """The balances after some transfers, floors aside."""
    sums: dict[Account, list[int]] = {}
    for one in transfers:
        amount, (final, pending) = one.amount, _STEPS[one.phase]
        for account, side in ((one.debit, 0), (one.credit, 1)):
            sides = sums.get(account)
            if sides is None:
                sides = sums[account] = list(balances.get(account, NOTHING))
            sides[side] += final * amount
            sides[side + 2] += pending * amount
    return {**balances, **{account: Balance(*sides) for account, sides in sums.items()}}


def check_floors(balances: Mapping[Account, Balance]) -> None:
    """Refuses a command that would leave an account below its floor."""
    short = [account for account, balance in balances.items() if below_floor(account, balance)]
    if short:
        first = min(short, key=str)
        lacks = -balances[first].free(first.kind.side)
        if first.kind is Kind.PLAYER:
            raise BookRefused(BookRefusal.PLAYER_NOT_ENOUGH, player=first.owner, short=lacks)
        raise BookRefused(BookRefusal.NOT_ENOUGH, account=str(first), short=lacks)


def below_floor(account: Account, balance: Balance) -> bool:
    """Whether more is taken, or held by pending transfers, than the account has."""
    return account.kind.floored and balance.free(account.kind.side) < 0
