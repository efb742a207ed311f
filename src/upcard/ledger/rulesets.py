"""Stored rulesets: each once, under the hash of its text. Rows are only added."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from upcard.catalog.ruleset import Ruleset, hash_of, read_ruleset
from upcard.ledger import schema

_RULES = schema.rules
_FIND = sa.select(_RULES.c.text).where(_RULES.c.hash == sa.bindparam("hash"))

_CACHE: dict[str, Ruleset] = {}  # shared by all books: the same hash is the same rules


def find(connection: sa.Connection, hash_: str) -> Ruleset | None:
    """The rules with this hash; None: this book does not have them. ValueError where the text was changed."""
    cached = _CACHE.get(hash_)
    if cached is not None:
        return cached
    row = connection.execute(_FIND, {"hash": hash_}).first()
    if row is None:
        return None
    if hash_of(row.text) != hash_:
        raise ValueError(f"the stored rules {hash_[:12]} were changed")
    _CACHE[hash_] = read_ruleset(row.text)
    return _CACHE[hash_]


def keep(connection: sa.Connection, rules: Ruleset) -> None:
    """Stores rules, unless they are stored already."""
    stored = connection.execute(sa.select(_RULES.c.hash).where(_RULES.c.hash == rules.hash)).first()
    if stored is None:
        insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        row = {"hash": rules.hash, "format": rules.format, "text": rules.text}
        connection.execute(insert(_RULES).on_conflict_do_nothing(), row)
