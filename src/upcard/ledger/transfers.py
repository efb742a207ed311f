"""Transfers: whole cents from one account to another, each with a reason that limits which accounts it may touch; and
the balances they add up to, some of which may not go below zero.

A transfer debits one account and credits another by the same amount, so the book always balances. It is posted at once,
or is pending and later posted or voided exactly once. An error is corrected by a new transfer that names the old one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from upcard.ledger.accounts import Account, Kind, Side
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.units import Cents


class Phase(Enum):
    """How final a transfer is."""

    POSTED = "posted"
    PENDING = "pending"
    POST = "post"  # makes a pending one final
    VOID = "void"  # cancels a pending one

    __hash__ = object.__hash__  # there is one of each


class Reason(Enum):
    """Why money moves: a closed list of codes, each with the pairs of accounts it may debit and credit.

    A code is stored with every transfer and never renamed; its words are in `reason_titles.py`.
    """

    # The tray moves for these and for a count only; wins and losses are the house's win (WAC 230-15-500). At a table
    # dealt by hand the chips that are sold, paid and taken move too.
    OPENER = ("opener", (Kind.TRAY, Kind.CASH), (Kind.HAND_TRAY, Kind.CASH))
    FILL = ("fill", (Kind.TRAY, Kind.CASH), (Kind.HAND_TRAY, Kind.CASH))
    CREDIT = ("credit", (Kind.CASH, Kind.TRAY), (Kind.CASH, Kind.HAND_TRAY))
    BUY_IN = ("buy-in", (Kind.TRAY, Kind.PLAYER), (Kind.DROP, Kind.PLAYER), (Kind.CASH, Kind.PLAYER))
    CASH_OUT = ("cash-out", (Kind.PLAYER, Kind.TRAY), (Kind.PLAYER, Kind.DROP), (Kind.PLAYER, Kind.CASH))
    CHIPS = ("chips-moved", (Kind.HAND_TRAY, Kind.CHIPS), (Kind.CHIPS, Kind.HAND_TRAY))
    DEALING = ("dealing-changed", (Kind.HAND_TRAY, Kind.TRAY), (Kind.TRAY, Kind.HAND_TRAY))
    COUNTED = (  # more or less than the book says; formats before 3 put it into the win
        "counted",
        (Kind.TRAY, Kind.WIN),
        (Kind.WIN, Kind.TRAY),
        (Kind.TRAY, Kind.OVER_SHORT),
        (Kind.OVER_SHORT, Kind.TRAY),
        (Kind.HAND_TRAY, Kind.OVER_SHORT),
        (Kind.OVER_SHORT, Kind.HAND_TRAY),
    )
    TIP = ("tip", (Kind.PLAYER, Kind.TIPS))
    TIPS_PAID = ("tips-paid", (Kind.TIPS, Kind.CASH))
    # A round.
    STAKE = ("stake", (Kind.PLAYER, Kind.STAKES))
    TAKEN = ("stake-taken", (Kind.STAKES, Kind.WIN))
    RETURNED = ("stake-returned", (Kind.STAKES, Kind.PLAYER))
    PAID = ("wager-paid", (Kind.WIN, Kind.PLAYER))
    PROMOTION = ("promotion-paid", (Kind.WIN, Kind.PLAYER))
    HELD = ("winnings-held", (Kind.PLAYER, Kind.HELD))  # pending until the round ends, and then void
    UNDERPAID = ("underpaid", (Kind.WIN, Kind.PLAYER))
    REVERSED = ("reversed",)  # the accounts of the transfer it names, swapped
    # A house-funded jackpot.
    HOUSE_AWARD = ("house-jackpot", (Kind.EXPENSE, Kind.PLAYER))
    # A progressive: what comes in.
    CONTRIBUTION = ("contribution", (Kind.WIN, Kind.METER), (Kind.WIN, Kind.RESERVE), (Kind.WIN, Kind.OVERFLOW))
    SEED_ADVANCED = ("seed-advanced", (Kind.SEED, Kind.METER))
    RESEED = ("reseed", (Kind.RESERVE, Kind.METER), (Kind.OVERFLOW, Kind.METER))
    # What goes out, or comes back.
    WIN_LOCKED = ("win-locked", (Kind.METER, Kind.AWARD))
    WIN_PAID = ("win-paid", (Kind.AWARD, Kind.PLAYER))
    WIN_DENIED = (
        "win-denied",
        (Kind.AWARD, Kind.METER),
        (Kind.AWARD, Kind.RESERVE),
        (Kind.AWARD, Kind.OVERFLOW),
        (Kind.AWARD, Kind.SEED),
    )
    MALFUNCTION = ("malfunction", (Kind.METER, Kind.WIN))
    TO_CAP = ("to-cap", (Kind.METER, Kind.OVERFLOW))
    RECOGNISED = ("gross-receipts", (Kind.RESERVE, Kind.RECEIPTS), (Kind.OVERFLOW, Kind.RECEIPTS))
    SEED_RECOVERED = (
        "seed-recovered",
        (Kind.METER, Kind.SEED),
        (Kind.RESERVE, Kind.SEED),
        (Kind.OVERFLOW, Kind.SEED),
    )
    # Its escrow: the cash behind what is owed.
    SET_ASIDE = ("set-aside", (Kind.UNDEPOSITED, Kind.CASH))
    DEPOSIT = ("escrow-deposit", (Kind.DEPOSITED, Kind.UNDEPOSITED))
    RELEASE = ("escrow-released", (Kind.CASH, Kind.DEPOSITED), (Kind.CASH, Kind.UNDEPOSITED))
    ESCROW_LOST = ("escrow-lost", (Kind.CASH, Kind.DEPOSITED))
    ESCROW_CURED = ("escrow-cured", (Kind.DEPOSITED, Kind.CASH))

    def __init__(self, code: str, *pairs: tuple[Kind, Kind]) -> None:
        self.code, self.pairs = code, pairs


REASONS = {reason.code: reason for reason in Reason}

CORRECTABLE = frozenset(
    {
        Reason.OPENER,
        Reason.FILL,
        Reason.CREDIT,
        Reason.BUY_IN,
        Reason.CASH_OUT,
        Reason.TIP,
        Reason.TIPS_PAID,
        Reason.PAID,
        Reason.PROMOTION,
        Reason.UNDERPAID,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """One movement of money between two accounts."""

    id: str
    debit: Account
    credit: Account
    amount: Cents
    reason: Reason
    phase: Phase = Phase.POSTED
    resolves: str | None = None  # the pending transfer this one posts or voids
    corrects: str | None = None  # the transfer this one corrects

    def __post_init__(self) -> None:
        if self.amount <= 0:
            raise ValueError("a transfer moves at least one cent")
        pair = (self.debit.kind, self.credit.kind)
        if self.reason is Reason.REVERSED:
            if self.corrects is None:
                raise ValueError("a reversal names the transfer it reverses")
        elif pair not in self.reason.pairs:
            raise ValueError(f"{self.reason.code} does not move money between {self.debit} and {self.credit}")
        if (self.resolves is not None) != (self.phase in (Phase.POST, Phase.VOID)):
            raise ValueError("only a transfer that posts or voids names a pending one")


class Balance(NamedTuple):
    """The two sides of an account, final and pending."""

    debits: int = 0
    credits: int = 0
    pending_debits: int = 0
    pending_credits: int = 0

    def own(self, side: Side) -> Cents:
        """The final balance, positive on the account's normal side."""
        net = self.debits - self.credits
        return Cents(net if side is Side.DEBIT else -net)

    def free(self, side: Side) -> Cents:
        """What can still be taken: the final balance less what pending transfers hold."""
        if side is Side.DEBIT:
            return Cents(self.debits - self.credits - self.pending_credits)
        return Cents(self.credits - self.debits - self.pending_debits)


