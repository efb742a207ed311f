"""The chart of accounts: every kind of account, its normal side, and whether it may go below zero.

An account is a kind and the table, player or jackpot it belongs to. No account is shared by all tables, so that they do
not queue for one row on PostgreSQL. A house-funded jackpot has an expense account and no pots; a custodial one
(a progressive) has pots and no expense account.
"""

from enum import Enum


class Side(Enum):
    """The side on which an account grows: debit for what is held, credit for what is owed."""

    DEBIT = "debit"
    CREDIT = "credit"


class Kind(Enum):
    """Every kind of account: its name, its side, and whether it may go below zero."""

    # of a table
    TRAY = ("tray", Side.DEBIT, True)  # chips and cash at the table
    STAKES = ("stakes", Side.CREDIT, True)  # on the felt; pending until the round is settled or voided
    WIN = ("win", Side.CREDIT, False)  # the house's win, which can be a loss
    TIPS = ("tips", Side.CREDIT, True)
    OVER_SHORT = ("over-short", Side.CREDIT, False)  # what counts of the tray found more or less than the book
    # of a table dealt by hand: the book follows the chips, and never stops a payment that the dealer has made
    HAND_TRAY = ("hand-tray", Side.DEBIT, False)  # chips in its tray
    CHIPS = ("chips", Side.DEBIT, False)  # chips that left its tray for the players, less those that came back
    DROP = ("drop", Side.DEBIT, False)  # cash for chips sold there
    # of a player
    PLAYER = ("player", Side.CREDIT, True)
    HELD = ("held", Side.CREDIT, True)  # winnings of a round that goes on: pending, and never final
    # of a table or a jackpot: the house's own cash, as moved by that table or jackpot
    CASH = ("cash", Side.DEBIT, False)
    # of a house-funded jackpot
    EXPENSE = ("expense", Side.DEBIT, True)
    # of a progressive: the players' money, and what the house advanced
    METER = ("meter", Side.CREDIT, True)
    RESERVE = ("reserve", Side.CREDIT, True)
    OVERFLOW = ("overflow", Side.CREDIT, True)
    AWARD = ("award", Side.CREDIT, True)  # won and not yet paid
    SEED = ("seed", Side.DEBIT, True)  # advanced by the house and not recovered
    RECEIPTS = ("receipts", Side.CREDIT, True)  # recorded as gross receipts
    DEPOSITED = ("deposited", Side.DEBIT, True)  # in the escrow account of the bank
    UNDEPOSITED = ("undeposited", Side.DEBIT, True)  # set aside, on its way there

    __hash__ = object.__hash__  # faster than the enum's own, which looks up its name every time

    def __init__(self, label: str, side: Side, floored: bool) -> None:
        self.label, self.side, self.floored = label, side, floored


_BY_LABEL = {kind.label: kind for kind in Kind}

CUSTODIAL = (Kind.METER, Kind.RESERVE, Kind.OVERFLOW, Kind.AWARD)  # what escrow must cover


class Account(str):
    """One account of the book: a text, `kind:owner`, with its parts."""

    __slots__ = ("kind", "owner")
    kind: Kind
    owner: str

    def __new__(cls, kind: Kind, owner: str) -> "Account":
        if not owner:
            raise ValueError(f"a {kind.label} account needs an owner")
        account = super().__new__(cls, f"{kind.label}:{owner}")
        account.kind, account.owner = kind, owner
        return account

    @classmethod
    def parse(cls, text: str) -> "Account":
        """Parses an account such as `player:Ann`."""
        label, colon, owner = text.partition(":")
        if label not in _BY_LABEL or not colon or not owner:
            raise ValueError(f"{text!r} is not an account like player:Ann; the kinds are {', '.join(_BY_LABEL)}")
        return cls(_BY_LABEL[label], owner)
