"""The book in use: requests carried out, once each, with all they bring to other chains, in one unit of work.

A request has an id its caller chose. Asked again, it answers what it answered first; the same id with another content
is an error. A refusal writes nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from upcard import formats
from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import Ruleset, ruleset_of
from upcard.codes import Coded
from upcard.ledger import rulesets
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.balances import Balance, after, check_floors
from upcard.ledger.batch_unit import Memory
from upcard.ledger.chains import apply_to, chain_of, house_of, request_of, request_text, state_of
from upcard.ledger.gaming_day import day_of
from upcard.ledger.house import HouseState, Sight
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.requests import OpenJackpot
from upcard.ledger.jackpots.state import JackpotState
from upcard.ledger.journal import (
    HOUSE,
    Entry,
    canonical,
    instant_of,
    instant_text,
    jackpot_chain,
    lock_order,
    table_chain,
)
from upcard.ledger.openings import Opening, check_opening
from upcard.ledger.outcome import Moment, Outcome
from upcard.ledger.record import Record
from upcard.ledger.refusals import BookRefusal, BookRefused
from upcard.ledger.requests import CloseDay, CountTray, OpenTable, PlaceStake, SetHours
from upcard.ledger.store import Store
from upcard.ledger.tables import TableState
from upcard.ledger.unit import Chain, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a request was answered, chain by chain; the same however often it is asked."""

    command: str
    answers: Mapping[str, Mapping[str, Any]]
    repeated: bool = field(default=False, compare=False)

    def of(self, chain: str) -> Mapping[str, Any]:
        """The answer of one chain."""
        return self.answers[chain]


