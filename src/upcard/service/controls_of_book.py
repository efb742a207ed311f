"""Composes the controls sheet of a book: its tables, jackpots and people as they stand."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.codes import sentence_of
from upcard.ledger import rulesets, schema
from upcard.ledger.chains import house_of, state_of
from upcard.ledger.gaming_day import day_of
from upcard.ledger.jackpots.apply import Jackpot
from upcard.ledger.jackpots.bonus import BonusJackpot
from upcard.ledger.jackpots.daily import DailyJackpot
from upcard.ledger.jackpots.house_posted import HousePosted
from upcard.ledger.jackpots.jackpot_state import JackpotState, Win
from upcard.ledger.jackpots.posted import PostedJackpot
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.jackpots.requests import AddJackpot
from upcard.ledger.jackpots.terms import law_on
from upcard.ledger.journal import HOUSE, Clock, jackpot_chain, transfer_of
from upcard.ledger.keyring import Keyring
from upcard.ledger.progressive_reconciliation import reconcile
from upcard.ledger.report import checkpoint_of
from upcard.ledger.table_state import TableState
from upcard.ledger.transfers import Transfer
from upcard.ledger.unit import Unit
from upcard.people import Role
from upcard.people.register import all_people
from upcard.reports.controls_sheet import (
    FORMAT,
    ControlsSheet,
    EscrowLine,
    HouseLine,
    JackpotLine,
    OpenWin,
    Permission,
    QueuedChange,
    ReconciliationLine,
    StaffLine,
    Standing,
    TableLine,
)
from upcard.service.controls import JackpotSource, jackpot_line, separations, table_line
from upcard.service.refusals import RecordBroken, RecordProblem

_NOT_STAFF = {Role.PLAYER, Role.DISPLAY}


def book_controls(
    unit: Unit, name: str, *, clock: Clock, permissions: Iterable[Permission], keyring: Keyring | None
) -> ControlsSheet:
    """The sheet of a book: every table and jackpot in it, with the people who run them."""
    house = house_of(unit.chain(HOUSE))
    now = clock()
    day = day_of(now, house.hours) if house.hours else now.date()
    states = [state_of(chain) for chain in unit.chains().values() if chain.number]
    return ControlsSheet(
        format=FORMAT,
        about="book",
        name=name,
        date=day.isoformat(),
        tables=tuple(_table(unit, state) for state in states if isinstance(state, TableState)),
        jackpots=tuple(_jackpot(unit, state, day) for state in states if isinstance(state, Jackpot)),
        permissions=tuple(permissions),
        separations=separations(),
        staff=_staff(unit, keyring),
        staff_verified=keyring is not None,
        house=_house(unit),
    )


def _table(unit: Unit, state: TableState) -> TableLine:
    rules = _rules(unit, state.rules)
    line = table_line(rules.catalog, rules.layout, table=state.table, rules=state.rules)
    return replace(line, links={wager: state.links.get(wager, "") for wager in line.links})


def _jackpot(unit: Unit, state: Jackpot, day: date) -> JackpotLine:
    opening = _opening(unit, state.jackpot)
    rules = _rules(unit, opening.rules)
    source = JackpotSource(catalog=rules.catalog, layout=rules.layout, wager=opening.wager)
    line = jackpot_line(source, state.terms, state.trigger, day=day)
    seed = {state.terms.meter: state.seed} if isinstance(state, BonusJackpot) else line.reseeds_at
    return replace(
        line,
        jackpot=state.jackpot,
        tables=state.tables,
        reseeds_at=seed,
        standing=_standing(unit, state, day),
    )


def _opening(unit: Unit, jackpot: str) -> AddJackpot:
    """The request that opened a jackpot: it names the rules and the wager."""
    entry = schema.entries.c
    query = sa.select(schema.entries).where(entry.chain == jackpot_chain(jackpot), entry.number == 1)
    row = unit.connection.execute(query).one()
    return AddJackpot.model_validate_json(formats.today("request", row.request, row.format))


def _rules(unit: Unit, hash_: str) -> Ruleset:
    rules = rulesets.find(unit.connection, hash_)
    if rules is None:
        raise RecordBroken(RecordProblem.RULES_MISSING, rules=hash_[:12])
    return rules


def _standing(unit: Unit, state: Jackpot, day: date) -> Standing:
    progressive = state if isinstance(state, ProgressiveJackpot) else None
    closed = state.closed()
    accrued = state.accrued if isinstance(state, DailyJackpot) else None
    return Standing(
        meters=state.values(),
        stopped="" if closed is None else str(closed),
        wagers=state.wagers,
        hits=state.hits,
        paid=state.paid,
        wins=tuple(_win(state, key, win) for key, win in state.wins.items()),
        hands_in_play=tuple(state.running),
        queued=tuple(_queued(state)),
        last_accrued=None if accrued is None else accrued.isoformat(),
        escrow=None if progressive is None else _escrow(progressive, day),
        reconciliation=None if progressive is None else _reconciliation(unit, state.jackpot),
    )


def _win(state: JackpotState, key: str, win: Win) -> OpenWin:
    threshold = law_on(state.laws(), win.day).second_person_from
    return OpenWin(
        win=key,
        table=win.table,
        round=win.round,
        meter=win.meter,
        amount=win.amount,
        day=win.day.isoformat(),
        locked_by=win.locked_by,
        verified_by=win.verified_by,
        needs_second_person=threshold is None or win.amount >= threshold,
        winners=len(win.awards),
    )


def _queued(state: JackpotState) -> Iterator[QueuedChange]:
    """What happens to the meters as soon as nothing plays for them any more."""
    queued = state.queued if isinstance(state, HousePosted) else None
    posted = {} if queued is None else queued.values
    match state:
        case PostedJackpot():
            for meter in state.reseed_due:
                yield QueuedChange(change="reseeded", meter=meter, amount=state.terms.opening[meter])
        case DailyJackpot():
            if state.reseed_due:
                yield QueuedChange(change="reseeded", meter=state.terms.meter, amount=state.terms.reseed)
            if state.next_growth:
                yield QueuedChange(change="accrued", meter=state.terms.meter, amount=state.next_growth)
    for meter, value in posted.items():
        yield QueuedChange(change="posted", meter=meter, amount=value)


def _escrow(state: ProgressiveJackpot, day: date) -> EscrowLine:
    since = state.escrow.undeposited_since
    return EscrowLine(
        reserve=state.reserve,
        overflow=state.overflow,
        won_not_paid=state.award,
        seed_advanced=state.seed,
        owed=state.owed,
        deposited=state.escrow.deposited,
        undeposited=state.escrow.undeposited,
        undeposited_since=None if since is None else since.isoformat(),
        short=state.shortfall,
        deposit_overdue=state.deposit_overdue(day),
        cap=state.cap,
    )


def _reconciliation(unit: Unit, jackpot: str) -> ReconciliationLine:
    """Both sides, added up from every transfer of the jackpot's chain."""
    sums = reconcile(jackpot, _transfers(unit, jackpot))
    return ReconciliationLine(
        meter=sums.meter,
        reserve=sums.reserve,
        overflow=sums.overflow,
        pending=sums.pending,
        advanced=sums.advanced,
        contributed=sums.contributed,
        paid=sums.paid,
        recognised=sums.recognised,
        recovered=sums.recovered,
        owed=sums.owed,
        explained=sums.explained,
        agrees=sums.owed == sums.explained,
    )


