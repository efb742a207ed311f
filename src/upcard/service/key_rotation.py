"""Rotates the operator's key: adds a new key to the key file, sealed by the old one; it seals everything from now on.

Rows of chains keep their old seals; the new key's row records where each chain stood. Rows that can change (people,
sessions, approvals) are sealed again with the new key, so that the retired key is not needed for them.
"""

from datetime import datetime

import sqlalchemy as sa

from upcard.ledger import schema
from upcard.ledger.journal import instant_text
from upcard.ledger.sealing_key import KeyRow, book_id, key_row, last_row
from upcard.ledger.store import Store
from upcard.ledger.unit import Unit
from upcard.people.register import reseal_people
from upcard.problems import BadRequest
from upcard.service.checkpoint import heads_of


def rotate_key(store: Store, at: datetime, actor: str, *, lost: bool = False) -> KeyRow:
    """Puts a new key into use and returns its row. With `lost`, the old key is not available to seal the new one."""
    keyring = store.keyring
    if keyring is None:
        raise BadRequest("rotating the key needs the operator's key file")
    with store.exclusive() as connection:
        keyring.reread()  # another process may have rotated it meanwhile
        last = last_row(connection)
        if last is None:
            raise BadRequest("this book is still empty; it will start with the newest key of the key file")
        old = keyring.find(last["id"])
        if old is None and not lost:
            hint = "use the newest key file; only if that key is lost for good, use --lost"
            raise BadRequest(f"the key {last['id']} that seals this book is not in this key file; {hint}")
        if old is not None and lost:
            raise BadRequest(f"the key {last['id']} that seals this book is in this key file; rotate without --lost")
        used = set(connection.scalars(sa.select(schema.keys.c.id)))
        new = keyring.add() if keyring.newest.id in used else keyring.newest
        heads = heads_of(Unit(connection))
        row = key_row(new, last, old, at=instant_text(at), actor=actor, heads=heads)
        connection.execute(sa.insert(schema.keys), row)
        book = book_id(connection)
        reseal_people(
            Unit(connection, book, row["number"], new.mac_of(book)),
            at,
            None if lost else keyring,
            actor=actor,
            action="key-replaced" if lost else "key-rotated",
            keys=(last["id"], new.id),
        )
    return row
