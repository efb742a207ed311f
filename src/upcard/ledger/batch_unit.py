"""A unit of work that gathers: rows are read and locked in bulk, changes kept in memory and written in bulk at the end.

What it writes is byte for byte what a plain unit writes for the same requests. Whoever reads raw rows through it
(statements, the check) sees what was flushed; whoever asks it for chains, balances, parts and transfers sees all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import schema
from upcard.ledger.accounts import Account
from upcard.ledger.balances import NOTHING, Balance
from upcard.ledger.bulk import Bulk
from upcard.ledger.chains import state_of, state_text
from upcard.ledger.journal import GENESIS, HOUSE, Entry, entry_hash, lock_order, movement_row, transfer_row
from upcard.ledger.keys import SealingKey
from upcard.ledger.record import Record
from upcard.ledger.transfers import Transfer
from upcard.ledger.unit import NO_TIME, SIDES, Chain, Unit, placed

Row = Mapping[str, Any]

_GONE = object()

_ENTRIES, _TRANSFERS, _MOVEMENTS = (Bulk(table) for table in schema.JOURNAL)
_CHAINS, _BALANCES = Bulk(schema.chains), Bulk(schema.balances)


class Memory:
    """States of chains as they were last read or written; each holds only as long as its chain has the same last hash,
    so that what another writer did, or a unit that was not kept, is never believed."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[str, Record]] = {}

    def state(self, chain: str, last_hash: str) -> Record | None:
        """The state of a chain whose last entry has this hash; None: it must be read."""
        known = self._states.get(chain)
        return known[1] if known is not None and known[0] == last_hash else None

    def keep(self, chains: Iterable[Chain]) -> None:
        """Remembers chains as they stand."""
        self._states.update((one.name, (one.hash, one.state)) for one in chains if isinstance(one.state, Record))


class Mark(NamedTuple):
    """How much was gathered at a moment."""

    entries: int
    transfers: int
    movements: int


