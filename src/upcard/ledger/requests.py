"""The requests to tables and to the house. A request's id, time and actor are passed beside it."""

from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AliasGenerator, BeforeValidator, ConfigDict, Field, TypeAdapter

from upcard.ledger.denominations import Chips
from upcard.ledger.gaming_day import Hours
from upcard.ledger.record import Amount, CodedJson, Exact, Level, Name, Record, is_unset
from upcard.settlement.slips import Slip

# --- tables -------------------------------------------------------------------------------------------------------


class Line(Record):
    """A hand that wins a share of a meter, and its exact probability."""

    event: str
    meter: str
    share: Exact  # at the largest stake
    probability: Exact
    by_stake: tuple[
        tuple[Amount, Exact], ...
    ] = ()  # where the paytable lists the stakes; no other stake is allowed then

    def share_at(self, stake: int) -> Fraction | None:
        """The share that a stake wins; None: that stake is not listed."""
        return dict(self.by_stake).get(stake) if self.by_stake else self.share


class Trigger(Record):
    """What wins from a wager's meters: hands, shares and exact probabilities. Linked tables have the same trigger."""

    plan: str
    kind: str
    suit: str  # of a suit-specific award; else empty
    stake: Level  # the one stake of the wager; 0 where there are several
    lines: tuple[Line, ...]

    def takes(self, stake: int) -> bool:
        """Whether the wager allows this stake."""
        if self.stake:
            return stake == self.stake
        return all(line.share_at(stake) is not None for line in self.lines)


class TableRecord(Record):
    """A request to a table. Commands of people (fill, buy-in, tip) are the same records: the field `do` of the command
    is stored as `order`."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(serialization_alias=lambda name: "order" if name == "do" else name),
        serialize_by_alias=True,
    )


class AddTable(TableRecord):
    """Adds a table to the book, with the jackpot wagers of its layout."""

    do: Literal["open-table"] = "open-table"
    table: Name
    layout: str
    game: str
    rules: str  # the hash of its ruleset
    triggers: dict[str, Trigger]  # by wager


class SetTableRules(TableRecord):
    """Changes a table's rules to other rules of its layout; open jackpots keep their terms."""

    do: Literal["change-rules"] = "change-rules"
    table: Name
    layout: str
    rules: str
    triggers: dict[str, Trigger]


class LinkTable(TableRecord):
    """Links a jackpot wager of a table to a jackpot."""

    do: Literal["link-table"] = "link-table"
    table: Name
    wager: str
    jackpot: Name


class SetDealing(TableRecord):
    """From now on a dealer deals here by hand, or the service does. The tray goes on in another account."""

    do: Literal["set-dealing"] = "set-dealing"
    table: Name
    by_hand: bool
    tray: int = Field(default=0, strict=True)  # what the book says is in it, filled in by the clerk


class OpenTray(TableRecord):
    """The chips that a new table opens with."""

    do: Literal["open-tray"] = "open-tray"
    table: Name
    amount: Amount
    chips: Chips = ()


class Fill(TableRecord):
    """Brings chips from the cage to the table."""

    do: Literal["fill"] = "fill"
    table: Name
    amount: Amount
    chips: Chips = ()


class Credit(TableRecord):
    """Returns chips from the table to the cage."""

    do: Literal["credit"] = "credit"
    table: Name
    amount: Amount
    chips: Chips = ()


class CountTray(TableRecord):
    """A count of the tray, when a table opens or closes. A difference is explained, and is over or short."""

    do: Literal["count-tray"] = "count-tray"
    table: Name
    counted: Level
    expected: int = Field(strict=True)  # what the book said when the tray was counted
    why: str = ""
    chips: Chips = ()


class BuyIn(TableRecord):
    """A player buys chips."""

    do: Literal["buy-in"] = "buy-in"
    table: Name
    player: Name
    amount: Amount
    at_cage: bool = Field(default=False, exclude_if=is_unset)  # the chips are the cage's, not the table's
    chips: Chips = ()


class CashOut(TableRecord):
    """A player cashes chips in."""

    do: Literal["cash-out"] = "cash-out"
    table: Name
    player: Name
    amount: Amount
    at_cage: bool = Field(default=False, exclude_if=is_unset)
    chips: Chips = ()


class Tip(TableRecord):
    """A player tips the dealers; the money is theirs, not the house's."""

    do: Literal["tip"] = "tip"
    table: Name
    player: Name
    amount: Amount
    chips: Chips = ()


class PayTips(TableRecord):
    """The dealers receive their tips."""

    do: Literal["pay-tips"] = "pay-tips"
    table: Name
    amount: Amount
    chips: Chips = ()


class PlaceStake(TableRecord):
    """Puts a stake on the felt, where it is pending until the round is settled or voided."""

    do: Literal["place-stake"] = "place-stake"
    table: Name
    round: int = Field(ge=1)
    spot: int = Field(ge=1)
    player: Name
    wager: str
    amount: Amount

    @property
    def stakes(self) -> tuple[tuple[str, int], ...]:
        """The stake as a list, like those of `PlaceStakes`."""
        return ((self.wager, self.amount),)


