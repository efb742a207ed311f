"""A transaction that reads the book; with the operator's key it also seals the rows that its caller writes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.accounts import Account, Kind
from upcard.ledger.journal import GENESIS, transfer_of
from upcard.ledger.keyring import Mac
from upcard.ledger.record import Record
from upcard.ledger.schema import Row
from upcard.ledger.transfers import NOTHING, Balance, Transfer
from upcard.problems import BadRequest

SIDES = ("debits", "credits", "pending_debits", "pending_credits")

_C = schema.chains.c
_CHAINS = sa.select(_C.chain, _C.number, _C.hash, _C.at, _C.state, _C.format).order_by(_C.chain)
_CHAIN = sa.select(_C.chain, _C.number, _C.hash, _C.at, _C.state, _C.format).where(_C.chain == sa.bindparam("name"))
_JACKPOTS = _CHAINS.where(_C.chain.like("jackpot:%"), _C.number > 0)
_BALANCES = sa.select(schema.balances)
_BALANCE = _BALANCES.where(schema.balances.c.account == sa.bindparam("name"))
_E, _T = schema.entries.c, schema.transfers.c
_PARTS = (
    sa.select(_E.chain, _E.actor, _E.request, _E.format).where(_E.command == sa.bindparam("name")).order_by(_E.part)
)
_TRANSFER = (
    sa.select(schema.transfers, _E.format)
    .join(schema.entries, sa.and_(_T.chain == _E.chain, _T.number == _E.number))
    .where(_T.id == sa.bindparam("name"), _T.chain == sa.bindparam("chain"))
)
_CORRECTED = sa.select(sa.func.coalesce(sa.func.sum(_T.amount), 0)).where(_T.corrects == sa.bindparam("name"))
_HOLD_LOG = sa.select(schema.logs).where(schema.logs.c.log == sa.bindparam("name")).with_for_update()
_MOVE_LOG = (
    sa.update(schema.logs)
    .where(schema.logs.c.log == sa.bindparam("name"))
    .values(number=sa.bindparam("new_number"), hash=sa.bindparam("new_hash"))
)


class Chain(NamedTuple):
    """The head of a chain, and its state after its last entry."""

    name: str
    number: int
    hash: str
    at: str
    state: str | Record  # as text until it is parsed; empty before the first entry
    format: int = formats.FORMAT  # of that text


class Part(NamedTuple):
    """The request that a command sent to one chain."""

    chain: str
    actor: str
    request: str
    format: int


def _no_mac(_text: str) -> str:
    raise BadRequest("writing to a book needs the operator's key")


@dataclass(eq=False)
class Unit:
    """One transaction on the store."""

    connection: sa.Connection
    book: str = ""  # the id of the book, which is part of every seal
    key_number: int = 0  # of the key that seals new rows
    mac: Mac = _no_mac  # makes the seal of a row from its hash, or from its text where it has none

    # --- chains and the journal -----------------------------------------------------------------------------------

    def chain(self, name: str) -> Chain | None:
        row = self.connection.execute(_CHAIN, {"name": name}).first()
        return None if row is None else Chain(*row)

    def chains(self) -> dict[str, Chain]:
        """Every chain by name."""
        return {row.chain: Chain(*row) for row in self.connection.execute(_CHAINS)}

    def jackpot_chains(self) -> list[Chain]:
        """The chains of all jackpots, by name."""
        return [Chain(*row) for row in self.connection.execute(_JACKPOTS)]

    def parts_of(self, command: str) -> list[Part]:
        """The requests of a command, chain by chain."""
        return [Part(*row) for row in self.connection.execute(_PARTS, {"name": command})]

    def transfer(self, chain: str, name: str) -> tuple[Transfer, int] | None:
        """A transfer of a chain, and how much of it was already corrected."""
        row = self.connection.execute(_TRANSFER, {"name": name, "chain": chain}).first()
        if row is None:
            return None
        corrected = self.connection.execute(_CORRECTED, {"name": name}).scalar_one()
        return transfer_of(formats.upcast("transfer", row._asdict(), row.format)), int(corrected)

    def rows(self, table: sa.Table, *order: str) -> Iterator[Row]:
        """The rows of a table as they are stored, ordered by these columns."""
        query = sa.select(table).order_by(*(table.c[name] for name in order))
        for row in self.connection.execute(query):
            yield row._asdict()

    # --- balances -------------------------------------------------------------------------------------------------

    def balances(self) -> dict[Account, Balance]:
        """Every balance."""
        return {Account.parse(name): Balance(*sides) for name, *sides in self.connection.execute(_BALANCES)}

    def balance(self, account: Account) -> Balance:
        """One balance; zero for an account without any transfer."""
        row = self.connection.execute(_BALANCE, {"name": str(account)}).first()
        return NOTHING if row is None else Balance(*row[1:])

    def winnings_held(self, player: str) -> int:
        """What a player won in rounds that go on, and has not staked there again."""
        return self.balance(Account(Kind.HELD, player)).pending_credits

    # --- logs outside the journal ---------------------------------------------------------------------------------

    def lock_log(self, log: str) -> tuple[int, str]:
        """The number and hash of the last row of a log outside the journal, locked for this transaction."""
        new_row = {"log": log, "number": 0, "hash": GENESIS}
        self.connection.execute(self._insert(schema.logs).on_conflict_do_nothing(), new_row)
        row = self.connection.execute(_HOLD_LOG, {"name": log}).one()
        return row.number, row.hash

    def move_log(self, log: str, number: int, last_hash: str) -> None:
        """Writes the number and hash of a log's new last row."""
        self.connection.execute(_MOVE_LOG, {"name": log, "new_number": number, "new_hash": last_hash})

    def _insert(self, table: sa.Table) -> "postgresql.Insert | sqlite.Insert":
        """An insertion of the database's own dialect, which can ignore rows that exist already."""
        return postgresql.insert(table) if self.connection.dialect.name == "postgresql" else sqlite.insert(table)