class BatchUnit(Unit):
    """One transaction, written at its end."""

    def __init__(self, connection: sa.Connection, sealing: SealingKey, memory: Memory) -> None:
        super().__init__(connection, sealing)
        self._memory = memory
        self._heads: dict[str, Chain] = {}  # held, as they stand
        self._stored: dict[str, Chain] = {}  # the same, as the store has them
        self._seen: dict[str, Chain] = {}  # read and not held
        self._balances_held: dict[Account, Balance] = {}
        self._balances_stored: dict[Account, Balance] = {}
        self._made: set[str | Account] = set()  # rows made to be held; what stays unused is taken away again
        self._entries: list[Row] = []
        self._transfers: list[Row] = []
        self._movements: list[Row] = []
        self._parts: dict[str, tuple[Row, ...]] = {}  # by command
        self._moved: dict[str, tuple[str, Transfer]] = {}  # by id: the chain and the transfer
        self._corrected: dict[str, int] = {}
        self._rules: dict[str, Ruleset] = {}  # by hash
        self._standing = False  # whether a chain is held that a close would wait for
        self._undo: list[tuple[dict[Any, Any], Any, Any]] = []  # since the last mark

    # --- holding --------------------------------------------------------------------------------------------------

    def hold(self, chains: Iterable[str], accounts: Iterable[Account] = ()) -> None:
        """Locks and reads chains, in the common order, and then balances; what is not there is left out."""
        self._hold_chains(chains)
        self._read_balances(accounts)

    def lock(self, name: str, *, create: bool = False) -> Chain | None:
        """A chain, held for this unit."""
        if name not in self._heads:
            self._hold_chains([name])
        if create and name not in self._heads:
            self._make_chain(name)
        return self._heads.get(name)

    def lock_all(self) -> dict[str, Chain]:
        """Every chain, held in the common order: nobody else writes."""
        self._hold_chains(self.connection.scalars(sa.select(schema.chains.c.chain)))
        return dict(self._heads)

    def _hold_chains(self, chains: Iterable[str]) -> None:
        names = sorted({name for name in chains if name not in self._heads}, key=lock_order)
        for kind in range(3):  # tables, jackpots, the house
            self._hold_kind([name for name in names if lock_order(name)[0] == kind])

    def _hold_kind(self, names: Sequence[str]) -> None:
        if not names:
            return
        heads = list(_CHAINS.hold(self.connection, names, "chain", "number", "hash", "at"))
        known = {name: self._memory.state(name, last_hash) for name, _, last_hash, _ in heads}
        unread = [name for name, state in known.items() if state is None]
        stored = _CHAINS.hold(self.connection, unread, "chain", "state", "format") if unread else []
        texts = {name: (text, written) for name, text, written in stored}
        self._standing = self._standing or bool(heads)
        for name, number, last_hash, at in heads:
            state, written = (known[name] or "", formats.FORMAT) if known[name] else texts[name]
            self._keep_chain(_read(Chain(name, number, last_hash, at, state, written)))

    def _make_chain(self, name: str) -> None:
        row = {"chain": name, "number": 0, "format": formats.FORMAT, "hash": GENESIS, "at": NO_TIME, "state": ""}
        made = self._insert(schema.chains).on_conflict_do_nothing().returning(schema.chains.c.chain)
        if self.connection.execute(made, row).first() is None:
            self._hold_chains([name])  # another writer was first
            return
        self._made.add(name)
        self._keep_chain(Chain(name, 0, GENESIS, NO_TIME, ""))

    def _keep_chain(self, chain: Chain) -> None:
        self._heads[chain.name] = self._stored[chain.name] = chain

    def _read_balances(self, accounts: Iterable[Account]) -> None:
        wanted = {str(one): one for one in accounts if one not in self._balances_held}
        if wanted:
            for name, *sides in _BALANCES.hold(self.connection, sorted(wanted), "account", *SIDES):
                account = wanted[name]
                self._balances_held[account] = self._balances_stored[account] = Balance(*sides)

    def _make_balances(self, accounts: Iterable[Account]) -> None:
        """Rows to be held for accounts where nothing ever moved."""
        made = self._insert(schema.balances).on_conflict_do_nothing().returning(schema.balances.c.account)
        others = []
        for account in sorted(accounts, key=str):
            if self.connection.execute(made, {"account": str(account), **dict.fromkeys(SIDES, 0)}).first() is None:
                others.append(account)  # another writer was first
            else:
                self._made.add(account)
                self._balances_held[account] = self._balances_stored[account] = NOTHING
        self._read_balances(others)

    # --- what is gathered, and what is not ------------------------------------------------------------------------

    def chain(self, name: str) -> Chain | None:
        """A chain as it stands. The house is read again until a chain is held: then no close can come between."""
        found = self._heads.get(name) or self._seen.get(name)
        if found is None:
            found = super().chain(name)
            if found is None:
                return None
            found = _read(found, self._memory)
            if name != HOUSE or self._standing:
                self._seen[name] = found
        return found if found.number else None  # made to be held, for a request that was refused then

    def chains(self) -> dict[str, Chain]:
        """Every chain by name."""
        return {name: self._heads.get(name, chain) for name, chain in super().chains().items()}

    def parts_of(self, command: str) -> list[Mapping[str, Any]]:
        """The entries a command has written."""
        gathered = self._parts.get(command)
        if gathered is None:
            return super().parts_of(command)
        return list(gathered)

    def transfer(self, chain: str, name: str) -> tuple[Transfer, int] | None:
        """A transfer of a chain, and how much of it was put right already."""
        corrected = self._corrected.get(name, 0)
        if name in self._moved:
            place, gathered = self._moved[name]
            return (gathered, corrected) if place == chain else None
        stored = super().transfer(chain, name)
        return None if stored is None else (stored[0], stored[1] + corrected)

    def lock_balances(self, accounts: Iterable[Account]) -> dict[Account, Balance]:
        """Balances, held for this unit."""
        wanted = set(accounts)
        if not wanted <= self._balances_held.keys():
            self._read_balances(wanted)
            self._make_balances(wanted - self._balances_held.keys())
        return {account: self._balances_held[account] for account in wanted}

    def balance(self, account: Account) -> Balance:
        """One balance; nothing where nothing ever moved."""
        held = self._balances_held.get(account)
        return super().balance(account) if held is None else held

    def balances(self) -> dict[Account, Balance]:
        """Every balance."""
        return {**super().balances(), **self._balances_held}

    # --- gathering ------------------------------------------------------------------------------------------------

    def append(self, entry: Entry, state: Record) -> None:
        """Keeps an entry with its rows for the end, and moves the head of its chain."""
        transfers, movements = list(map(transfer_row, entry.transfers)), list(map(movement_row, entry.movements))
        row = entry.columns()
        new_hash = entry_hash(row, entry.previous, transfers, movements)
        row["hash"], row["mac"] = new_hash, self.mac(new_hash)
        self._entries.append(row)
        self._set(self._parts, entry.command, (*self._parts.get(entry.command, ()), row))
        self._transfers += placed(entry, transfers)
        self._movements += placed(entry, movements)
        for one in entry.transfers:
            self._set(self._moved, one.id, (entry.chain, one))
            if one.corrects is not None:
                self._set(self._corrected, one.corrects, self._corrected.get(one.corrects, 0) + one.amount)
        self._set(self._heads, entry.chain, Chain(entry.chain, entry.number, new_hash, entry.at, state))

    def keep_rules(self, rules: Ruleset) -> None:
        """Keeps rules that an entry names for the end."""
        if rules.hash not in self._rules:
            self._set(self._rules, rules.hash, rules)

    def save_balances(self, balances: Mapping[Account, Balance]) -> None:
        """Keeps held balances for the end."""
        for account, balance in balances.items():
            self._set(self._balances_held, account, balance)

    def _set(self, gathered: dict[Any, Any], key: object, value: object) -> None:
        self._undo.append((gathered, key, gathered.get(key, _GONE)))
        gathered[key] = value

    def mark(self) -> Mark:
        """How far it is now, to come back to; the last mark is the only one."""
        self._undo.clear()
        return Mark(len(self._entries), len(self._transfers), len(self._movements))

    def back_to(self, mark: Mark) -> None:
        """Drops what was gathered since the last mark."""
        for gathered, key, before in reversed(self._undo):
            if before is _GONE:
                del gathered[key]
            else:
                gathered[key] = before
        self._undo.clear()
        del self._entries[mark.entries :], self._transfers[mark.transfers :], self._movements[mark.movements :]

    # --- writing --------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Writes everything."""
        self._undo.clear()
        for _, rules in sorted(self._rules.items()):  # in one order: two processes may store the same
            super().keep_rules(rules)
        self._rules.clear()
        journal = ((_ENTRIES, self._entries), (_TRANSFERS, self._transfers), (_MOVEMENTS, self._movements))
        for bulk, rows in journal:
            bulk.insert(self.connection, rows)
            rows.clear()
        self._parts, self._moved, self._corrected = {}, {}, {}
        self._drop_unused()
        heads = [one for name, one in self._heads.items() if one is not self._stored[name]]
        _CHAINS.update(self.connection, [_head_row(one) for one in heads])
        self._stored.update((one.name, one) for one in heads)
        held, stored = self._balances_held, self._balances_stored
        moved = [(account, one) for account, one in held.items() if one is not stored[account]]
        _BALANCES.update(self.connection, [{"account": str(account), **one._asdict()} for account, one in moved])
        stored.update(moved)

    def remember(self) -> None:
        """Tells the memory what this unit knows; to be called once it is kept."""
        self._memory.keep(self._seen.values())
        self._memory.keep(self._heads.values())

    def _drop_unused(self) -> None:
        """A row made to be held, for a request that was refused, would not be there had it been refused alone."""
        for name in self._made:
            if isinstance(name, str) and self._heads[name] is self._stored[name]:
                self.connection.execute(sa.delete(schema.chains).where(schema.chains.c.chain == name))
                del self._heads[name], self._stored[name]
            elif isinstance(name, Account) and self._balances_held[name] is self._balances_stored[name]:
                self.connection.execute(sa.delete(schema.balances).where(schema.balances.c.account == str(name)))
                del self._balances_held[name], self._balances_stored[name]
        self._made.clear()


def _read(chain: Chain, memory: Memory | None = None) -> Chain:
    """A chain with its state read, from the memory where that is right."""
    state = memory.state(chain.name, chain.hash) if memory is not None else None
    return Chain(chain.name, chain.number, chain.hash, chain.at, state or state_of(chain) or "")


def _head_row(chain: Chain) -> Row:
    head = {"chain": chain.name, "number": chain.number, "hash": chain.hash, "at": chain.at}
    return {**head, "format": formats.FORMAT, "state": state_text(chain)}