def _transfers(unit: Unit, jackpot: str) -> Iterator[Transfer]:
    entry, transfer = schema.entries.c, schema.transfers.c
    query = (
        sa.select(schema.transfers, entry.format)
        .join(schema.entries, (transfer.chain == entry.chain) & (transfer.number == entry.number))
        .where(transfer.chain == jackpot_chain(jackpot))
    )
    for row in unit.connection.execute(query):
        yield transfer_of(formats.upcast("transfer", row._asdict(), row.format))


def _staff(unit: Unit, keyring: Keyring | None) -> tuple[StaffLine, ...]:
    return tuple(
        StaffLine(
            name=person.name,
            roles=tuple(role.value for role in Role if role in person.roles),
            has_authenticator=person.has_totp,
            disabled=person.disabled,
        )
        for person in all_people(unit, keyring)
        if person.roles - _NOT_STAFF
    )


def _house(unit: Unit) -> HouseLine:
    house = house_of(unit.chain(HOUSE))
    hours = house.hours[-1] if house.hours else None
    checkpoint = None if house.closed is None else checkpoint_of(unit, house.closed)
    return HouseLine(
        zone=hours.zone if hours else "",
        start=hours.start if hours else None,
        since=hours.since.isoformat() if hours else "",
        closed=None if house.closed is None else house.closed.isoformat(),
        checkpoint=checkpoint["hash"] if checkpoint else "",
        warnings=tuple(sentence_of(warning) for warning in checkpoint["warnings"]) if checkpoint else (),
    )