class PlaceStakes(TableRecord):
    """Puts stakes of one player on the wagers of one spot. They are pending like a single one; the first has the id of
    the request, the others are numbered after it. Formats before 2 have one `PlaceStake` for each."""

    do: Literal["place-stakes"] = "place-stakes"
    table: Name
    round: int = Field(ge=1)
    spot: int = Field(ge=1)
    player: Name
    stakes: tuple[tuple[str, Amount], ...] = Field(min_length=1)  # wager and amount


class ClearStake(TableRecord):
    """Returns a stake before the deal."""

    do: Literal["clear-stake"] = "clear-stake"
    table: Name
    stake: str


class LockRound(TableRecord):
    """Ends betting: the deal begins, and stakes on jackpot wagers count. A round without such stakes needs none, except
    in format 1."""

    do: Literal["lock-round"] = "lock-round"
    table: Name
    round: int = Field(ge=1)


class ClaimLine(Record):
    """The share of a meter that a slip won."""

    meter: str
    share: Exact
    event: str


class SlipLine(Record):
    """A slip of the settlement, as it is stored."""

    spot: int
    player: Name
    wager: str
    hand: int | None = None
    stake: Amount
    paid: Level = 0
    returned: Level = 0
    promotion: Level = 0  # part of `paid`
    event: str = ""
    claim: ClaimLine | None = None
    stakes: tuple[str, ...] = ()  # the stakes it settles, where the round goes on


class SettleRound(TableRecord):
    """Pays, returns or takes stakes of a round: all that are left or, if not `final`, only some."""

    do: Literal["settle-round"] = "settle-round"
    table: Name
    round: int = Field(ge=1)
    slips: tuple[SlipLine, ...]
    final: bool = True  # False: settles only the stakes that the slips name, and the round goes on


class SlipName(Record):
    """Which slip of a round: that of a wager, or of a main wager on one hand."""

    spot: int
    wager: str
    hand: int | None = None


class ReverseSlips(TableRecord):
    """Reverses slips of a round that goes on, after a wrong entry: their stakes are on the felt again."""

    do: Literal["reverse-slips"] = "reverse-slips"
    table: Name
    round: int = Field(ge=1)
    slips: tuple[SlipName, ...] = Field(min_length=1)


class VoidReason(Record):
    """Why a round is void: a code, with a person's note or the refusal that caused it."""

    code: Literal["floor", "wagers-cleared", "timer", "reset", "restored"]
    note: str = ""  # typed by a person; required from the floor and for a reset
    refusal: CodedJson | None = None  # the coded refusal that stopped a timer


class ReturnStakes(TableRecord):
    """Voids a round: every stake is returned, and what was settled before the round's end is reversed."""

    do: Literal["void-round"] = "void-round"
    table: Name
    round: int = Field(ge=1)
    reason: VoidReason


class Correct(TableRecord):
    """Corrects a transfer of this table: reverses it or, with a player, pays what was underpaid."""

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
    | SetDealing
    | OpenTray
    | Fill
    | Credit
    | CountTray
    | BuyIn
    | CashOut
    | Tip
    | PayTips
    | PlaceStake
    | PlaceStakes
    | ClearStake
    | LockRound
    | SettleRound
    | ReverseSlips
    | ReturnStakes
    | Correct
)

# --- the house ----------------------------------------------------------------------------------------------------


class SetHours(Record):
    """Sets the house's time zone and opening hour, from a day on."""

    order: Literal["set-hours"] = "set-hours"
    hours: Hours


class CloseDay(Record):
    """Closes a gaming day with a checkpoint of all chains and balances."""

    order: Literal["close-day"] = "close-day"
    day: date


ContentHash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class PublishCatalog(Record):
    """Publishes files as the next revision of the house's catalog. The files are stored before, under their hash."""

    order: Literal["publish-catalog"] = "publish-catalog"
    revision: int = Field(ge=1, le=1_000_000, strict=True)  # its own number
    content: ContentHash
    note: Annotated[str, Field(max_length=200)] = ""
    restores: int = Field(default=0, ge=0, le=1_000_000, strict=True)  # the earlier revision whose files these are


class AcknowledgeAlert(Record):
    """Somebody has seen an alert and looks after it."""

    order: Literal["acknowledge-alert"] = "acknowledge-alert"
    alert: Annotated[str, Field(min_length=1, max_length=300)]


HouseRequest = SetHours | CloseDay | PublishCatalog | AcknowledgeAlert


def _as_command(stored: object) -> object:
    if not isinstance(stored, dict) or "order" not in stored:
        return stored
    return {"do": stored["order"], **{name: value for name, value in stored.items() if name != "order"}}


TABLE_REQUESTS: TypeAdapter[TableRequest] = TypeAdapter(
    Annotated[TableRequest, Field(discriminator="do"), BeforeValidator(_as_command)]
)
HOUSE_REQUESTS: TypeAdapter[HouseRequest] = TypeAdapter(Annotated[HouseRequest, Field(discriminator="order")])


def slip_line(slip: Slip, stakes: tuple[str, ...] = ()) -> SlipLine:
    """A slip of the settlement, as it is stored; with the stakes it settles, where the round goes on."""
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
        stakes=stakes,
    )
