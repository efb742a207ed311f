"""The transaction in which the book is written: rows are read and locked in bulk, changes kept in memory and written in
bulk at the end.

Whoever reads raw rows through it (statements, the check) sees what was flushed; whoever asks it for chains, balances
and transfers sees all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets, schema
from upcard.ledger.accounts import Account
from upcard.ledger.bulk import Bulk
from upcard.ledger.chains import state_of
from upcard.ledger.gaming_day import GamingDay
from upcard.ledger.journal import GENESIS, HOUSE, canonical, entry_hash, instant_text, transfer_of
from upcard.ledger.outcome import Moment, Outcome
from upcard.ledger.record import Record
from upcard.ledger.schema import Cell, Row
from upcard.ledger.transfers import NOTHING, Balance, Transfer, after, below_floor, shortage
from upcard.ledger.unit import SIDES, Chain, Unit

_NO_TIME = "0001-01-01T00:00:00.000000Z"

_ENTRIES, _TRANSFERS, _MOVEMENTS = (Bulk(table) for table in schema.JOURNAL)
_CHAINS, _BALANCES = Bulk(schema.chains), Bulk(schema.balances)


class _Head(NamedTuple):
    chain: str
    number: int
    hash: str
    at: str


class _State(NamedTuple):
    chain: str
    state: str
    format: int


class _Sides(NamedTuple):
    account: str
    debits: int
    credits: int
    pending_debits: int
    pending_credits: int


class Memory:
    """Chains as they were last read or written; each is believed only as long as the store has the same last hash, so
    that what another writer did, or a unit that was not kept, never is."""

    def __init__(self) -> None:
        self.chains: dict[str, Chain] = {}
        self.last_day: GamingDay | None = None


class Mark(NamedTuple):
    """How much was gathered at a moment."""

    entries: int
    transfers: int
    movements: int
    rules: int


@dataclass(eq=False)
class BatchUnit(Unit):
    """One transaction, written at its end."""

    memory: Memory = field(default_factory=Memory)
    _heads: dict[str, Chain] = field(default_factory=dict)  # of held chains, as they stand, their states read
    _heads_stored: dict[str, Chain] = field(default_factory=dict)  # the same, as the store has them
    _heads_marked: dict[str, Chain] = field(default_factory=dict)  # those that moved since the mark, as they were then
    _seen: dict[str, Chain] = field(default_factory=dict)  # read and not held
    _standing: bool = False  # whether a chain is held that a close would wait for
    _balances: dict[Account, Balance] = field(default_factory=dict)  # held, as they stand
    _balances_stored: dict[Account, Balance] = field(default_factory=dict)
    _balances_marked: dict[Account, Balance] = field(default_factory=dict)
    _made: list[str] = field(default_factory=list)  # chains and accounts whose rows were made to be held
    _entries: list[Row] = field(default_factory=list)
    _transfers: list[Row] = field(default_factory=list)
    _movements: list[Row] = field(default_factory=list)
    _rules: dict[str, Ruleset] = field(default_factory=dict)  # by hash

    # --- holding --------------------------------------------------------------------------------------------------

    def hold(self, chains: Iterable[str], accounts: Iterable[Account] = ()) -> None:
        """Locks and reads chains, in the common order, and then balances; what is not there is left out."""
        names = sorted({name for name in chains if name not in self._heads})
        for kind in ("table", "jackpot", HOUSE) if names else ():
            of_kind = [name for name in names if name.partition(":")[0] == kind]
            if of_kind:
                self._hold_chains(of_kind)
        unread: dict[str, Account] = {one: one for one in accounts if one not in self._balances}
        if unread:
            for name, *sides in _BALANCES.hold(self.connection, sorted(unread), _Sides, ("account", *SIDES)):
                self._balances[unread[name]] = self._balances_stored[unread[name]] = Balance(*sides)

    def _hold_chains(self, names: Sequence[str]) -> None:
        """Chains of one kind; the states of those that are in memory need not be read."""
        heads = _CHAINS.hold(self.connection, names, _Head, ("chain", "number", "hash", "at"))
        known = {name: self.memory.chains.get(name) for name in names}
        unread = [name for name, _, last_hash, _ in heads if (one := known[name]) is None or one.hash != last_hash]
        stored = _CHAINS.hold(self.connection, unread, _State, ("chain", "state", "format")) if unread else ()
        texts = {name: (text, written) for name, text, written in stored}
        for name, number, last_hash, at in heads:
            chain = _read(Chain(name, number, last_hash, at, *texts[name])) if name in texts else known[name]
            if chain is not None:
                self._heads[name] = self._heads_stored[name] = chain
                self._standing = True

    def lock(self, name: str, *, create: bool = False) -> Chain | None:
        """A chain, held for this unit."""
        if name not in self._heads:
            self.hold([name])
        if create and name not in self._heads:
            self._make_chain(name)
        return self._heads.get(name)

    def lock_all(self) -> None:
        """Holds every chain: nobody else writes."""
        self.hold(self.connection.scalars(sa.select(schema.chains.c.chain)))

    def _make_chain(self, name: str) -> None:
        row: Row = {"chain": name, "format": formats.FORMAT, "number": 0, "hash": GENESIS, "at": _NO_TIME, "state": ""}
        if self._make(schema.chains, row):
            self._heads[name] = self._heads_stored[name] = Chain(name, 0, GENESIS, _NO_TIME, "")
        else:
            self.hold([name])  # another writer was first

    def _make_balances(self, accounts: Iterable[Account]) -> None:
        """Rows to be held for accounts where nothing ever moved."""
        for account in sorted(accounts):
            if self._make(schema.balances, {"account": str(account), **dict.fromkeys(SIDES, 0)}):
                self._balances[account] = self._balances_stored[account] = NOTHING
            else:
                self.hold((), [account])  # another writer was first

    def _make(self, table: sa.Table, row: Row) -> bool:
        """A row to be held; what stays unused is taken away again. False: it is there already."""
        key = table.columns[0]
        made = self.connection.scalar(self._insert(table).on_conflict_do_nothing().returning(key), dict(row))
        if made is not None:
            self._made.append(made)
        return made is not None

    # --- what is gathered, and what is not ------------------------------------------------------------------------

    def chain(self, name: str) -> Chain | None:
        """A chain as it stands. The house is read again until a chain is held: then no close can come between."""
        found = self._heads.get(name) or self._seen.get(name)
        if found is None:
            stored = super().chain(name)
            if stored is None:
                return None
            found = self.memory.chains.get(name)
            if found is None or found.hash != stored.hash:
                found = _read(stored)
            if name != HOUSE or self._standing:
                self._seen[name] = found
        return found if found.number else None  # made to be held, for a request that was refused then

    def chains(self) -> dict[str, Chain]:
        """Every chain by name."""
        return {name: self._heads.get(name, chain) for name, chain in super().chains().items()}

    def transfer(self, chain: str, name: str) -> tuple[Transfer, int] | None:
        """A transfer of a chain, and how much of it was put right already."""
        corrected = sum(transfer_of(row).amount for row in self._transfers if row["corrects"] == name)
        for row in self._transfers:
            if row["id"] == name:
                return (transfer_of(row), corrected) if row["chain"] == chain else None
        stored = super().transfer(chain, name)
        return None if stored is None else (stored[0], stored[1] + corrected)

    def balance(self, account: Account) -> Balance:
        """One balance; nothing where nothing ever moved."""
        held = self._balances.get(account)
        return super().balance(account) if held is None else held

    def balances(self) -> dict[Account, Balance]:
        """Every balance."""
        return {**super().balances(), **self._balances}

    # --- gathering ------------------------------------------------------------------------------------------------

    def move(self, transfers: Sequence[Transfer]) -> None:
        """Moves the balances of accounts, which are held then; refuses what would leave one below its floor."""
        balances = self._balances
        accounts = {account for one in transfers for account in (one.debit, one.credit)}
        if not accounts <= balances.keys():
            self.hold((), accounts)
            self._make_balances(accounts - balances.keys())
        moved = after(balances, transfers)
        short = {account: balance for account, balance in moved.items() if below_floor(account, balance)}
        if short:
            raise shortage(short)
        for account in moved:
            self._balances_marked.setdefault(account, balances[account])
        balances.update(moved)

    def append(self, chain: Chain, request: Record, moment: Moment, outcome: Outcome[Record]) -> None:
        """Keeps the entry of a request, with its rows, for the end, and moves the head of its chain."""
        name, number, at = chain.name, chain.number + 1, instant_text(moment.at)
        entry: dict[str, Cell] = {
            "chain": name,
            "number": number,
            "format": formats.FORMAT,
            "command": moment.command,
            "part": moment.part,
            "at": at,
            "day": moment.day.isoformat(),
            "actor": moment.actor,
            "request": canonical(request.model_dump(mode="json")),
            "answer": canonical(outcome.answer),
            "key": self.key_number,
        }
        transfers: list[dict[str, Cell]] = [
            {
                "id": one.id,
                "debit": str(one.debit),
                "credit": str(one.credit),
                "amount": one.amount,
                "reason": one.reason.code,
                "phase": one.phase.value,
                "resolves": one.resolves,
                "corrects": one.corrects,
            }
            for one in outcome.transfers
        ]
        movements: list[dict[str, Cell]] = [
            {
                "meter": one.meter,
                "reason": one.reason.value,
                "before": one.before,
                "after": one.after,
                "carry": one.carry,
            }
            for one in outcome.movements
        ]
        new_hash = entry_hash(entry, chain.hash, transfers, movements)
        entry["hash"], entry["mac"] = new_hash, self.mac(new_hash)
        self._entries.append(entry)
        for rows, gathered in ((transfers, self._transfers), (movements, self._movements)):
            for position, row in enumerate(rows):
                row["chain"], row["number"], row["position"] = name, number, position
                gathered.append(row)
        self._heads_marked.setdefault(name, chain)
        self._heads[name] = Chain(name, number, new_hash, at, outcome.state)

    def keep_rules(self, rules: Ruleset) -> None:
        """Keeps rules that an entry names for the end."""
        self._rules.setdefault(rules.hash, rules)

    def mark(self) -> Mark:
        """How far it is now, to come back to; the last mark is the only one."""
        self._heads_marked.clear()
        self._balances_marked.clear()
        return Mark(len(self._entries), len(self._transfers), len(self._movements), len(self._rules))

    def back_to(self, mark: Mark) -> None:
        """Drops what was gathered since the last mark."""
        self._heads.update(self._heads_marked)
        self._balances.update(self._balances_marked)
        del self._entries[mark.entries :], self._transfers[mark.transfers :], self._movements[mark.movements :]
        for name in list(self._rules)[mark.rules :]:
            del self._rules[name]
        self.mark()

    # --- writing --------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Writes everything."""
        for _, rules in sorted(self._rules.items()):  # in one order: two processes may store the same
            rulesets.keep(self.connection, rules)
        self._rules.clear()
        journal = ((_ENTRIES, self._entries), (_TRANSFERS, self._transfers), (_MOVEMENTS, self._movements))
        for bulk, rows in journal:
            bulk.insert(self.connection, rows)
            rows.clear()
        if self._made:
            self._drop_unused()
        heads = [one for name, one in self._heads.items() if one is not self._heads_stored[name]]
        written: list[Row] = [
            {
                "chain": one.name,
                "number": one.number,
                "format": formats.FORMAT,
                "hash": one.hash,
                "at": one.at,
                "state": "" if isinstance(one.state, str) else one.state.model_dump_json(),
            }
            for one in heads
        ]
        _CHAINS.update(self.connection, written)
        self._heads_stored.update((one.name, one) for one in heads)
        stored = self._balances_stored
        moved = [(account, one) for account, one in self._balances.items() if one is not stored[account]]
        _BALANCES.update(self.connection, [{"account": str(account), **one._asdict()} for account, one in moved])
        stored.update(moved)
        self.mark()

    def remember(self) -> None:
        """Tells the memory what this unit knows; to be called once it is kept."""
        self.memory.chains.update(self._seen)
        self.memory.chains.update(self._heads)

    def _drop_unused(self) -> None:
        """A row made to be held, for a request that was refused, would not be there had it been refused alone."""
        for name in self._made:
            if name in self._heads and self._heads[name] is self._heads_stored[name]:
                self.connection.execute(sa.delete(schema.chains).where(schema.chains.c.chain == name))
                del self._heads[name], self._heads_stored[name]
        for account in [one for one in self._balances if one in self._made]:
            if self._balances[account] is self._balances_stored[account]:
                self.connection.execute(sa.delete(schema.balances).where(schema.balances.c.account == str(account)))
                del self._balances[account], self._balances_stored[account]
        self._made.clear()


def _read(chain: Chain) -> Chain:
    """A chain with its state read."""
    return chain._replace(state=state_of(chain) or "", format=formats.FORMAT)
