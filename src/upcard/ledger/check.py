"""`upcard ledger check`: recomputes chains, balances, meters and daily closes from the journal, and compares them.

What is stored beside the journal must match the journal, and the journal must follow the rules. A journal that was cut
off at its end, with everything beside it changed to match, is found only by a signed checkpoint that was kept outside.
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
from upcard.ledger.append_only_triggers import missing_triggers
from upcard.ledger.chain_replay import ChainReplay, hours_of, replay
from upcard.ledger.chains import state_text
from upcard.ledger.daily_close_check import check_daily_closes
from upcard.ledger.findings import UNREADABLE, Finding, mistyped, one_line
from upcard.ledger.jackpots.progressive import ProgressiveJackpot
from upcard.ledger.journal import GENESIS, HOUSE, Entry, canonical, lock_order
from upcard.ledger.journal_reader import Journal, place_of, read_journal
from upcard.ledger.progressive_reconciliation import reconcile
from upcard.ledger.seals import Seals
from upcard.ledger.transfers import NOTHING, Balance, after, below_floor
from upcard.ledger.unit import Unit

TRIGGERS = "triggers of the journal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How much was checked, and what is wrong."""

    chains: int
    entries: int
    transfers: int
    movements: int
    closes: int
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        return not self.findings


def check(unit: Unit, seals: Seals | None = None) -> Report:
    """Checks a book, and the seals of its journal if `seals` are given."""
    missing = [name for name in schema.metadata.tables if not sa.inspect(unit.connection).has_table(name)]
    if missing:
        return _unreadable(*(Finding(name, "this table is missing from the database") for name in missing))
    try:
        journal = read_journal(unit, seals)
        replayed = _replay(journal)
    except UNREADABLE as error:
        return _unreadable(Finding("the journal", f"cannot be read: {one_line(error)}"))
    findings = [
        *journal.findings,
        *(chain.finding for chain in replayed.values() if chain.finding is not None),
        *_guarded("commands", _check_parts(journal, replayed)),
        *_guarded("chains", _check_heads(unit, journal, replayed)),
        *_guarded("balances", _check_balances(unit, journal, replayed)),
        *_guarded("rules", _check_rules(unit, journal)),
        *_guarded("workspaces", _check_workspaces(unit, journal)),
    ]
    closes = [entry for entry in journal.chains.get(HOUSE, []) if '"order":"close-day"' in entry.request]
    findings += _guarded("daily closes", check_daily_closes(journal, closes))
    findings += _guarded(TRIGGERS, _check_triggers(unit))
    return Report(
        chains=len(journal.chains),
        entries=sum(len(entries) for entries in journal.chains.values()),
        transfers=sum(len(entry.transfers) for entries in journal.chains.values() for entry in entries),
        movements=sum(len(entry.movements) for entries in journal.chains.values() for entry in entries),
        closes=len(closes),
        findings=tuple(findings),
    )


def _check_rules(unit: Unit, journal: Journal) -> Iterator[Finding]:
    """Stored rules are unchanged, and are the ones that entries name."""
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
        wrong_type = mistyped(schema.rules, row)
        if wrong_type is not None or hash_of(str(row["text"])) != row["hash"]:
            yield Finding(place, wrong_type or "were changed: their hash does not match")
        elif orjson.loads(str(row["text"]))["format"] != row["format"]:
            yield Finding(place, "are in another format than their row says")
        elif row["hash"] not in named and not journal.findings:
            yield Finding(place, "no entry names them")
    for rules in named.keys() - stored:
        yield Finding(named[rules], f"names the rules {rules[:12]}, which are missing")


def _check_workspaces(unit: Unit, journal: Journal) -> Iterator[Finding]:
    """Stored files are unchanged, every published revision has its files, and one that restores another is equal."""
    stored = set()
    for row in unit.rows(schema.workspaces, "hash"):
        place = f"files {str(row['hash'])[:12]}"
        stored.add(row["hash"])
        wrong_type = mistyped(schema.workspaces, row)
        if wrong_type is not None or hash_of(str(row["text"])) != row["hash"]:
            yield Finding(place, wrong_type or "were changed: their hash does not match")
        elif not 1 <= int(row["format"] or 0) <= formats.FORMAT:
            yield Finding(place, f"there is no format {row['format']}")
    contents: dict[int, str] = {}
    for entry in journal.chains.get(HOUSE, []):
        if '"order":"publish-catalog"' not in entry.request:
            continue
        request = formats.read("request", entry.request, entry.format)
        contents[request["revision"]] = request["content"]
        if request["content"] not in stored:
            yield Finding(place_of(entry), f"names the files {request['content'][:12]}, which are missing")
        if request["restores"] and contents.get(request["restores"]) != request["content"]:
            yield Finding(place_of(entry), f"its files are not those of revision {request['restores']}")


def _check_triggers(unit: Unit) -> Iterator[Finding]:
    for table, change in missing_triggers(unit.connection):
        yield Finding(
            TRIGGERS, f"the database no longer refuses {change} on {table}: its trigger is missing or changed"
        )


def _unreadable(*findings: Finding) -> Report:
    return Report(chains=0, entries=0, transfers=0, movements=0, closes=0, findings=findings)


