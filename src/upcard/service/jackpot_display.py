"""What a jackpot display shows besides its meters: the wager's pays, the operator's suit, the notice."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from pydantic import BaseModel

from upcard.catalog.pays import Fixed, Pay, percent
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets
from upcard.ledger.book import Book, Reader
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.refusals import BookRefused
from upcard.ledger.table_state import TableState
from upcard.pit.posted_text import as_sentence
from upcard.pit.terms import derive
from upcard.problems import UnknownName
from upcard.service.jackpot_signs import sign_of
from upcard.service.live_table import table_under
from upcard.service.refusals import RecordBroken, RecordProblem
from upcard.units import Cents, Rounding, round_cents

State = TypeVar("State", TableState, JackpotState)

NOT_APPROVED = (
    "For house and training use: a browser is not the approved meter display without network capability that the "
    "filing requires."
)


class PaidFor(BaseModel):
    """What a stake wins: an amount in cents, or a share of a meter."""

    stake: int
    amount: int | None
    share: str | None  # "25%"
    part: float | None
    meter: str | None


class DisplayLine(BaseModel):
    """A line of the paytable, for every possible stake."""

    title: str
    pays: list[PaidFor]


class DisplayedJackpot(BaseModel):
    """A jackpot of a table, or a linked jackpot."""

    jackpot: str
    wager: str
    game: str
    plan: str
    suit: str  # of suit-specific awards; empty if there are none
    stakes: list[int]
    notice: str
    lines: list[DisplayLine]
    tables: list[str]


class JackpotDisplay(BaseModel):
    """The contents of a display."""

    name: str
    link: bool  # False: a table
    jackpots: list[DisplayedJackpot]
    remark: str


def display(book: Book, name: str) -> JackpotDisplay:
    """A table's jackpots, or one jackpot and the tables it links; `name` is a table's or a jackpot's."""
    with book.look() as clerk:
        return _display(clerk, name)


def _display(clerk: Reader, name: str) -> JackpotDisplay:
    table, jackpot = _read_or_none(clerk.table, name), None
    if table is None:
        jackpot = _read_or_none(clerk.jackpot, name)
        table = None if jackpot is None or not jackpot.tables else _read_or_none(clerk.table, jackpot.tables[0])
    if table is None:
        chains = [chain.partition(":") for chain in clerk.unit.chains()]
        owners = [owner for kind, _, owner in chains if kind in ("table", "jackpot")]
        raise UnknownName(what="table or jackpot", name=name, known=owners)
    rules = rulesets.find(clerk.unit.connection, table.rules)
    if rules is None:
        raise RecordBroken(RecordProblem.RULES_MISSING, rules=table.rules[:12])
    jackpots = [
        _jackpot(rules, wager, clerk.jackpot(linked))
        for wager, linked in table.links.items()
        if jackpot is None or linked == name
    ]
    return JackpotDisplay(name=name, link=jackpot is not None, jackpots=jackpots, remark=NOT_APPROVED)


def _read_or_none(read: Callable[[str], State], name: str) -> State | None:
    try:
        return read(name)
    except BookRefused:
        return None


def _jackpot(rules: Ruleset, wager: str, jackpot: JackpotState) -> DisplayedJackpot:
    layout = rules.layout
    terms = derive(table_under(rules, by_hand=False)).wagers[wager]
    stakes = list(terms.amounts) or [terms.least]
    paytable = terms.paytable
    lines = [] if paytable is None else list(paytable.lines.items())
    return DisplayedJackpot(
        jackpot=jackpot.jackpot,
        wager=wager,
        game=layout.game,
        plan=jackpot.trigger.plan,
        suit=jackpot.trigger.suit,
        stakes=[int(stake) for stake in stakes],
        notice=sign_of(jackpot).notice,
        lines=[
            DisplayLine(
                title=as_sentence(paytable.title(event)).removesuffix("."),
                pays=[_paid(pay, stake, Rounding(layout.rounding)) for stake in stakes],
            )
            for event, pay in lines
            if paytable is not None
        ],
        tables=list(jackpot.tables),
    )


def _paid(pay: Pay, stake: Cents, rounding: Rounding) -> PaidFor:
    if isinstance(pay, Fixed):
        return PaidFor(stake=stake, amount=round_cents(pay.units * stake, rounding), share=None, part=None, meter=None)
    share: Fraction = pay.at(stake)
    return PaidFor(stake=stake, amount=None, share=percent(share), part=float(share), meter=pay.jackpot)
