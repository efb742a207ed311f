"""A unit of work on the store: reading, locking and appending rows, inside one transaction of the caller's."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard import formats
from upcard.catalog.ruleset import Ruleset
from upcard.ledger import rulesets, schema
from upcard.ledger.accounts import Account
from upcard.ledger.balances import Balance
from upcard.ledger.journal import GENESIS, Entry, entry_hash, lock_order, movement_row, transfer_of, transfer_row
from upcard.ledger.keys import SealingKey
from upcard.ledger.record import Record
from upcard.ledger.transfers import Transfer
from upcard.problems import BadRequest

# The questions that every request asks, built once.
SIDES = ("debits", "credits", "pending_debits", "pending_credits")
_ZERO = dict.fromkeys(SIDES, 0)
_CHAIN = sa.select(schema.chains).where(schema.chains.c.chain == sa.bindparam("name"))
_HOLD_CHAIN = _CHAIN.with_for_update()
_MOVE_HEAD = (
    sa.update(schema.chains)
    .where(schema.chains.c.chain == sa.bindparam("name"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("number", "format", "hash", "at", "state")})
)
_HOLD_LOG = sa.select(schema.logs).where(schema.logs.c.log == sa.bindparam("name")).with_for_update()
_MOVE_LOG = (
    sa.update(schema.logs)
    .where(schema.logs.c.log == sa.bindparam("name"))
    .values(number=sa.bindparam("new_number"), hash=sa.bindparam("new_hash"))
)
_PARTS = (
    sa.select(schema.entries).where(schema.entries.c.command == sa.bindparam("name")).order_by(schema.entries.c.part)
)
_ONE_BALANCE = sa.select(schema.balances).where(schema.balances.c.account == sa.bindparam("name"))
_HOLD_BALANCES = (
    sa.select(schema.balances)
    .where(schema.balances.c.account.in_(sa.bindparam("names", expanding=True)))
    .order_by(schema.balances.c.account)
    .with_for_update()
)
_SAVE_BALANCES = (
    sa.update(schema.balances)
    .where(schema.balances.c.account == sa.bindparam("name"))
    .values({name: sa.bindparam(f"new_{name}") for name in SIDES})
)

NO_TIME = "0001-01-01T00:00:00.000000Z"


@dataclass(frozen=True, slots=True)
class Chain:
    """The head of a chain and the state its entries add up to."""

    name: str
    number: int
    hash: str
    at: str
    state: str | Record  # as text where nobody has read it yet; empty before the first entry
    format: int = formats.FORMAT  # of that text


class Unit:
    """One transaction."""

    def __init__(self, connection: sa.Connection, sealing: SealingKey | None = None, book: str = "") -> None:
        self.connection, self._sealing = connection, sealing
        self.book = book if sealing is None else sealing.book  # which is part of every seal
        self._insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert

    # --- seals ----------------------------------------------------------------------------------------------------

    @property
    def key_number(self) -> int:
        """The number of the key that seals what this unit writes."""
        return self._writing.number

    def mac(self, text: str) -> str:
        """The MAC of a row: of its hash, or of its text where it has none."""
        return self._writing.mac(text)

    @property
    def _writing(self) -> SealingKey:
        if self._sealing is None:
            raise BadRequest("nothing is written in a book without the operator's key")
        return self._sealing

    # --- chains ---------------------------------------------------------------------------------------------------

    def chain(self, name: str) -> Chain | None:
        """A chain as it stands."""
        return next(iter(self._chains(_CHAIN, {"name": name})), None)

    def lock(self, name: str, *, create: bool = False) -> Chain | None:
        """A chain, held for this unit."""
        if create:
            row = {"chain": name, "number": 0, "format": formats.FORMAT, "hash": GENESIS, "at": NO_TIME, "state": ""}
            self.connection.execute(self._insert(schema.chains).on_conflict_do_nothing(), row)
        return next(iter(self._chains(_HOLD_CHAIN, {"name": name})), None)

    def lock_all(self) -> dict[str, Chain]:
        """Every chain, held in the common order: nobody else writes."""
        names = sorted(self.connection.scalars(sa.select(schema.chains.c.chain)), key=lock_order)
        held = (self.lock(name) for name in names)
        return {chain.name: chain for chain in held if chain is not None}

    def chains(self) -> dict[str, Chain]:
        """Every chain by name."""
        every = sa.select(schema.chains).order_by(schema.chains.c.chain)
        return {chain.name: chain for chain in self._chains(every, {})}

    def _chains(self, query: sa.Select[Any], values: Mapping[str, Any]) -> Iterator[Chain]:
        for row in self.connection.execute(query, values):
            yield Chain(row.chain, row.number, row.hash, row.at, row.state, row.format)

    # --- the journal ----------------------------------------------------------------------------------------------

    def parts_of(self, command: str) -> list[Mapping[str, Any]]:
        """The entries a command has written."""
        return [row._asdict() for row in self.connection.execute(_PARTS, {"name": command})]

    def transfer(self, chain: str, name: str) -> tuple[Transfer, int] | None:
        """A transfer of a chain, and how much of it was put right already."""
        table = schema.transfers
        row = self.connection.execute(sa.select(table).where(table.c.id == name, table.c.chain == chain)).first()
        if row is None:
            return None
        query = sa.select(sa.func.coalesce(sa.func.sum(table.c.amount), 0)).where(table.c.corrects == name)
        format_of_entry = sa.select(schema.entries.c.format).where(
            schema.entries.c.chain == chain, schema.entries.c.number == row.number
        )
        written = self.connection.execute(format_of_entry).scalar_one()
        return transfer_of(formats.upcast("transfer", row._asdict(), written)), int(
            self.connection.execute(query).scalar_one()
        )

    def append(self, entry: Entry, state: Record) -> None:
        """Writes an entry with its rows, and moves the head of its chain."""
        transfers, movements = list(map(transfer_row, entry.transfers)), list(map(movement_row, entry.movements))
        new_hash = entry_hash(entry.columns(), entry.previous, transfers, movements)
        sealed = {**entry.columns(), "hash": new_hash, "mac": self.mac(new_hash)}
        self.connection.execute(sa.insert(schema.entries), sealed)
        for table, rows in ((schema.transfers, transfers), (schema.movements, movements)):
            if rows:
                self.connection.execute(sa.insert(table), placed(entry, rows))
        head = {"name": entry.chain, "new_number": entry.number, "new_hash": new_hash, "new_at": entry.at}
        self.connection.execute(
            _MOVE_HEAD, {**head, "new_format": formats.FORMAT, "new_state": state.model_dump_json()}
        )

    def keep_rules(self, rules: Ruleset) -> None:
        """Stores rules that an entry names."""
        rulesets.keep(self.connection, rules)

    def rows(self, table: sa.Table, *order: str) -> Iterator[Mapping[str, Any]]:
        """Raw rows of a table in an order."""
        query = sa.select(table).order_by(*(table.c[name] for name in order))
        for row in self.connection.execute(query):
            yield row._asdict()

    def lock_log(self, log: str) -> tuple[int, str]:
        """The number and hash of the last row of a log that belongs to no stream, held for this unit."""
        made = {"log": log, "number": 0, "hash": GENESIS}
        self.connection.execute(self._insert(schema.logs).on_conflict_do_nothing(), made)
        row = self.connection.execute(_HOLD_LOG, {"name": log}).one()
        return row.number, row.hash

    def move_log(self, log: str, number: int, last_hash: str) -> None:
        """Writes the number and hash of a log's new last row."""
        self.connection.execute(_MOVE_LOG, {"name": log, "new_number": number, "new_hash": last_hash})

    # --- balances -------------------------------------------------------------------------------------------------

    def lock_balances(self, accounts: Iterable[Account]) -> dict[Account, Balance]:
        """Balances, held for this unit; a row that is not there is made first, so that it can be held."""
        names = sorted({str(account) for account in accounts})
        if not names:
            return {}
        held = dict(self._balances(_HOLD_BALANCES, {"names": names}))
        if len(held) < len(names):
            missing = [{"account": name, **_ZERO} for name in names if Account.parse(name) not in held]
            self.connection.execute(self._insert(schema.balances).on_conflict_do_nothing(), missing)
            held = dict(self._balances(_HOLD_BALANCES, {"names": names}))
        return held

    def balances(self) -> dict[Account, Balance]:
        """Every balance."""
        return dict(self._balances(sa.select(schema.balances), {}))

    def balance(self, account: Account) -> Balance:
        """One balance; nothing where nothing ever moved."""
        return next((balance for _, balance in self._balances(_ONE_BALANCE, {"name": str(account)})), Balance())

    def save_balances(self, balances: Mapping[Account, Balance]) -> None:
        """Writes held balances back."""
        rows = [
            {"name": str(account), **{f"new_{side}": getattr(balance, side) for side in SIDES}}
            for account, balance in balances.items()
        ]
        if rows:
            self.connection.execute(_SAVE_BALANCES, rows)

    def _balances(self, query: sa.Select[Any], values: Mapping[str, Any]) -> Iterator[tuple[Account, Balance]]:
        for row in self.connection.execute(query, values):
            yield Account.parse(row.account), Balance(*(getattr(row, side) for side in SIDES))


def placed(entry: Entry, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Transfers or movements with their places in an entry."""
    chain, number = entry.chain, entry.number
    return [{"chain": chain, "number": number, "position": place, **row} for place, row in enumerate(rows)]