def _guarded(place: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """The findings of one part of the check; one more, and the end of that part, where the book cannot be read."""
    try:
        yield from findings
    except UNREADABLE as error:
        yield Finding(place, f"cannot be read: {one_line(error)}")


def _replay(journal: Journal) -> dict[str, ChainReplay]:
    hours = hours_of(journal.chains.get(HOUSE, []))
    names = sorted((name for name in journal.chains if _is_chain(name)), key=lock_order)
    return {name: replay(journal.chains[name], hours) for name in names}


def _is_chain(name: str) -> bool:
    return name == HOUSE or name.partition(":")[0] in ("table", "jackpot")


def _check_parts(journal: Journal, replayed: Mapping[str, ChainReplay]) -> Iterator[Finding]:
    """A command's parts in other chains are exactly the requests that its first part sent there."""
    commands: dict[str, list[Entry]] = {}
    for name, entries in journal.chains.items():
        if not _is_chain(name):
            yield Finding(name, "is not the name of a chain")
        for entry in entries:
            commands.setdefault(entry.command, []).append(entry)
    if journal.findings or len(replayed) < len(journal.chains) or any(chain.finding for chain in replayed.values()):
        return  # the first problem was reported; what follows from it would only hide it
    for command, entries in commands.items():
        first, *others = sorted(entries, key=lambda entry: entry.part)
        expected = replayed[first.chain].onward.get(command, [])
        written = sorted((entry.chain, formats.today("request", entry.request, entry.format)) for entry in others)
        if [entry.part for entry in (first, *others)] != list(range(len(entries))) or written != expected:
            yield Finding(
                place_of(first), f"the parts of the command {command!r} in other chains are not those it sent"
            )


def _check_heads(unit: Unit, journal: Journal, replayed: Mapping[str, ChainReplay]) -> Iterator[Finding]:
    """Each chain's stored head and state match its entries."""
    for row in unit.rows(schema.chains, "chain"):
        wrong_type = mistyped(schema.chains, row)
        if wrong_type is not None:
            yield Finding(str(row["chain"]), wrong_type)
            return
    stored = unit.chains()
    for name, chain_replay in replayed.items():
        entries = journal.chains[name]
        if name not in stored:
            yield Finding(name, "its head is missing")
        elif (
            not entries
            or chain_replay.finding is not None
            or any(finding.place.startswith(name) for finding in journal.findings)
        ):
            continue
        elif (stored[name].number, stored[name].hash, stored[name].at) != (
            entries[-1].number,
            entries[-1].hash,
            entries[-1].at,
        ):
            yield Finding(name, f"its head is not its last entry, {entries[-1].number}")
        else:
            yield from _check_state(name, state_text(stored[name]), chain_replay)
    for name, chain in stored.items():
        if name not in journal.chains and (chain.number, chain.hash, chain.state) != (0, GENESIS, ""):
            yield Finding(name, f"its head is at entry {chain.number}, but it has no entries")


def _check_state(name: str, text: str, replayed: ChainReplay) -> Iterator[Finding]:
    state = replayed.state
    if state is None:
        return
    try:
        same = canonical(type(state).model_validate_json(text).model_dump(mode="json")) == canonical(
            state.model_dump(mode="json")
        )
    except ValidationError:
        same = False
    if not same:
        yield Finding(name, "its stored state does not match its entries")


def _check_balances(unit: Unit, journal: Journal, replayed: Mapping[str, ChainReplay]) -> Iterator[Finding]:
    """Balances are the sums of the transfers, none below its minimum; a progressive's accounts match its state."""
    summed: dict[Account, Balance] = {}
    for entries in journal.chains.values():
        for entry in entries:
            summed |= after(summed, entry.transfers)
    for row in unit.rows(schema.balances, "account"):
        wrong_type = mistyped(schema.balances, row)
        if wrong_type is not None:
            yield Finding(f"balance of {row['account']}", wrong_type)
            return
    try:
        stored = unit.balances()
    except ValueError as error:
        yield Finding("balances", str(error))
        return
    for account in sorted({*summed, *stored}):
        computed, stored_balance = summed.get(account, NOTHING), stored.get(account, NOTHING)
        if computed != stored_balance:
            yield Finding(
                f"balance of {account}", f"the transfers add up to {computed}, but {stored_balance} is stored"
            )
        elif below_floor(account, computed):
            yield Finding(f"balance of {account}", "is below its minimum")
    for name, chain_replay in replayed.items():
        if isinstance(chain_replay.state, ProgressiveJackpot):
            yield from _check_progressive(name, chain_replay.state, summed, journal)


def _check_progressive(
    name: str, state: ProgressiveJackpot, summed: Mapping[Account, Balance], journal: Journal
) -> Iterator[Finding]:
    amounts = {
        Kind.METER: state.meter,
        Kind.RESERVE: state.reserve,
        Kind.OVERFLOW: state.overflow,
        Kind.AWARD: state.award,
        Kind.SEED: state.seed,
        Kind.DEPOSITED: state.escrow.deposited,
        Kind.UNDEPOSITED: state.escrow.undeposited,
    }
    for kind, amount in amounts.items():
        booked = summed.get(Account(kind, state.jackpot), NOTHING).own(kind.side)
        if booked != amount:
            yield Finding(name, f"its {kind.label} is {amount} by the rules, but {booked} in the book")
    reconciliation = reconcile(
        state.jackpot, (transfer for entry in journal.chains[name] for transfer in entry.transfers)
    )
    if reconciliation.owed != reconciliation.explained:
        sums = f"{reconciliation.owed}, but contributions and payments explain {reconciliation.explained}"
        yield Finding(name, f"it owes the players {sums}")
