"""What a jackpot display shows beside its meters: the pays of the wager, the operator's suit, the notice."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from pydantic import BaseModel

from upcard.catalog.pays import Fixed, Pay, percent
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets
from upcard.ledger.book import Book, Reader
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.state import JackpotState
from upcard.ledger.refusals import BookRefused
from upcard.ledger.tables import TableState
from upcard.pit import open_table
from upcard.pit.posted_text import as_sentence
from upcard.pit.terms import derive
from upcard.problems import UnknownName
from upcard.service.refusals import RecordBroken, RecordProblem
from upcard.units import Cents, Rounding, round_cents

State = TypeVar("State", TableState, JackpotState)

NOT_APPROVED = (
    "For house and training use: a browser is not the approved meter display without network capability that the "
    "filing asks for."
)


class PaidFor(BaseModel):
    """What one stake wins: cents, or a share of a meter."""

    stake: int
    amount: int | None
    share: str | None  # "25%"
    part: float | None
    meter: str | None


class DisplayLine(BaseModel):
    """One line of the paytable, for every stake the wager takes."""

    title: str
    pays: list[PaidFor]


class DisplayedJackpot(BaseModel):
    """One jackpot of a table or link."""

    jackpot: str
    wager: str
    game: str
    plan: str
    suit: str  # of suit-specific awards; empty: there are none
    stakes: list[int]
    notice: str
    lines: list[DisplayLine]
    tables: list[str]


class Displayed(BaseModel):
    """A display."""

    name: str
    link: bool  # else a table
    jackpots: list[DisplayedJackpot]
    remark: str


def display(book: Book, name: str) -> Displayed:
    """The jackpots of a table, or a jackpot and the tables it links, by the name of either."""
    with book.look() as clerk:
        return _displayed(clerk, name)


def _displayed(clerk: Reader, name: str) -> Displayed:
    table, jackpot = _found(clerk.table, name), None
    if table is None:
        jackpot = _found(clerk.jackpot, name)
        table = None if jackpot is None or not jackpot.tables else _found(clerk.table, jackpot.tables[0])
    if table is None:
        chains = [one.partition(":") for one in clerk.unit.chains()]
        known = [owner for kind, _, owner in chains if kind in ("table", "jackpot")]
        raise UnknownName(what="table or jackpot", name=name, known=known)
    rules = rulesets.find(clerk.unit.connection, table.rules)
    if rules is None:
        raise RecordBroken(RecordProblem.RULES_MISSING, rules=table.rules[:12])
    shown = [
        _one(rules, wager, clerk.jackpot(linked))
        for wager, linked in table.links.items()
        if jackpot is None or linked == name
    ]
    return Displayed(name=name, link=jackpot is not None, jackpots=shown, remark=NOT_APPROVED)


def _found(look: Callable[[str], State], name: str) -> State | None:
    try:
        return look(name)
    except BookRefused:
        return None


def _one(rules: Ruleset, wager: str, jackpot: JackpotState) -> DisplayedJackpot:
    layout = rules.layout
    terms = derive(open_table(rules.catalog, layout)).wagers[wager]
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
        notice=jackpot.terms.notice if isinstance(jackpot, BonusJackpot) else "",
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
