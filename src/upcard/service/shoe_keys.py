"""The keys of shoes in one transaction: drawn and encrypted, or read; a lost key is never replaced.

A shoe's key is stored encrypted with the operator's key until the shoe is finished: somebody with the database but
without that key learns nothing about a shoe in play.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import sqlalchemy as sa

from upcard.cards.shoe import KEY_BYTES, commitment
from upcard.problems import BadRequest
from upcard.service import schema
from upcard.service.new_rows import NewRows
from upcard.service.pending import Context
from upcard.service.refusals import RecordBroken, RecordProblem

_SHOE = sa.select(schema.shoes).where(
    schema.shoes.c.table_name == sa.bindparam("name"), schema.shoes.c.number == sa.bindparam("number")
)

_LAST_SHOES = sa.select(
    sa.func.max(schema.shoes.c.number).filter(schema.shoes.c.rules.is_not(None)), sa.func.max(schema.shoes.c.number)
).where(schema.shoes.c.table_name == sa.bindparam("name"))


@dataclass
class ShoeKeys:
    """The shoe keys that this transaction has used."""

    context: Context
    connection: sa.Connection
    rows: NewRows
    known: dict[tuple[str, int], bytes] = field(default_factory=dict)  # by table and number

    @property
    def stored(self) -> "KeyReader":
        """Keys and commitments of shoes that records mention; raises RecordBroken if one is missing."""
        return KeyReader(self._stored, self._stored_commitment)

    def __call__(self, table: str, number: int, /) -> bytes:
        """A shoe's key: cached, decrypted from the database, or drawn now."""
        key = self._find(table, number)
        if key is None:
            key = self.known[table, number] = self.context.entropy(KEY_BYTES)
            encrypted = self.context.keyring.encrypt(key, shoe_owner(table, number))
            self.rows.add_shoe(table, number, commitment=commitment(key), encrypted_key=encrypted)
        return key

    def commitment(self, table: str, number: int, /) -> str:
        return commitment(self(table, number))

    def _stored(self, table: str, number: int) -> bytes:
        key = self._find(table, number)
        if key is None:
            raise RecordBroken(RecordProblem.SHOE_KEY_MISSING, shoe=number)
        return key

    def _stored_commitment(self, table: str, number: int) -> str:
        row = self.connection.execute(_SHOE, {"name": table, "number": number}).first()
        if row is None:
            raise RecordBroken(RecordProblem.SHOE_KEY_MISSING, shoe=number)
        return str(row.commitment)

    def _find(self, table: str, number: int) -> bytes | None:
        if (table, number) in self.known:
            return self.known[table, number]
        last = self.context.cache.keys.get(table)
        if last is not None and last[0] == number:
            return last[1]
        row = self.connection.execute(_SHOE, {"name": table, "number": number}).first()
        if row is None:
            return None
        try:
            key = (
                bytes.fromhex(row.key)
                if row.key
                else self.context.keyring.decrypt(row.encrypted_key, shoe_owner(table, number))
            )
        except BadRequest:
            raise RecordBroken(RecordProblem.SHOE_KEY_UNREADABLE, shoe=number) from None
        self.known[table, number] = key
        return key

    def last_numbers(self, table: str) -> dict[str, int]:
        """The numbers of the last shoe that began at a table, and of the last one committed to or promised."""
        begun, last = self.connection.execute(_LAST_SHOES, {"name": table}).one()
        return {"shoe": begun or 0, "promised": last or 0}

    def remember(self) -> None:
        """After the commit, caches the last key of each table."""
        for (table, number), key in sorted(self.known.items()):
            self.context.cache.keys[table] = (number, key)


@dataclass(frozen=True, slots=True)
class KeyReader:
    """Keys of shoes, and their commitments."""

    key: Callable[[str, int], bytes]
    commitment: Callable[[str, int], str]

    def __call__(self, table: str, number: int, /) -> bytes:
        return self.key(table, number)


def shoe_owner(table: str, number: int) -> str:
    """The associated data of the encryption, so that a key cannot be moved to another shoe."""
    return f"shoe {number} of {table}"
