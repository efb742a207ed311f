"""Stored rules: each ruleset once, under the hash of its text. Rows are only added."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard import formats
from upcard.catalog.ruleset import Ruleset, hash_of, read_ruleset
from upcard.ledger import schema

_RULES = schema.rules
_FIND = sa.select(_RULES.c.text).where(_RULES.c.hash == sa.bindparam("hash"))

_KNOWN: dict[str, Ruleset] = {}  # a hash says all, so what was read once holds for every book


def find(connection: sa.Connection, name: str) -> Ruleset | None:
    """The rules of this hash; None: this book does not have them. ValueError where the text was changed."""
    known = _KNOWN.get(name)
    if known is not None:
        return known
    row = connection.execute(_FIND, {"hash": name}).first()
    if row is None:
        return None
    if hash_of(row.text) != name:
        raise ValueError(f"the stored rules {name[:12]} were changed")
    _KNOWN[name] = read_ruleset(row.text)
    return _KNOWN[name]


def keep(connection: sa.Connection, rules: Ruleset) -> None:
    """Stores rules, unless they are stored already."""
    found = connection.execute(sa.select(_RULES.c.hash).where(_RULES.c.hash == rules.hash)).first()
    if found is None:
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        row = {"hash": rules.hash, "format": formats.FORMAT, "text": rules.text}
        connection.execute(insert(_RULES).on_conflict_do_nothing(), row)
