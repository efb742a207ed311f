"""Balances: what transfers add up to, and the floors below which no command may leave an account."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from upcard.ledger.accounts import Account, Side
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.transfers import Phase, Transfer
from upcard.units import Cents, dollars


@dataclass(frozen=True, slots=True)
class Balance:
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

    def debited(self, amount: int, phase: Phase) -> "Balance":
        """After one side of a transfer."""
        final, pending = _steps(amount, phase)
        return replace(self, debits=self.debits + final, pending_debits=self.pending_debits + pending)

    def credited(self, amount: int, phase: Phase) -> "Balance":
        """After the other side."""
        final, pending = _steps(amount, phase)
        return replace(self, credits=self.credits + final, pending_credits=self.pending_credits + pending)


NOTHING = Balance()


def after(balances: Mapping[Account, Balance], transfers: Iterable[Transfer]) -> dict[Account, Balance]:
    """The balances after some transfers, floors aside."""
    changed = dict(balances)
    for one in transfers:
        changed[one.debit] = changed.get(one.debit, NOTHING).debited(one.amount, one.phase)
        changed[one.credit] = changed.get(one.credit, NOTHING).credited(one.amount, one.phase)
    return changed


def check_floors(balances: Mapping[Account, Balance]) -> None:
    """Refuses a command that would leave an account below its floor."""
    for account in sorted(balances, key=str):
        if below_floor(account, balances[account]):
            raise BookRefused(
                BookRefusal.NOT_ENOUGH,
                account=account,
                short=dollars(-balances[account].free(account.kind.side)),
            )


def below_floor(account: Account, balance: Balance) -> bool:
    """Whether more is taken, or held by pending transfers, than the account has."""
    return account.kind.floored and balance.free(account.kind.side) < 0


def _steps(amount: int, phase: Phase) -> tuple[int, int]:
    """What a transfer adds to the final and to the pending sum of one side."""
    return {
        Phase.POSTED: (amount, 0),
        Phase.PENDING: (0, amount),
        Phase.POST: (amount, -amount),
        Phase.VOID: (0, -amount),
    }[phase]
