"""What the book can be asked, chain by chain. Requests are orders; their ids, moments and actors come beside them."""

from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AliasGenerator, BeforeValidator, ConfigDict, Field, TypeAdapter

from upcard.ledger.gaming_day import Hours
from upcard.ledger.record import Amount, CodedJson, Exact, Level, Name, Record
from upcard.settlement.slips import Slip

# --- tables -------------------------------------------------------------------------------------------------------


class Line(Record):
    """One line that wins a share of a meter, and how often, exactly."""

    event: str
    meter: str
    share: Exact  # at the largest stake
    probability: Exact
    by_stake: tuple[tuple[Amount, Exact], ...] = ()  # where the paytable lists its stakes; no other plays then

    def share_at(self, stake: int) -> Fraction | None:
        """The share a stake wins; None: it is not listed."""
        return dict(self.by_stake).get(stake) if self.by_stake else self.share


class Trigger(Record):
    """What wins from a wager's meters: the hand, the share and the exact chance. Linked tables have the same."""

    plan: str
    kind: str
    suit: str  # of a suit-specific award; else empty
    stake: Level  # the one stake of the wager; 0 where there are several
    lines: tuple[Line, ...]

    def takes(self, stake: int) -> bool:
        """Whether the wager may be made with this stake."""
        if self.stake:
            return stake == self.stake
        return all(line.share_at(stake) is not None for line in self.lines)


class TableRecord(Record):
    """A request at a table. Those that people make there (fill, buy-in, tip) are said in the same words: what the book
    keeps as `order` is what they say as `do`."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(serialization_alias=lambda name: "order" if name == "do" else name),
        serialize_by_alias=True,
    )


class AddTable(TableRecord):
    """A table comes into the book, with the jackpot wagers of its layout."""

    do: Literal["open-table"] = "open-table"
    table: Name
    layout: str
    game: str
    rules: str  # the hash of what it is played by
    triggers: dict[str, Trigger]  # by wager


class SetTableRules(TableRecord):
    """A table is played by other rules of its layout from now on; open jackpots keep their terms."""

    do: Literal["change-rules"] = "change-rules"
    table: Name
    layout: str
    rules: str
    triggers: dict[str, Trigger]


class LinkTable(TableRecord):
    """A jackpot wager of a table plays for this jackpot from now on."""

    do: Literal["link-table"] = "link-table"
    table: Name
    wager: str
    jackpot: Name


class Fill(TableRecord):
    """Chips come from the cage."""

    do: Literal["fill"] = "fill"
    table: Name
    amount: Amount


class Credit(TableRecord):
    """Chips go back to the cage."""

    do: Literal["credit"] = "credit"
    table: Name
    amount: Amount


class CountTray(TableRecord):
    """The tray was counted, when a table opens or closes; a difference is explained and becomes the house's win."""

    do: Literal["count-tray"] = "count-tray"
    table: Name
    counted: Level
    expected: Level  # what the book says; whoever counts has looked
    why: str = ""


class BuyIn(TableRecord):
    """A player buys chips."""

    do: Literal["buy-in"] = "buy-in"
    table: Name
    player: Name
    amount: Amount


class CashOut(TableRecord):
    """A player gives chips back."""

    do: Literal["cash-out"] = "cash-out"
    table: Name
    player: Name
    amount: Amount


class Tip(TableRecord):
    """A player tips the dealers; the money is theirs, not the house's."""

    do: Literal["tip"] = "tip"
    table: Name
    player: Name
    amount: Amount


class PayTips(TableRecord):
    """The dealers receive their tips."""

    do: Literal["pay-tips"] = "pay-tips"
    table: Name
    amount: Amount


class PlaceStake(TableRecord):
    """A stake on the felt; it waits there until the round is settled or void."""

    do: Literal["place-stake"] = "place-stake"
    table: Name
    round: int = Field(ge=1)
    spot: int = Field(ge=1)
    player: Name
    wager: str
    amount: Amount


