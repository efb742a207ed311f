"""Which of the operator's keys seals what is written now: the one in the last row of the table `keys`.

Every writer reads that row first. On PostgreSQL the read also takes the weakest lock on the table until the writer is
done. A key rotation locks the whole table, so it waits for running transactions, and later ones use its key.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypedDict, cast

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard import formats
from upcard.ledger import schema
from upcard.ledger.journal import GENESIS, canonical, new_row_hash
from upcard.ledger.keyring import Keyring, Mac, OperatorKey
from upcard.ledger.schema import Cell
from upcard.problems import BadRequest

_LAST = sa.select(schema.keys).order_by(schema.keys.c.number.desc()).limit(1)
_FIRST_HASH = "SELECT hash FROM keys WHERE number = 1"
# Plain text, because every transaction runs it.
LAST_KEY = f"SELECT number, id, ({_FIRST_HASH}) AS book FROM keys ORDER BY number DESC LIMIT 1"
BY_THE_PROGRAM = "upcard"  # the actor where no person is

Heads = Mapping[str, Mapping[str, tuple[int, str]]]  # of each log's chains: the number and hash of the last row


class SealingKey(NamedTuple):
    """The key that seals the rows of one transaction."""

    book: str  # the hash of the first key's row, which tells one book from another
    number: int  # of the key in the book
    mac: Mac  # seals rows of this book


class KeyRow(TypedDict):
    """A row of `keys`."""

    number: int
    format: int
    id: str
    public_key: str
    at: str
    actor: str
    previous_id: str | None
    heads: str
    hash: str
    mac_by_previous: str | None
    mac_by_new: str
    signature_by_previous: str | None


def sealing_key(connection: sa.Connection, keyring: Keyring, at: str) -> SealingKey:
    """The key that seals now; an empty book begins with the newest key of the key ring."""
    row = connection.exec_driver_sql(LAST_KEY).first()
    if row is None:
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        first = key_row(keyring.newest, None, None, at=at, actor=BY_THE_PROGRAM, heads={})
        connection.execute(insert(schema.keys).on_conflict_do_nothing(), first)
        row = connection.exec_driver_sql(LAST_KEY).one()
    key = keyring.find(row.id)
    if key is None:
        keyring.reread()
        key = keyring.find(row.id)
    if key is None:
        hint = "copy the newest key file to this machine, or see docs/operating.md if that key is lost"
        raise BadRequest(f"this book is sealed with the operator's key {row.id}, which is not in this key file; {hint}")
    return SealingKey(row.book, row.number, key.mac_of(row.book))


def book_id(connection: sa.Connection) -> str:
    """The hash of the first key's row, which tells one book from another; empty until something is written."""
    return str(connection.exec_driver_sql(_FIRST_HASH).scalar() or "")


def last_row(connection: sa.Connection) -> KeyRow | None:
    """The row of the key that seals now."""
    row = connection.execute(_LAST).first()
    return None if row is None else cast(KeyRow, row._asdict())


def key_row(
    key: OperatorKey, last: KeyRow | None, old: OperatorKey | None, *, at: str, actor: str, heads: Heads
) -> KeyRow:
    """The row of a new key after the last one, sealed by itself and by the key before it, unless that one is lost."""
    row: dict[str, Cell] = {
        "number": 1 if last is None else last["number"] + 1,
        "format": formats.FORMAT,
        "id": key.id,
        "public_key": key.public_key,
        "at": at,
        "actor": actor,
        "previous_id": None if last is None else last["id"],
        "heads": canonical(heads),
    }
    new_hash = new_row_hash(GENESIS if last is None else last["hash"], row)
    row |= {
        "hash": new_hash,
        "mac_by_previous": None if old is None else old.mac(new_hash),
        "mac_by_new": key.mac(new_hash),
        "signature_by_previous": None if old is None else old.sign(new_hash),
    }
    return cast(KeyRow, row)
