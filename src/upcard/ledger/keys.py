"""Which of the operator's keys seals what is written now: the one in the last row of `keys`.

Every writer reads that row first. On PostgreSQL the read also locks the table, in the weakest way, until the writer is
done: a rotation takes the table for itself, so it waits for running transactions, and later ones see its key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.journal import GENESIS, canonical, row_hash
from upcard.ledger.keyring import Keyring, OperatorKey
from upcard.problems import BadRequest

_LAST = sa.select(schema.keys).order_by(schema.keys.c.number.desc()).limit(1)
_FIRST_HASH = "SELECT hash FROM keys WHERE number = 1"
# Asked by every transaction: as plain text.
_LAST_TEXT = f"SELECT number, id, ({_FIRST_HASH}) AS book FROM keys ORDER BY number DESC LIMIT 1"
BY_THE_PROGRAM = "upcard"  # who is named as the actor where nobody is


@dataclass(frozen=True, slots=True)
class SealingKey:
    """The key of a transaction, and its number in the book."""

    number: int
    key: OperatorKey
    book: str  # the hash of the first key's row, which tells one book from another

    def mac(self, text: str) -> str:
        """The seal of a row of this book: moved to another book of the same operator, it does not fit."""
        return self.key.mac(self.book + text)


def sealing_key(connection: sa.Connection, keyring: Keyring, at: str) -> SealingKey:
    """The key that seals now; a book without any begins with the newest of the keyring."""
    row = connection.exec_driver_sql(_LAST_TEXT).first()
    if row is None:
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        first = key_row(keyring.newest, None, None, at=at, actor=BY_THE_PROGRAM, heads={})
        connection.execute(insert(schema.keys).on_conflict_do_nothing(), first)
        row = connection.exec_driver_sql(_LAST_TEXT).one()
    key = keyring.find(row.id)
    if key is None:
        keyring.reread()
        key = keyring.find(row.id)
    if key is None:
        hint = "bring the newest key file here, or see docs/operating.md if that key is lost"
        raise BadRequest(f"this book is sealed with the operator's key {row.id}, which is not in this key file; {hint}")
    return SealingKey(row.number, key, row.book)


def book_id(connection: sa.Connection) -> str:
    """The hash of the first key's row, which tells one book from another; empty before the first writer."""
    return str(connection.exec_driver_sql(_FIRST_HASH).scalar() or "")


def last_row(connection: sa.Connection) -> dict[str, Any] | None:
    """The row of the key that seals now."""
    row = connection.execute(_LAST).first()
    return None if row is None else row._asdict()


def key_row(
    key: OperatorKey, last: Mapping[str, Any] | None, old: OperatorKey | None, *, at: str, actor: str, heads: object
) -> dict[str, Any]:
    """The row of a new key after the last one, sealed by itself and by the key before it, unless that one is lost."""
    row: dict[str, Any] = {
        "number": 1 if last is None else last["number"] + 1,
        "format": formats.FORMAT,
        "id": key.id,
        "public_key": key.public_key,
        "at": at,
        "actor": actor,
        "previous_id": None if last is None else last["id"],
        "heads": canonical(heads),
    }
    new_hash = row_hash(GENESIS if last is None else last["hash"], row)
    seals = {
        "mac_by_previous": None if old is None else old.mac(new_hash),
        "mac_by_new": key.mac(new_hash),
        "signature_by_previous": None if old is None else old.sign(new_hash),
    }
    return {**row, "hash": new_hash, **seals}