class ClearStake(TableRecord):
    """A stake goes back before it plays."""

    do: Literal["clear-stake"] = "clear-stake"
    table: Name
    stake: str


class LockRound(TableRecord):
    """No more wagers: the deal begins, and jackpots are armed."""

    do: Literal["lock-round"] = "lock-round"
    table: Name
    round: int = Field(ge=1)


class ClaimLine(Record):
    """A share of a meter that a slip won."""

    meter: str
    share: Exact
    event: str


class SlipLine(Record):
    """A slip of the settlement, as the book keeps it."""

    spot: int
    player: Name
    wager: str
    hand: int | None = None
    stake: Amount
    paid: Level = 0
    returned: Level = 0
    promotion: Level = 0  # part of what is paid
    event: str = ""
    claim: ClaimLine | None = None


class SettleRound(TableRecord):
    """Stakes of a round are paid, returned or taken: all that are left, or before the last of several only some."""

    do: Literal["settle-round"] = "settle-round"
    table: Name
    round: int = Field(ge=1)
    slips: tuple[SlipLine, ...]
    final: bool = True  # False: only the wagers that the slips name are settled, each in full, and the round goes on


class VoidReason(Record):
    """Why a round is void: a code, with a person's own words or the refusal behind it."""

    code: Literal["floor", "wagers-cleared", "timer", "reset"]
    note: str = ""  # typed by a person; the floor and a reset must say something
    refusal: CodedJson | None = None  # the coded refusal that stopped a timer


class ReturnStakes(TableRecord):
    """A misdeal: every stake on the felt goes back."""

    do: Literal["void-round"] = "void-round"
    table: Name
    round: int = Field(ge=1)
    reason: VoidReason


class Correct(TableRecord):
    """Puts a transfer of this table right: takes it back, or (with a player) pays what was paid too little."""

    do: Literal["correct"] = "correct"
    table: Name
    transfer: Annotated[str, Field(min_length=1, max_length=400)]
    amount: Amount
    to_player: Name | Literal[""] = ""
    why: Annotated[str, Field(min_length=1, max_length=400)]


TableRequest = (
    AddTable
    | SetTableRules
    | LinkTable
    | Fill
    | Credit
    | CountTray
    | BuyIn
    | CashOut
    | Tip
    | PayTips
    | PlaceStake
    | ClearStake
    | LockRound
    | SettleRound
    | ReturnStakes
    | Correct
)

# --- the house ----------------------------------------------------------------------------------------------------


class SetHours(Record):
    """The house sets its time zone and opening hour, from a day on."""

    order: Literal["set-hours"] = "set-hours"
    hours: Hours


class CloseDay(Record):
    """The day is over: a checkpoint over all chains and balances."""

    order: Literal["close-day"] = "close-day"
    day: date


HouseRequest = SetHours | CloseDay


def _said(kept: object) -> object:
    if not isinstance(kept, dict) or "order" not in kept:
        return kept
    return {"do": kept["order"], **{name: value for name, value in kept.items() if name != "order"}}


TABLE_REQUESTS: TypeAdapter[TableRequest] = TypeAdapter(
    Annotated[TableRequest, Field(discriminator="do"), BeforeValidator(_said)]
)
HOUSE_REQUESTS: TypeAdapter[HouseRequest] = TypeAdapter(Annotated[HouseRequest, Field(discriminator="order")])


def slip_line(slip: Slip) -> SlipLine:
    """A slip of the settlement as the book keeps it."""
    claim = slip.claim
    return SlipLine(
        spot=slip.spot,
        player=slip.player,
        wager=slip.wager,
        hand=slip.hand,
        stake=slip.stake,
        paid=slip.paid,
        returned=slip.returned,
        promotion=slip.promotion,
        event=slip.event,
        claim=None if claim is None else ClaimLine(meter=claim.jackpot, share=claim.share, event=claim.event),
    )
