"""`upcard ledger check`: chains, balances, meters, rounds and checkpoints made again from the raw journal.

Everything that is kept beside the journal is compared with what the journal says, and the journal with the rules.
A journal cut off at its end, with everything beside it made to fit, is found by a signed checkpoint kept outside.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import orjson
import sqlalchemy as sa
from pydantic import ValidationError

from upcard import formats
from upcard.catalog.ruleset import hash_of
from upcard.ledger import schema
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.chains import state_text
from upcard.ledger.checkpoints import compare_checkpoints
from upcard.ledger.guards import missing_guards
from upcard.ledger.identity import identity_of
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.journal import GENESIS, HOUSE, Entry, canonical, lock_order
from upcard.ledger.raw import UNREADABLE, Finding, Journal, mistyped, one_line, place_of, read
from upcard.ledger.replay import Replayed, hours_of, replay
from upcard.ledger.seals import Seals
from upcard.ledger.transfers import NOTHING, Balance, after, below_floor
from upcard.ledger.unit import Unit

GUARDS = "guards of the journal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was looked at, and what was found."""

    chains: int
    entries: int
    transfers: int
    movements: int
    closes: int
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def check(unit: Unit, seals: Seals | None = None) -> Report:
    """Checks a book, and its seals where they can be read."""
    missing = [name for name in schema.metadata.tables if not sa.inspect(unit.connection).has_table(name)]
    if missing:
        return _unread(*(Finding(name, "this table of the book is missing") for name in missing))
    try:
        journal = read(unit, seals)
        replayed = _replay(journal)
    except UNREADABLE as wrong:
        return _unread(Finding("the journal", f"it cannot be read: {one_line(wrong)}"))
    findings = [
        *journal.findings,
        *(one.finding for one in replayed.values() if one.finding is not None),
        *_told("commands", _parts(journal, replayed)),
        *_told("chains", _heads(unit, journal, replayed)),
        *_told("balances", _balances(unit, journal, replayed)),
        *_told("rules", _rules(unit, journal)),
    ]
    own = [entry for entry in journal.chains.get(HOUSE, []) if '"order":"close-day"' in entry.request]
    findings += _told("checkpoints", compare_checkpoints(journal, own))
    findings += _told(GUARDS, _guards(unit))
    return Report(
        chains=len(journal.chains),
        entries=sum(len(entries) for entries in journal.chains.values()),
        transfers=sum(len(entry.transfers) for entries in journal.chains.values() for entry in entries),
        movements=sum(len(entry.movements) for entries in journal.chains.values() for entry in entries),
        closes=len(own),
        findings=tuple(findings),
    )


def _rules(unit: Unit, journal: Journal) -> Iterator[Finding]:
    """Stored rules are whole, and those that entries name."""
    entries = [entry for entries in journal.chains.values() for entry in entries if '"rules":' in entry.request]
    named: dict[str, str] = {}
    for entry in entries:
        request = formats.read("request", entry.request, entry.format)
        if "rules" in request:
            named.setdefault(request["rules"], place_of(entry))
    stored = set()
    for row in unit.rows(schema.rules, "hash"):
        place = f"rules {str(row['hash'])[:12]}"
        stored.add(row["hash"])
        odd = mistyped(schema.rules, row)
        if odd is not None or hash_of(str(row["text"])) != row["hash"]:
            yield Finding(place, odd or "they were changed: their hash does not fit")
        elif orjson.loads(str(row["text"]))["format"] != row["format"]:
            yield Finding(place, "they are of another format than their row says")
        elif row["hash"] not in named and not journal.findings:
            yield Finding(place, "no entry names them")
    for rules in named.keys() - stored:
        yield Finding(named[rules], f"the rules {rules[:12]} it names are missing")


def _guards(unit: Unit) -> Iterator[Finding]:
    for table, change in missing_guards(unit.connection):
        yield Finding(GUARDS, f"the database no longer refuses {change} on {table}: its trigger is gone or changed")


def _unread(*findings: Finding) -> Report:
    return Report(chains=0, entries=0, transfers=0, movements=0, closes=0, findings=findings)