class Book:
    """A book in its store."""

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self.store, self.catalog = store, catalog

    def do(self, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
        """Carries a request out in a unit of its own."""
        return self.store.attempt(lambda unit: Clerk(unit, self.catalog).do(request, id=id, at=at, actor=actor))

    @contextmanager
    def together(self) -> Iterator["Clerk"]:
        """Several requests, kept together or not at all, with one durable commit."""
        with self.store.unit() as unit:
            yield Clerk(unit, self.catalog)

    @contextmanager
    def gathering(self, memory: Memory) -> Iterator["Clerk"]:
        """Many requests in one transaction, written in bulk at its end; `memory` is renewed once they are kept."""
        with self.store.gathering(memory) as unit:
            yield Clerk(unit, self.catalog)

    @contextmanager
    def look(self) -> Iterator["Clerk"]:
        """One consistent look."""
        with self.store.view() as unit:
            yield Clerk(unit, self.catalog)


@dataclass
class _Part:
    """What one chain gets of a command."""

    chain: Chain
    request: Record
    moment: Moment
    outcome: Outcome[Any]


class Clerk:
    """Writes in the book, inside one unit of work."""

    def __init__(self, unit: Unit, catalog: Catalog) -> None:
        self.unit, self.catalog = unit, catalog

    # --- asking ---------------------------------------------------------------------------------------------------

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
        return house_of(self.unit.chain(HOUSE))

    def balance(self, account: Account) -> Balance:
        """The balance of an account."""
        return self.unit.balance(account)

    # --- doing ----------------------------------------------------------------------------------------------------

    def do(self, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
        """Carries a request out; raises BookRefused, writing nothing."""
        _check_id(id)
        chain = self._hold(request)
        known = self._again(id, request, actor)  # looked for with the chain held: nobody else can be doing it now
        if known is not None:
            return known
        return self._write(chain, request, id, at, actor)

    def carry_out(self, request: Record, *, id: str, at: datetime, actor: str) -> Receipt:  # noqa: A002 - the word for it
        """As `do`, for a caller who vouches that this id is new: nothing is looked up; an old one breaks the unit."""
        _check_id(id)
        return self._write(self._hold(request), request, id, at, actor)

    def _write(self, chain: Chain, request: Record, command: str, at: datetime, actor: str) -> Receipt:
        parts = self._parts(chain, request, command, at, actor)
        moved = [transfer for part in parts for transfer in part.outcome.transfers]
        held = self.unit.lock_balances(account for one in moved for account in (one.debit, one.credit))
        changed = after(held, moved)
        check_floors(changed)
        self.unit.save_balances(changed)
        for part in parts:
            self.unit.append(_entry(part, self.unit.key_number), part.outcome.state)
        return Receipt(command=command, answers={part.chain.name: part.outcome.answer for part in parts})

    def _again(self, command: str, request: Record, actor: str) -> Receipt | None:
        """What was answered before, if this was asked before."""
        rows = self.unit.parts_of(command)
        if not rows:
            return None
        first = rows[0]
        if request_of(first["chain"], first["request"], first["format"]) != request or first["actor"] != actor:
            raise BookRefused(BookRefusal.ID_TAKEN, id=command)
        answers = {row["chain"]: formats.read("answer", row["answer"], row["format"]) for row in rows}
        return Receipt(command=command, answers=answers, repeated=True)

    def _hold(self, request: Record) -> Chain:
        name = chain_of(request)
        if isinstance(request, CloseDay):
            self.unit.lock_all()  # everything stands still, the house last
        chain = self.unit.lock(name, create=isinstance(request, OpenTable | OpenJackpot | SetHours))
        if chain is None:
            kind, _, owner = name.partition(":")
            if kind == "table":
                raise BookRefused(BookRefusal.TABLE_UNKNOWN, table=owner)
            if kind == "jackpot":
                raise BookRefused(BookRefusal.JACKPOT_UNKNOWN, jackpot=owner)
            raise BookRefused(BookRefusal.NO_HOURS)
        if not chain.number and name != HOUSE:
            self.unit.lock(HOUSE)  # a chain that is not there yet cannot be held by the daily close
        return chain

    def _parts(self, chain: Chain, request: Record, command: str, at: datetime, actor: str) -> list[_Part]:
        if isinstance(request, Opening):
            check_opening(request, self._rules(request))
        known = self.house()  # read with the chain held: no close can come between
        if isinstance(request, CountTray):
            self._counts(request)
        first = self._part(known, chain, request, command, 0, at, actor)
        if isinstance(request, PlaceStake):
            self._stopped(first.outcome.state, request)
        parts = [first]
        for number, onward in enumerate(sorted(first.outcome.onward, key=lambda one: lock_order(chain_of(one))), 1):
            parts.append(self._part(known, self._hold(onward), onward, command, number, at, actor))
        return parts

    def _part(
        self, known: HouseState, chain: Chain, request: Record, command: str, number: int, at: datetime, actor: str
    ) -> _Part:
        hours = known.hours or ((request.hours,) if isinstance(request, SetHours) else ())
        if not hours:
            raise BookRefused(BookRefusal.NO_HOURS)
        at = max(at, instant_of(chain.at))  # a chain's clock never goes back
        moment = Moment(command=command, part=number, at=at, day=day_of(at, hours), actor=actor)
        if known.closed is not None and moment.day <= known.closed:
            raise BookRefused(BookRefusal.DAY_CLOSED, day=moment.day.isoformat())
        sight = self._sight(moment.day) if isinstance(request, CloseDay) else None
        outcome = apply_to(
            state_of(chain), request, moment, find=lambda key: self.unit.transfer(chain.name, key), sight=sight
        )
        return _Part(chain, request, moment, outcome)

    def _rules(self, request: Opening) -> Ruleset:
        """The rules a request names: stored before, or those of the files now, which are then stored."""
        found = rulesets.find(self.unit.connection, request.rules)
        if found is None:
            found = ruleset_of(self.catalog, request.layout)
            if found.hash != request.rules:
                raise BookRefused(BookRefusal.TERMS_DIFFER, layout=request.layout)
        self.unit.keep_rules(found)
        return found

    def _counts(self, request: CountTray) -> None:
        """A count is compared with the tray as it is: only this table's chain, which is held, moves it."""
        tray = self.balance(Account(Kind.TRAY, request.table)).own(Kind.TRAY.side)
        if tray != request.expected:
            raise BookRefused(BookRefusal.TRAY_MOVED, table=request.table, tray=tray, expected=request.expected)

    def _stopped(self, state: TableState, request: PlaceStake) -> None:
        """A jackpot's wager that is stopped is refused at once, not only at the deal."""
        if request.wager in state.links:
            stopped = self.jackpot(state.links[request.wager]).stopped()
            if stopped is not None:
                raise stopped

    def _sight(self, day: date) -> Sight:
        """The whole book, which `_hold` has brought to a stand."""
        held = self.unit.chains()
        states = [state_of(chain) for chain in held.values() if chain.number]
        running = [
            (state.table, state.open.round, state.open.day)
            for state in states
            if isinstance(state, TableState) and state.open is not None
        ]
        warnings = [one for state in states if isinstance(state, ProgressiveJackpot) for one in warnings_of(state, day)]
        heads = {name: (chain.number, chain.hash) for name, chain in held.items() if chain.number}
        return Sight(heads=heads, balances=self.unit.balances(), running=running, warnings=warnings)


def warnings_of(state: ProgressiveJackpot, day: date) -> Iterator[Coded]:
    """What the house must hear of a progressive at the daily close: the coverage test and the weekly deposit."""
    escrow = state.escrow
    if state.shortfall:
        yield {"code": "warning/escrow-short", "jackpot": state.jackpot, "short": state.shortfall}
    if escrow.undeposited_since is not None and state.deposit_overdue(day):
        waiting, since = escrow.undeposited, escrow.undeposited_since.isoformat()
        yield {"code": "warning/deposit-overdue", "jackpot": state.jackpot, "waiting": waiting, "since": since}


def _check_id(name: str) -> None:
    if not name or len(name) > 200 or "#" in name or not name.isprintable():
        raise BookRefused(BookRefusal.BAD_ID, id=name)


def _entry(part: _Part, key: int) -> Entry:
    return Entry(
        chain=part.chain.name,
        number=part.chain.number + 1,
        format=formats.FORMAT,
        command=part.moment.command,
        part=part.moment.part,
        at=instant_text(part.moment.at),
        day=part.moment.day.isoformat(),
        actor=part.moment.actor,
        request=request_text(part.request),
        answer=canonical(part.outcome.answer),
        key=key,
        previous=part.chain.hash,
        transfers=part.outcome.transfers,
        movements=part.outcome.movements,
    )
