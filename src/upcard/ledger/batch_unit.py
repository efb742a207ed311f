"""The transaction in which the book is written: rows are read and locked in bulk, changes kept in memory and written in
bulk at the end.

Its chains, balances and transfers include everything; its raw rows (for statements and the check) only what was
flushed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets, schema
from upcard.ledger.accounts import Account
from upcard.ledger.bulk import Bulk, SendAhead
from upcard.ledger.chains import state_of
from upcard.ledger.gaming_day import GamingDay
from upcard.ledger.journal import GENESIS, HOUSE, canonical, entry_hash, instant_text, transfer_of
from upcard.ledger.outcome import Moment, Outcome
from upcard.ledger.record import Record
from upcard.ledger.schema import Cell, Row
from upcard.ledger.transfers import NOTHING, Balance, Transfer, after, below_floor, shortage
from upcard.ledger.unit import SIDES, Chain, Unit

_NO_TIME = "0001-01-01T00:00:00.000000Z"

_JOURNAL = tuple(Bulk(table) for table in schema.JOURNAL)  # entries, transfers, movements
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


class Memory:
    """Chains as they were last read or written.

    A chain is used only while the store has the same last hash: so no change of another writer is missed, and none
    from a transaction that was rolled back is used.
    """

    def __init__(self) -> None:
        self.chains: dict[str, Chain] = {}
        self.last_day: GamingDay | None = None


class BookSavepoint(NamedTuple):
    """How many rows wait to be written at a savepoint."""

    entries: int
    transfers: int
    movements: int
    rules: int


@dataclass(eq=False)
class BatchUnit(Unit):
    """One transaction, whose rows are written at its end."""

    memory: Memory = field(default_factory=Memory)
    ahead: SendAhead | None = None  # on a server
    _heads: dict[str, Chain] = field(default_factory=dict)  # of locked chains, as they are now, their states parsed
    _heads_stored: dict[str, Chain] = field(default_factory=dict)  # the same, as they are stored
    _heads_marked: dict[str, Chain] = field(
        default_factory=dict
    )  # those that changed since the savepoint, as they were then
    _seen: dict[str, Chain] = field(default_factory=dict)  # read and not locked
    _standing: bool = False  # whether a chain is locked that a daily close would wait for
    _balances: dict[Account, Balance] = field(default_factory=dict)  # locked, as they are now
    _balances_stored: dict[Account, Balance] = field(default_factory=dict)
    _balances_marked: dict[Account, Balance] = field(default_factory=dict)
    _sent: set[str] = field(default_factory=set)  # chains whose new heads were written, or sent to a server
    _made: list[str] = field(default_factory=list)  # chains and accounts whose rows were added in order to lock them
    _entries: list[Row] = field(default_factory=list)
    _transfers: list[Row] = field(default_factory=list)
    _movements: list[Row] = field(default_factory=list)
    _rules: dict[str, Ruleset] = field(default_factory=dict)  # by hash

    # --- locking --------------------------------------------------------------------------------------------------

    def hold(self, chains: Iterable[str], accounts: Iterable[Account] = ()) -> None:
        """Locks and reads chains, in the common order, and then balances. Rows that do not exist are left out."""
        names = sorted({name for name in chains if name not in self._heads})
        for kind in ("table", "jackpot", HOUSE) if names else ():
            of_kind = [name for name in names if name.partition(":")[0] == kind]
            if not of_kind:
                continue
            heads = _CHAINS.hold(self.connection, of_kind, _Head, ("chain", "number", "hash", "at"))
            cached = self.memory.chains  # the states of these need not be read
            unread = [head.chain for head in heads if head.chain not in cached or cached[head.chain].hash != head.hash]
            stored = _CHAINS.hold(self.connection, unread, _State, ("chain", "state", "format")) if unread else ()
            states = {name: (text, written) for name, text, written in stored}
            for head in heads:
                name = head.chain
                chain = _read(Chain(*head, *states[name])) if name in states else cached[name]
                self._heads[name] = self._heads_stored[name] = chain
                self._standing = True
        new: dict[str, Account] = {account: account for account in accounts if account not in self._balances}
        if new:
            for name, balance in _BALANCES.hold(self.connection, sorted(new), _named_balance, ("account", *SIDES)):
                self._balances[new[name]] = self._balances_stored[new[name]] = balance

    def lock(self, name: str, *, create: bool = False) -> Chain | None:
        """A chain, locked for this transaction."""
        if name not in self._heads:
            self.hold([name])
        if create and name not in self._heads:
            self._make_chain(name)
        return self._heads.get(name)

    def lock_all(self) -> None:
        """Locks every chain, so that nobody else writes."""
        self.hold(self.connection.scalars(sa.select(schema.chains.c.chain)))

    def _make_chain(self, name: str) -> None:
        row: Row = {"chain": name, "format": formats.FORMAT, "number": 0, "hash": GENESIS, "at": _NO_TIME, "state": ""}
        if self._make(schema.chains, row):
            self._heads[name] = self._heads_stored[name] = Chain(name, 0, GENESIS, _NO_TIME, "")
        else:
            self.hold([name])  # another writer was first

    def add_new_accounts(self, accounts: Iterable[Account]) -> None:
        """Adds rows for accounts without one, in the common order, before any balance is locked: so two writers with
        the same new accounts wait for each other, and do not deadlock. (SQLite has one writer at a time.)"""
        names = sorted({account for account in accounts if account not in self._balances})
        if not names or self.connection.dialect.name != "postgresql":
            return
        stored = {row["account"] for row in _BALANCES.find(self.connection, names)}
        for account in names:
            if account not in stored and self._make(schema.balances, {"account": account, **dict.fromkeys(SIDES, 0)}):
                self._balances[account] = self._balances_stored[account] = NOTHING

    def _make_balances(self, accounts: Iterable[Account]) -> None:
        """Adds rows, in order to lock them, for accounts without any transfer."""
        for account in sorted(accounts):
            if self._make(schema.balances, {"account": str(account), **dict.fromkeys(SIDES, 0)}):
                self._balances[account] = self._balances_stored[account] = NOTHING
            else:
                self.hold((), [account])  # another writer was first

    def _make(self, table: sa.Table, row: Row) -> bool:
        """Adds a row in order to lock it; if unused, it is deleted again. False: it exists already."""
        key = table.columns[0]
        new_key = self.connection.scalar(self._insert(table).on_conflict_do_nothing().returning(key), dict(row))
        if new_key is not None:
            self._made.append(new_key)
        return new_key is not None

    # --- reading, rows that wait to be written included -----------------------------------------------------------

    def chain(self, name: str) -> Chain | None:
        """A chain as it is now. The house is read again until a chain is locked: then no close can come between."""
        chain = self._heads.get(name) or self._seen.get(name)
        if chain is None:
            stored = super().chain(name)
            if stored is None:
                return None
            chain = self.memory.chains.get(name)
            if chain is None or chain.hash != stored.hash:
                chain = _read(stored)
            if name != HOUSE or self._standing:
                self._seen[name] = chain
        return chain if chain.number else None  # added in order to lock it, for a request that was then refused

    def chains(self) -> dict[str, Chain]:
        """Every chain by name."""
        return {name: self._heads.get(name, chain) for name, chain in super().chains().items()}

    def transfer(self, chain: str, name: str) -> tuple[Transfer, int] | None:
        """A transfer of a chain, and how much of it was already corrected."""
        corrected = sum(transfer_of(row).amount for row in self._transfers if row["corrects"] == name)
        for row in self._transfers:
            if row["id"] == name:
                return (transfer_of(row), corrected) if row["chain"] == chain else None
        stored = super().transfer(chain, name)
        return None if stored is None else (stored[0], stored[1] + corrected)

    def balance(self, account: Account) -> Balance:
        """One balance; zero for an account without any transfer."""
        balance = self._balances.get(account)
        return super().balance(account) if balance is None else balance

    def balances(self) -> dict[Account, Balance]:
        """Every balance."""
        return {**super().balances(), **self._balances}

    # --- changes that wait to be written --------------------------------------------------------------------------

    def move(self, transfers: Sequence[Transfer]) -> None:
        """Changes the balances of accounts and locks them; refused if one would fall below its minimum."""
        balances = self._balances
        accounts = {account for transfer in transfers for account in (transfer.debit, transfer.credit)}
        if not accounts <= balances.keys():
            self.hold((), accounts)
            self._make_balances(accounts - balances.keys())
        moved = after(balances, transfers)
        short = {account: balance for account, balance in moved.items() if below_floor(account, balance)}
        if short:
            raise shortage(short, self.winnings_held)
        for account in moved:
            self._balances_marked.setdefault(account, balances[account])
        balances.update(moved)

    def append(self, chain: Chain, request: Record, moment: Moment, outcome: Outcome[Record]) -> None:
        """Adds the entry of a request, with its rows, to what is written at the end; moves the head of its chain."""
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
                "id": transfer.id,
                "debit": str(transfer.debit),
                "credit": str(transfer.credit),
                "amount": transfer.amount,
                "reason": transfer.reason.code,
                "phase": transfer.phase.value,
                "resolves": transfer.resolves,
                "corrects": transfer.corrects,
            }
            for transfer in outcome.transfers
        ]
        movements: list[dict[str, Cell]] = [
            {
                "meter": movement.meter,
                "reason": movement.reason.value,
                "before": movement.before,
                "after": movement.after,
                "carry": movement.carry,
            }
            for movement in outcome.movements
        ]
        new_hash = entry_hash(entry, chain.hash, transfers, movements)
        entry["hash"], entry["mac"] = new_hash, self.mac(new_hash)
        self._entries.append(entry)
        for rows, waiting in ((transfers, self._transfers), (movements, self._movements)):
            for position, row in enumerate(rows):
                row["chain"], row["number"], row["position"] = name, number, position
                waiting.append(row)
        self._heads_marked.setdefault(name, chain)
        self._heads[name] = Chain(name, number, new_hash, at, outcome.state)

    def keep_rules(self, rules: Ruleset) -> None:
        """Adds rules that an entry names to what is written at the end."""
        self._rules.setdefault(rules.hash, rules)

    def savepoint(self) -> BookSavepoint:
        """Sets the savepoint; it replaces the one before."""
        self._heads_marked.clear()
        self._balances_marked.clear()
        return BookSavepoint(len(self._entries), len(self._transfers), len(self._movements), len(self._rules))

    def roll_back_to(self, savepoint: BookSavepoint) -> None:
        """Drops all changes since the savepoint."""
        self._heads.update(self._heads_marked)
        self._balances.update(self._balances_marked)
        del (
            self._entries[savepoint.entries :],
            self._transfers[savepoint.transfers :],
            self._movements[savepoint.movements :],
        )
        for name in list(self._rules)[savepoint.rules :]:
            del self._rules[name]
        self.savepoint()

    # --- writing --------------------------------------------------------------------------------------------------

    def changed(self) -> set[str]:
        """The chains that have new entries."""
        stored = self._heads_stored
        return self._sent | {name for name, head in self._heads.items() if head is not stored[name]}

    def send(self, ahead: SendAhead) -> None:
        """Sends what changed so far to a server, which stores it meanwhile; the flush waits for it."""
        for bulk, rows in zip(_JOURNAL, (self._entries, self._transfers, self._movements), strict=True):
            ahead.insert(bulk, rows)
        for bulk, changed in self._take_changed():
            ahead.update(bulk, changed)

    def flush(self) -> None:
        """Writes everything that waits."""
        for _, rules in sorted(self._rules.items()):  # in a fixed order: two processes may store the same rules
            rulesets.keep(self.connection, rules)
        self._rules.clear()
        for bulk, rows in zip(_JOURNAL, (self._entries, self._transfers, self._movements), strict=True):
            bulk.insert(self.connection, rows)
            rows.clear()
        if self._made:
            self._drop_unused()
        for bulk, changed in self._take_changed():
            bulk.update(self.connection, changed)
        self.savepoint()

    def _take_changed(self) -> tuple[tuple[Bulk, list[Row]], ...]:
        """The rows of chains and balances that changed; from now on they count as stored."""
        stored, balances_stored = self._heads_stored, self._balances_stored
        heads = {name: head for name, head in self._heads.items() if head is not stored[name]}
        moved = {name: balance for name, balance in self._balances.items() if balance is not balances_stored[name]}
        stored.update(heads)
        balances_stored.update(moved)
        self._sent.update(heads)
        if self._made:
            self._made = [name for name in self._made if name not in heads and name not in moved]
        head_rows: list[Row] = [
            {
                "chain": name,
                "number": head.number,
                "format": formats.FORMAT,
                "hash": head.hash,
                "at": head.at,
                "state": "" if isinstance(head.state, str) else head.state.model_dump_json(),
            }
            for name, head in heads.items()
        ]
        balance_rows: list[Row] = [
            {"account": str(account), **dict(zip(SIDES, balance, strict=True))} for account, balance in moved.items()
        ]
        return (_CHAINS, head_rows), (_BALANCES, balance_rows)

    def remember(self) -> None:
        """Updates the memory; to be called after the commit."""
        self.memory.chains.update(self._seen)
        self.memory.chains.update(self._heads)

    def _drop_unused(self) -> None:
        """Deletes rows that were added in order to lock them, for requests that were then refused."""
        for name in self._made:
            if name in self._heads and self._heads[name] is self._heads_stored[name]:
                self.connection.execute(sa.delete(schema.chains).where(schema.chains.c.chain == name))
                del self._heads[name], self._heads_stored[name]
        for account in [name for name in self._balances if name in self._made]:
            if self._balances[account] is self._balances_stored[account]:
                self.connection.execute(sa.delete(schema.balances).where(schema.balances.c.account == str(account)))
                del self._balances[account], self._balances_stored[account]
        self._made.clear()


def _named_balance(name: str, *sides: int) -> tuple[str, Balance]:
    return name, Balance(*sides)


def _read(chain: Chain) -> Chain:
    """A chain with its state read."""
    return chain._replace(state=state_of(chain) or "", format=formats.FORMAT)
