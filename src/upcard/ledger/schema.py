"""The tables of the store. `entries`, `transfers` and `movements` are the journal; they, `rules`, `workspaces` and
`keys` are append-only. `chains` and `balances` follow from the journal and are stored for speed: `upcard ledger check`
computes them again and compares.

A chained row has a `hash` over all its columns and the hash of the row before it, which anybody can verify. It also has
a seal in `mac`, over the book's id and that hash, which only a holder of the operator's key can make; `key` is the
number of that key in `keys`.
"""

from collections.abc import Mapping

import sqlalchemy as sa

Cell = str | int | None  # a value of a column of any table; a bool is an int too
Row = Mapping[str, Cell]  # a row of any table, as it is hashed, written and read

HEAD = "1.0003"  # the newest migration, so that a book can be opened without loading Alembic

metadata = sa.MetaData()

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("chain", sa.String(200), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("command", sa.String(200), nullable=False),
    sa.Column("part", sa.Integer, nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("day", sa.String(10), nullable=False),
    sa.Column("actor", sa.String(200), nullable=False),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
    sa.UniqueConstraint("command", "part", name="entries_command"),
)

transfers = sa.Table(
    "transfers",
    metadata,
    sa.Column("id", sa.String(240), primary_key=True),
    sa.Column("chain", sa.String(200), nullable=False),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("debit", sa.String(200), nullable=False),
    sa.Column("credit", sa.String(200), nullable=False),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Column("reason", sa.String(40), nullable=False),
    sa.Column("phase", sa.String(10), nullable=False),
    sa.Column("resolves", sa.String(240)),
    sa.Column("corrects", sa.String(240)),
    sa.UniqueConstraint("chain", "number", "position", name="transfers_place"),
    sa.UniqueConstraint("resolves", name="transfers_resolved_once"),
    sa.CheckConstraint("amount > 0", name="transfers_amount"),
)

movements = sa.Table(
    "movements",
    metadata,
    sa.Column("chain", sa.String(200), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("meter", sa.String(200), nullable=False),
    sa.Column("reason", sa.String(40), nullable=False),
    sa.Column("before", sa.BigInteger, nullable=False),
    sa.Column("after", sa.BigInteger, nullable=False),
    sa.Column("carry", sa.String(80), nullable=False),
)

chains = sa.Table(
    "chains",
    metadata,
    sa.Column("chain", sa.String(200), primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("state", sa.Text, nullable=False),
)

balances = sa.Table(
    "balances",
    metadata,
    sa.Column("account", sa.String(200), primary_key=True),
    sa.Column("debits", sa.BigInteger, nullable=False),
    sa.Column("credits", sa.BigInteger, nullable=False),
    sa.Column("pending_debits", sa.BigInteger, nullable=False),
    sa.Column("pending_credits", sa.BigInteger, nullable=False),
)

rules = sa.Table(
    "rules",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),  # SHA-256 of the text
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)

workspaces = sa.Table(  # the files of revisions of the house's catalog, published or waiting for a second person
    "workspaces",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),  # SHA-256 of the text
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("id", sa.String(32), nullable=False, unique=True),
    sa.Column("public_key", sa.String(64), nullable=False),  # Ed25519
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("actor", sa.String(200), nullable=False),
    sa.Column("previous_id", sa.String(32)),  # the id of the key before; the first has none
    sa.Column("heads", sa.Text, nullable=False),  # of all chains: later rows are sealed with this key
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("mac_by_previous", sa.String(32)),
    sa.Column("mac_by_new", sa.String(32), nullable=False),
    sa.Column("signature_by_previous", sa.String(128)),  # Ed25519: with an old public key, anybody can verify the next
)

logs = sa.Table(  # the heads of hash-chained logs outside the journal
    "logs",
    metadata,
    sa.Column("log", sa.String(40), primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
)

sa.Index("transfers_debit", transfers.c.debit)
sa.Index("transfers_credit", transfers.c.credit)
sa.Index("transfers_corrects", transfers.c.corrects)
sa.Index("entries_day", entries.c.day)

JOURNAL = (entries, transfers, movements)
APPEND_ONLY = (*JOURNAL, rules, workspaces, keys)
