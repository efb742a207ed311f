"""The book in use: requests carried out, with all they bring to other chains, in one transaction with many others.

A request has an id that its caller chose, and vouches for: under an id that was used before, nothing of the whole
transaction is kept. A refusal writes nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import Ruleset, ruleset_of
from upcard.ledger import rulesets
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.batch_unit import BatchUnit, Memory
from upcard.ledger.chains import apply_to, chain_of, state_of
from upcard.ledger.gaming_day import Hours, gaming_day
from upcard.ledger.house import HouseState, Sight
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.requests import AddJackpot
from upcard.ledger.jackpots.state import JackpotState
from upcard.ledger.journal import HOUSE, instant_of, instant_text, jackpot_chain, lock_order, table_chain
from upcard.ledger.opening_requests import Opening, check_opening
from upcard.ledger.outcome import Answer, Moment, Outcome, Warned
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import AddTable, CloseDay, CountTray, PlaceStake, SetHours, SetTableRules
from upcard.ledger.store import Store
from upcard.ledger.tables import TableState
from upcard.ledger.transfers import Balance
from upcard.ledger.unit import Chain, Unit

_BEGINS_A_CHAIN = frozenset({AddTable, AddJackpot, SetHours})
_LOOKED_AT = frozenset({AddTable, SetTableRules, AddJackpot, CountTray})  # what more than its chain must allow


class Receipt(NamedTuple):
    """What a request was answered, chain by chain."""

    command: str
    answers: Mapping[str, Answer]


class Book:
    """A book in its store."""

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self.store, self.catalog = store, catalog

    @contextmanager
    def batch(self, memory: Memory) -> Iterator["Clerk"]:
        """Many requests in one transaction, written in bulk at its end; `memory` is renewed once they are kept."""
        with self.store.batch(memory) as unit:
            yield Clerk(unit, self.catalog)

    @contextmanager
    def look(self) -> Iterator["Reader"]:
        """One consistent look."""
        with self.store.view() as unit:
            yield Reader(unit)


class _Part(NamedTuple):
    """What one chain gets of a command."""

    chain: Chain
    request: Record
    moment: Moment
    outcome: Outcome[Any]


@dataclass(eq=False)
class Reader:
    """Reads the book, inside one unit of work."""

    unit: Unit

    def table(self, name: str) -> TableState:
        """A table as it stands."""
        chain = self.unit.chain(table_chain(name))
        state = None if chain is None else state_of(chain)
        if not isinstance(state, TableState):
            raise BookRefused(BookRefusal.TABLE_UNKNOWN, table=name)
        return state

    def jackpot(self, name: str) -> JackpotState:
        """A jackpot as it stands."""
        chain = self.unit.chain(jackpot_chain(name))
        state = None if chain is None else state_of(chain)
        if not isinstance(state, JackpotState):
            raise BookRefused(BookRefusal.JACKPOT_UNKNOWN, jackpot=name)
        return state

    def house(self) -> HouseState:
        """The house's hours and the last day it closed."""
        chain = self.unit.chain(HOUSE)
        state = None if chain is None else state_of(chain)
        return state if isinstance(state, HouseState) else HouseState()

    def balance(self, account: Account) -> Balance:
        """The balance of an account."""
        return self.unit.balance(account)


