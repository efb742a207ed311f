"""Transfers: whole cents from one account to another, each with a reason that says which accounts it may touch.

A transfer debits one account and credits another by the same amount, so the book balances by construction. It is
posted at once, or pending and later posted or voided exactly once. What was wrong is put right by a new transfer that
names the old one.
"""

from dataclasses import dataclass
from enum import Enum

from upcard.ledger.accounts import Account, Kind
from upcard.units import Cents


class Phase(Enum):
    """How final a transfer is."""

    POSTED = "posted"
    PENDING = "pending"
    POST = "post"  # makes a pending one final
    VOID = "void"  # or takes it back

    __hash__ = object.__hash__  # there is one of each


class Reason(Enum):
    """Why money moves: a closed list of codes, each with the pairs of accounts it may debit and credit.

    A code is stored with every transfer and never renamed; its words are in `titles.py`.
    """

    # The tray moves for these and for a count only; wins and losses are the house's win (WAC 230-15-500).
    FILL = ("fill", (Kind.TRAY, Kind.CASH))
    CREDIT = ("credit", (Kind.CASH, Kind.TRAY))
    BUY_IN = ("buy-in", (Kind.TRAY, Kind.PLAYER))
    CASH_OUT = ("cash-out", (Kind.PLAYER, Kind.TRAY))
    COUNTED = ("counted", (Kind.TRAY, Kind.WIN), (Kind.WIN, Kind.TRAY))  # more or less than the book says
    TIP = ("tip", (Kind.PLAYER, Kind.TIPS))
    TIPS_PAID = ("tips-paid", (Kind.TIPS, Kind.CASH))
    # A round.
    STAKE = ("stake", (Kind.PLAYER, Kind.STAKES))
    TAKEN = ("stake-taken", (Kind.STAKES, Kind.WIN))
    RETURNED = ("stake-returned", (Kind.STAKES, Kind.PLAYER))
    PAID = ("wager-paid", (Kind.WIN, Kind.PLAYER))
    PROMOTION = ("promotion-paid", (Kind.WIN, Kind.PLAYER))
    UNDERPAID = ("underpaid", (Kind.WIN, Kind.PLAYER))
    REVERSED = ("reversed",)  # the accounts of the transfer it names, the other way round
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
    """One movement of money."""

    id: str
    debit: Account
    credit: Account
    amount: Cents
    reason: Reason
    phase: Phase = Phase.POSTED
    resolves: str | None = None  # the pending transfer this one posts or voids
    corrects: str | None = None  # the transfer this one puts right

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
