"""Carries out requests, with the requests they send to other chains, many of them in one transaction.

The caller chooses a request's id and guarantees that it is new: a repeated id rolls the whole transaction back. A
refused request writes nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import Ruleset, ruleset_of
from upcard.codes import Coded
from upcard.ledger import rulesets, workspaces
from upcard.ledger.accounts import Account
from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.chains import apply_to, chain_of, state_of
from upcard.ledger.daily_close import WholeBook
from upcard.ledger.gaming_day import Hours, gaming_day
from upcard.ledger.house_state import HouseState
from upcard.ledger.jackpots.jackpot_state import JackpotState
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.requests import AddJackpot
from upcard.ledger.journal import HOUSE, instant_of, instant_text, jackpot_chain, lock_order, table_chain
from upcard.ledger.opening_requests import Opening, check_opening
from upcard.ledger.outcome import Answer, CloseWarning, Moment, Outcome
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import (
    AddTable,
    CloseDay,
    CountTray,
    PlaceStake,
    PlaceStakes,
    PublishCatalog,
    SetDealing,
    SetHours,
    SetTableRules,
)
from upcard.ledger.store import Store
from upcard.ledger.table_state import TableState
from upcard.ledger.transfers import Balance
from upcard.ledger.trays import tray_of
from upcard.ledger.unit import Chain, Unit

_BEGINS_A_CHAIN = frozenset({AddTable, AddJackpot, SetHours})
_CHECKED_FIRST = frozenset(
    {AddTable, SetTableRules, AddJackpot, CountTray, PublishCatalog}
)  # against more than their chain


class Receipt(NamedTuple):
    """The answers to a request, by chain."""

    command: str
    answers: Mapping[str, Answer]


class Book:
    """A book in its store."""

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self.store, self.catalog = store, catalog

    @contextmanager
    def batch(self, memory: Memory) -> Iterator["Clerk"]:
        """Many requests in one transaction, written in bulk at its end; `memory` is updated after the commit."""
        with self.store.batch(memory) as unit:
            yield Clerk(unit, self.catalog)

    @contextmanager
    def look(self) -> Iterator["Reader"]:
        """A consistent view of the whole book."""
        with self.store.view() as unit:
            yield Reader(unit)


class _Part(NamedTuple):
    """The part of a command that one chain carries out."""

    chain: Chain
    request: Record
    moment: Moment
    outcome: Outcome[Any]


@dataclass(eq=False)
class Reader:
    """Reads the book, inside one transaction."""

    unit: Unit

    def table(self, name: str) -> TableState:
        chain = self.unit.chain(table_chain(name))
        state = None if chain is None else state_of(chain)
        if not isinstance(state, TableState):
            raise BookRefused(BookRefusal.TABLE_UNKNOWN, table=name)
        return state

    def jackpot(self, name: str) -> JackpotState:
        chain = self.unit.chain(jackpot_chain(name))
        state = None if chain is None else state_of(chain)
        if not isinstance(state, JackpotState):
            raise BookRefused(BookRefusal.JACKPOT_UNKNOWN, jackpot=name)
        return state

    def stopped_wagers(self, table: str) -> dict[str, Coded]:
        """By wager of a table: why its jackpot is stopped."""
        jackpots = {wager: self.jackpot(name) for wager, name in sorted(self.table(table).links.items())}
        stopped = {wager: jackpot.stopped() for wager, jackpot in jackpots.items()}
        return {wager: refused.coded for wager, refused in stopped.items() if refused is not None}

    def house(self) -> HouseState:
        """The house's hours, the last day it closed, and the revision of its catalog."""
        chain = self.unit.chain(HOUSE)
        state = None if chain is None else state_of(chain)
        return state if isinstance(state, HouseState) else HouseState()

    def balance(self, account: Account) -> Balance:
        return self.unit.balance(account)

    def tray(self, table: str) -> int:
        """What the book says is in a table's tray."""
        chain = self.unit.chain(table_chain(table))
        state = None if chain is None else state_of(chain)
        if not isinstance(state, TableState):
            return 0
        account = tray_of(state)
        return self.balance(account).own(account.kind.side)