@dataclass(eq=False)
class Clerk(Reader):
    """Reads and writes in the book, inside one unit of work."""

    unit: BatchUnit
    catalog: Catalog
    _at: datetime | None = None  # the last moment that was asked about
    _text: str = ""  # of it

    def carry_out(self, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
        """Carries a request out under an id that is new; raises BookRefused, writing nothing."""
        unit = self.unit
        if not id or len(id) > 200 or "#" in id or not id.isprintable():
            raise BookRefused(BookRefusal.BAD_ID, id=id)
        parts = [self._part(request, id, 0, at, actor)]
        onward = sorted(parts[0].outcome.onward, key=lambda one: lock_order(chain_of(one)))
        for number, one in enumerate(onward, 1):
            parts.append(self._part(one, id, number, at, actor))
        unit.move([transfer for part in parts for transfer in part.outcome.transfers])
        for part in parts:
            unit.append(*part)
        return Receipt(id, {part.chain.name: part.outcome.answer for part in parts})

    def _part(self, request: Record, command: str, number: int, at: datetime, actor: str) -> _Part:
        """What a request does on its chain, which is held from then on."""
        unit = self.unit
        name = chain_of(request)
        if isinstance(request, CloseDay):
            unit.lock_all()  # everything stands still, the house last
        chain = unit.lock(name, create=type(request) in _BEGINS_A_CHAIN)
        if chain is None:
            raise _unknown(name)
        if not chain.number and name != HOUSE:
            unit.lock(HOUSE)  # a chain that is not there yet cannot be held by the daily close
        if type(request) in _LOOKED_AT:
            self._look_at(request)
        known = self.house()  # read with the chain held: no close can come between
        hours = known.hours or ((request.hours,) if isinstance(request, SetHours) else ())
        if at is not self._at:
            self._at, self._text = at, instant_text(at)
        told = self._text
        if chain.at > told:  # a chain's clock never goes back
            told, at = chain.at, instant_of(chain.at)
        moment = Moment(command, number, at, self.day_of(at, hours), actor)
        if known.closed is not None and moment.day <= known.closed:
            raise BookRefused(BookRefusal.DAY_CLOSED, day=moment.day.isoformat())
        sight = _sight(unit, moment.day) if isinstance(request, CloseDay) else None
        outcome = apply_to(
            state_of(chain), request, moment, find=lambda key: unit.transfer(chain.name, key), sight=sight
        )
        if isinstance(request, PlaceStake) and request.wager in outcome.state.links:
            stopped = self.jackpot(outcome.state.links[request.wager]).stopped()
            if stopped is not None:  # refused at once, not only at the deal
                raise stopped
        return _Part(chain, request, moment, outcome)

    def day_of(self, at: datetime, hours: tuple[Hours, ...]) -> date:
        """The gaming day of a moment; nearly always the one that was asked for last."""
        last = self.unit.memory.last_day
        if last is None or last.hours != hours or not last.begins <= at < last.ends:
            if not hours:
                raise BookRefused(BookRefusal.NO_HOURS)
            last = self.unit.memory.last_day = gaming_day(at, hours)
        return last.day

    def _look_at(self, request: Record) -> None:
        """Refuses terms that are not those of the rules, and a count of a tray that moved meanwhile."""
        if isinstance(request, Opening):
            check_opening(request, self._rules(request))
        elif isinstance(request, CountTray):
            tray = self.balance(Account(Kind.TRAY, request.table)).own(Kind.TRAY.side)  # only this table moves it
            if tray != request.expected:
                raise BookRefused(BookRefusal.TRAY_MOVED, table=request.table, tray=tray, expected=request.expected)

    def _rules(self, request: Opening) -> Ruleset:
        """The rules a request names: stored before, or those of the files now, which are then stored."""
        found = rulesets.find(self.unit.connection, request.rules)
        if found is None:
            found = ruleset_of(self.catalog, request.layout)
            if found.hash != request.rules:
                raise BookRefused(BookRefusal.TERMS_DIFFER, layout=request.layout)
        self.unit.keep_rules(found)
        return found


def _unknown(chain: str) -> BookRefused:
    kind, _, owner = chain.partition(":")
    if kind == "table":
        return BookRefused(BookRefusal.TABLE_UNKNOWN, table=owner)
    if kind == "jackpot":
        return BookRefused(BookRefusal.JACKPOT_UNKNOWN, jackpot=owner)
    return BookRefused(BookRefusal.NO_HOURS)


def _sight(unit: BatchUnit, day: date) -> Sight:
    """The whole book, in which every chain is locked."""
    held = unit.chains()
    states = [state_of(chain) for chain in held.values() if chain.number]
    running = [
        (state.table, state.open.round, state.open.day)
        for state in states
        if isinstance(state, TableState) and state.open is not None
    ]
    warnings = [one for state in states if isinstance(state, ProgressiveJackpot) for one in warnings_of(state, day)]
    heads = {name: (chain.number, chain.hash) for name, chain in held.items() if chain.number}
    return Sight(heads=heads, balances=unit.balances(), running=running, warnings=warnings)


def warnings_of(state: ProgressiveJackpot, day: date) -> Iterator[Warned]:
    """What the house must hear of a progressive at the daily close: the coverage test and the weekly deposit."""
    escrow = state.escrow
    if state.shortfall:
        yield {"code": "warning/escrow-short", "jackpot": state.jackpot, "short": state.shortfall}
    if escrow.undeposited_since is not None and state.deposit_overdue(day):
        waiting, since = escrow.undeposited, escrow.undeposited_since.isoformat()
        yield {"code": "warning/deposit-overdue", "jackpot": state.jackpot, "waiting": waiting, "since": since}