def _told(place: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Findings, the last of them that no more can be looked for, where that is so."""
    try:
        yield from findings
    except UNREADABLE as wrong:
        yield Finding(place, f"they cannot be read: {one_line(wrong)}")


def _replay(journal: Journal) -> dict[str, Replayed]:
    hours = hours_of(journal.chains.get(HOUSE, []))
    known = sorted((name for name in journal.chains if _is_chain(name)), key=lock_order)
    return {name: replay(journal.chains[name], hours) for name in known}


def _is_chain(name: str) -> bool:
    return name == HOUSE or name.partition(":")[0] in ("table", "jackpot")


def _parts(journal: Journal, replayed: Mapping[str, Replayed]) -> Iterator[Finding]:
    """A command's parts in other chains are those its first part brings, no more and no fewer."""
    commands: dict[str, list[Entry]] = {}
    for name, entries in journal.chains.items():
        if not _is_chain(name):
            yield Finding(name, "there is no such kind of chain")
        for entry in entries:
            commands.setdefault(entry.command, []).append(entry)
    if journal.findings or len(replayed) < len(journal.chains) or any(one.finding for one in replayed.values()):
        return  # the first thing wrong was named; what follows from it would only hide it
    for command, entries in commands.items():
        first, *others = sorted(entries, key=lambda entry: entry.part)
        expected = replayed[first.chain].onward.get(command, [])
        found = sorted((one.chain, formats.today("request", one.request, one.format)) for one in others)
        if [entry.part for entry in (first, *others)] != list(range(len(entries))) or found != expected:
            yield Finding(place_of(first), f"the command {command!r} is not whole: parts in other chains differ")


def _heads(unit: Unit, journal: Journal, replayed: Mapping[str, Replayed]) -> Iterator[Finding]:
    """What is kept beside the journal for each chain."""
    for row in unit.rows(schema.chains, "chain"):
        wrong = mistyped(schema.chains, row)
        if wrong is not None:
            yield Finding(str(row["chain"]), wrong)
            return
    stored = unit.chains()
    for name, done in replayed.items():
        entries = journal.chains[name]
        if name not in stored:
            yield Finding(name, "its head is missing")
        elif not entries or done.finding is not None or any(one.place.startswith(name) for one in journal.findings):
            continue
        elif (stored[name].number, stored[name].hash, stored[name].at) != (
            entries[-1].number,
            entries[-1].hash,
            entries[-1].at,
        ):
            yield Finding(name, f"its head is not its last entry, {entries[-1].number}")
        else:
            yield from _state(name, state_text(stored[name]), done)
    for name, chain in stored.items():
        if name not in journal.chains and (chain.number, chain.hash, chain.state) != (0, GENESIS, ""):
            yield Finding(name, f"it has a head at {chain.number} and no entries")


def _state(name: str, text: str, done: Replayed) -> Iterator[Finding]:
    if done.state is None:
        return
    try:
        same = canonical(type(done.state).model_validate_json(text).model_dump(mode="json")) == canonical(
            done.state.model_dump(mode="json")
        )
    except ValidationError:
        same = False
    if not same:
        yield Finding(name, "its state is not what its entries add up to")


def _balances(unit: Unit, journal: Journal, replayed: Mapping[str, Replayed]) -> Iterator[Finding]:
    """Balances are what the transfers add up to, none below its floor; and each pot of a progressive what it says."""
    summed: dict[Account, Balance] = {}
    for entries in journal.chains.values():
        for entry in entries:
            summed |= after(summed, entry.transfers)
    for row in unit.rows(schema.balances, "account"):
        odd = mistyped(schema.balances, row)
        if odd is not None:
            yield Finding(f"balance of {row['account']}", odd)
            return
    try:
        stored = unit.balances()
    except ValueError as wrong:
        yield Finding("balances", str(wrong))
        return
    for account in sorted({*summed, *stored}):
        made, kept = summed.get(account, NOTHING), stored.get(account, NOTHING)
        if made != kept:
            yield Finding(f"balance of {account}", f"the transfers add up to {made}, and {kept} is kept")
        elif below_floor(account, made):
            yield Finding(f"balance of {account}", "it is below its floor")
    for name, done in replayed.items():
        if isinstance(done.state, ProgressiveJackpot):
            yield from _pots(name, done.state, summed, journal)


def _pots(
    name: str, state: ProgressiveJackpot, summed: Mapping[Account, Balance], journal: Journal
) -> Iterator[Finding]:
    told = {
        Kind.METER: state.meter,
        Kind.RESERVE: state.reserve,
        Kind.OVERFLOW: state.overflow,
        Kind.AWARD: state.award,
        Kind.SEED: state.seed,
        Kind.DEPOSITED: state.escrow.deposited,
        Kind.UNDEPOSITED: state.escrow.undeposited,
    }
    for kind, amount in told.items():
        booked = summed.get(Account(kind, state.jackpot), NOTHING).own(kind.side)
        if booked != amount:
            yield Finding(name, f"its {kind.label} is {amount} by its rules and {booked} in the book")
    identity = identity_of(state.jackpot, (entry for entry in journal.chains[name]))
    if identity.owed != identity.explained:
        yield Finding(name, f"{identity.owed} are owed, and {identity.explained} explained")