NOTHING = Balance()

# By what factor a transfer counts in the final and in the pending sum of its two accounts.
_STEPS = {Phase.POSTED: (1, 0), Phase.PENDING: (0, 1), Phase.POST: (1, -1), Phase.VOID: (0, -1)}


def after(balances: Mapping[Account, Balance], transfers: Iterable[Transfer]) -> dict[Account, Balance]:
    """The balances after some transfers, of the accounts they touch. Minimums are not checked here."""
    moved: dict[Account, list[int]] = {}
    for transfer in transfers:
        amount, (final, pending) = transfer.amount, _STEPS[transfer.phase]
        for account, side in ((transfer.debit, 0), (transfer.credit, 1)):
            if account not in moved:
                moved[account] = list(balances.get(account, NOTHING))
            sides = moved[account]
            sides[side] += final * amount
            sides[side + 2] += pending * amount
    return {account: Balance(*sides) for account, sides in moved.items()}


def below_floor(account: Account, balance: Balance) -> bool:
    """Whether more was taken, or is held by pending transfers, than the account has."""
    return account.kind.floored and balance.free(account.kind.side) < 0


def shortage(short: Mapping[Account, Balance], held: Callable[[str], int]) -> BookRefused:
    """The refusal of a request that would leave accounts below their minimum; it names the first of them.

    `held` is what a player won in rounds that go on."""
    first = min(short)
    lacks = -short[first].free(first.kind.side)
    if first.kind is Kind.PLAYER:
        winnings = held(first.owner)
        if winnings >= lacks:
            return BookRefused(BookRefusal.WINNINGS_HELD, player=first.owner, short=lacks, held=winnings)
        return BookRefused(BookRefusal.PLAYER_NOT_ENOUGH, player=first.owner, short=lacks)
    return BookRefused(BookRefusal.NOT_ENOUGH, account=str(first), short=lacks)
