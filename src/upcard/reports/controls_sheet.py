"""The content of a controls sheet: how each jackpot is set up, funded, verified, paid and reconciled, and by whom.

Plain values: money is whole cents, chances and shares are fractions. `controls_text` has the sentences; as JSON the
sheet is these values under these names, which never change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Plan = Literal["daily-accrual", "posted", "bonus", "progressive"]
Money = int  # cents

FORMAT = 1  # of the sheet as JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentLine:
    """A piece of equipment that must be of a certain model."""

    equipment: str
    model: str  # empty if the layout does not name it
    filed: str  # what the filing says of it
    approved: bool | None  # None: the operator has given no list of approved models


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionLine:
    """003: an extra award that the house pays for an event, with the game owner's consent."""

    wager: str
    title: str  # of the event
    award: Money
    since: str
    until: str
    consent: str  # where the owner's written consent is


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table of a book, or the layout that tables are opened with."""

    table: str  # empty: a layout
    layout: str
    title: str
    game: str
    filing: str
    document: str
    regulator: str
    reference: str
    dated: str
    jurisdiction: str
    decks: int
    shuffler: str
    equipment: tuple[str, ...]
    models: tuple[EquipmentLine, ...]
    rules: str  # the hash of the rules in force; empty: a layout
    links: Mapping[str, str]  # jackpot by wager; in a layout the jackpots have no names
    promotions: tuple[PromotionLine, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LawLine:
    """What a jurisdiction requires of jackpots from a day on."""

    since: str
    citation: str
    confirmed: bool
    in_force: bool  # on the day of the sheet
    second_person_from: Money | None  # None: every win needs a second person
    deposit_within_days: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardLine:
    """A hand that wins a share of a meter."""

    event: str
    title: str
    meter: str
    share: Fraction  # at the largest stake
    by_stake: Mapping[Money, Fraction]  # where the share depends on the stake
    probability: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """How several winners of one hand share, and the reading that says so."""

    winners: str
    reading: str
    question: str
    means: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWin:
    """A win that is neither paid nor denied."""

    win: str
    table: str
    round: int
    meter: str
    amount: Money
    day: str
    locked_by: str
    verified_by: str  # empty: nobody yet
    needs_second_person: bool
    winners: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedChange:
    """A change of a meter that waits until nothing plays for it any more."""

    change: Literal["reseeded", "accrued", "posted"]
    meter: str
    amount: Money  # the new value; of an accrual, what it adds


@dataclass(frozen=True, slots=True, kw_only=True)
class EscrowLine:
    """The money of a progressive: what the players are owed, and what covers it."""

    reserve: Money
    overflow: Money
    won_not_paid: Money
    seed_advanced: Money
    owed: Money
    deposited: Money
    undeposited: Money
    undeposited_since: str | None
    short: Money
    deposit_overdue: bool
    cap: Money | None  # now; the terms have the cap it was opened with


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconciliationLine:
    """What a progressive's accounts hold for the players, and what came in and went out."""

    meter: Money
    reserve: Money
    overflow: Money
    pending: Money
    advanced: Money
    contributed: Money
    paid: Money
    recognised: Money
    recovered: Money
    owed: Money
    explained: Money
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A jackpot of a book as it stands."""

    meters: Mapping[str, Money]
    stopped: str  # why its wager cannot be made now; empty: it can
    wagers: int
    hits: int
    paid: Money
    wins: tuple[OpenWin, ...]
    hands_in_play: tuple[str, ...]  # the tables with a hand that plays for it
    queued: tuple[QueuedChange, ...]
    last_accrued: str | None  # the last gaming day whose wagers were added
    escrow: EscrowLine | None
    reconciliation: ReconciliationLine | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotLine:
    """A jackpot: its terms and, in a book, how it stands."""

    jackpot: str  # its name in the book; empty: in a layout
    layout: str
    wager: str
    tables: tuple[str, ...]
    plan: Plan
    title: str  # the filing's name of the plan
    funded_by: Literal["house", "players"]
    sensor: int | None
    stakes: tuple[Money, ...]
    paytable: str
    basis: str
    suit: str  # of suit-specific awards; empty if there are none
    opens_at: Mapping[str, Money]  # by meter: the seed, or the posted value
    reseeds_at: Mapping[str, Money]
    accrues: Fraction | None  # daily, of the wagers of the previous gaming day
    rate: Fraction | None  # of each wager, to the meter
    reserve_rate: Fraction | None
    cap: Money | None
    largest_contribution: Money | None
    hours_between_changes: int | None
    reductions: tuple[str, ...]  # the lawful reasons to lower it, apart from a win
    notice: str
    awards: tuple[AwardLine, ...]
    sharing: Sharing
    stops: tuple[str, ...]  # codes: when its wager is stopped
    laws: tuple[LawLine, ...]
    standing: Standing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """Who may do an operation."""

    part: str
    operation: str
    roles: tuple[str, ...]
    needs: str  # besides the role; empty: nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """Two roles that nobody may hold together."""

    roles: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffLine:
    """Somebody with a role in the house."""

    name: str
    roles: tuple[str, ...]
    has_authenticator: bool
    disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseLine:
    """The house's gaming day and its last daily close."""

    zone: str
    start: int | None  # the full hour; None: not set yet
    since: str
    closed: str | None  # the last gaming day that was closed
    checkpoint: str  # the hash of that close
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlsSheet:
    format: int
    about: Literal["layout", "book"]
    name: str
    date: str
    tables: tuple[TableLine, ...]
    jackpots: tuple[JackpotLine, ...]
    permissions: tuple[Permission, ...]
    separations: tuple[Separation, ...]
    staff: tuple[StaffLine, ...] | None  # None: a layout
    staff_verified: bool  # whether the seals of these people were verified with the operator's key
    house: HouseLine | None