@dataclass(eq=False)
class Clerk(Reader):
    """Reads and writes the book, inside one transaction."""

    unit: BatchUnit
    catalog: Catalog
    _at: datetime | None = None  # the time of the last request
    _text: str = ""  # that time, as it is stored

    def carry_out(self, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
        """Carries a request out under a new id; raises BookRefused, and then writes nothing."""
        unit = self.unit
        if not id or len(id) > 200 or "#" in id or not id.isprintable():
            raise BookRefused(BookRefusal.BAD_ID, id=id)
        parts = [self._part(request, id, 0, at, actor)]
        onward = sorted(parts[0].outcome.onward, key=lambda sent: lock_order(chain_of(sent)))
        for number, sent in enumerate(onward, 1):
            parts.append(self._part(sent, id, number, at, actor))
        unit.move([transfer for part in parts for transfer in part.outcome.transfers])
        for part in parts:
            unit.append(*part)
        return Receipt(id, {part.chain.name: part.outcome.answer for part in parts})

    def _part(self, request: Record, command: str, number: int, at: datetime, actor: str) -> _Part:
        """What a request does on its chain, which is locked from then on."""
        unit = self.unit
        name = chain_of(request)
        if isinstance(request, CloseDay):
            unit.lock_all()  # nobody else writes; the house is locked last
        chain = unit.lock(name, create=type(request) in _BEGINS_A_CHAIN)
        if chain is None:
            raise _unknown(name)
        if not chain.number and name != HOUSE:
            unit.lock(HOUSE)  # the daily close cannot lock a chain that does not exist yet
        if isinstance(request, SetDealing):  # what is in the tray now goes on in another account
            request = request.model_copy(update={"tray": self.tray(request.table)})
        if type(request) in _CHECKED_FIRST:
            self._check_first(request)
        house = self.house()  # read while the chain is locked: no daily close can come between
        hours = house.hours or ((request.hours,) if isinstance(request, SetHours) else ())
        if at is not self._at:
            self._at, self._text = at, instant_text(at)
        if chain.at > self._text:  # the times in a chain never go back
            at = instant_of(chain.at)
        moment = Moment(command, number, at, self.day_of(at, hours), actor)
        if house.closed is not None and moment.day <= house.closed:
            raise BookRefused(BookRefusal.DAY_CLOSED, day=moment.day.isoformat())
        whole_book = _whole_book(unit, moment.day) if isinstance(request, CloseDay) else None
        outcome = apply_to(
            state_of(chain), request, moment, find=lambda key: unit.transfer(chain.name, key), whole_book=whole_book
        )
        if isinstance(request, PlaceStakes | PlaceStake) and outcome.state.links.keys() & dict(request.stakes):
            self._check_jackpots_open(outcome.state, request)
        return _Part(chain, request, moment, outcome)

    def _check_jackpots_open(self, table: TableState, request: PlaceStakes | PlaceStake) -> None:
        """Refuses a stake on a jackpot that takes no new wager now, not only at the deal."""
        for wager, _ in request.stakes:
            closed = self.jackpot(table.links[wager]).closed() if wager in table.links else None
            if closed is not None:
                raise closed

    def day_of(self, at: datetime, hours: tuple[Hours, ...]) -> date:
        """The gaming day of a time; nearly always the same as for the last request."""
        last = self.unit.memory.last_day
        if last is None or last.hours != hours or not last.begins <= at < last.ends:
            if not hours:
                raise BookRefused(BookRefusal.NO_HOURS)
            last = self.unit.memory.last_day = gaming_day(at, hours)
        return last.day

    def _check_first(self, request: Record) -> None:
        """Refuses terms that are not those of the rules, a count of a tray that has changed since, and a revision whose
        files are not stored."""
        if isinstance(request, Opening):
            check_opening(request, self._rules(request))
        elif isinstance(request, CountTray):
            tray = self.tray(request.table)  # only this table changes it
            if tray != request.expected:
                raise BookRefused(BookRefusal.TRAY_MOVED, table=request.table, tray=tray, expected=request.expected)

        elif isinstance(request, PublishCatalog):
            connection = self.unit.connection
            if not workspaces.is_kept(connection, request.content):
                raise BookRefused(BookRefusal.FILES_UNKNOWN)
            published = {revision.number: revision.content for revision in workspaces.revisions(connection)}
            if request.restores and published.get(request.restores) != request.content:
                raise BookRefused(BookRefusal.REVISION_UNKNOWN, revision=request.restores)

    def _rules(self, request: Opening) -> Ruleset:
        """The rules that a request names: stored already, or from today's files and stored now."""
        rules = rulesets.find(self.unit.connection, request.rules)
        if rules is None:
            rules = ruleset_of(self.catalog, request.layout)
            if rules.hash != request.rules:
                raise BookRefused(BookRefusal.TERMS_DIFFER, layout=request.layout)
        self.unit.keep_rules(rules)
        return rules


def _unknown(chain: str) -> BookRefused:
    kind, _, owner = chain.partition(":")
    if kind == "table":
        return BookRefused(BookRefusal.TABLE_UNKNOWN, table=owner)
    if kind == "jackpot":
        return BookRefused(BookRefusal.JACKPOT_UNKNOWN, jackpot=owner)
    return BookRefused(BookRefusal.NO_HOURS)


def _whole_book(unit: BatchUnit, day: date) -> WholeBook:
    """The whole book, while every chain is locked."""
    chains = unit.chains()
    states = [state_of(chain) for chain in chains.values() if chain.number]
    running = [
        (state.table, state.open.round, state.open.day)
        for state in states
        if isinstance(state, TableState) and state.open is not None
    ]
    warnings = [
        warning for state in states if isinstance(state, ProgressiveJackpot) for warning in warnings_of(state, day)
    ]
    heads = {name: (chain.number, chain.hash) for name, chain in chains.items() if chain.number}
    return WholeBook(heads=heads, balances=unit.balances(), running=running, warnings=warnings)


def warnings_of(state: ProgressiveJackpot, day: date) -> Iterator[CloseWarning]:
    """The warnings about a progressive at the daily close: escrow that is short, and a deposit that is overdue."""
    escrow = state.escrow
    if state.shortfall:
        yield {"code": "warning/escrow-short", "jackpot": state.jackpot, "short": state.shortfall}
    if escrow.undeposited_since is not None and state.deposit_overdue(day):
        waiting, since = escrow.undeposited, escrow.undeposited_since.isoformat()
        yield {"code": "warning/deposit-overdue", "jackpot": state.jackpot, "waiting": waiting, "since": since}
