"""The tables of the store. `entries`, `transfers` and `movements` are the journal and only grow; the rest follows from
them and is kept beside them for speed: `upcard ledger check` makes it again and compares.
"""

import sqlalchemy as sa

HEAD = "0004"  # the newest migration, so that a book can be opened without loading Alembic

metadata = sa.MetaData()

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("chain", sa.String(200), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("command", sa.String(200), nullable=False),
    sa.Column("part", sa.Integer, nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("day", sa.String(10), nullable=False),
    sa.Column("actor", sa.String(200), nullable=False),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("previous", sa.String(64), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
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

sa.Index("transfers_debit", transfers.c.debit)
sa.Index("transfers_credit", transfers.c.credit)
sa.Index("transfers_corrects", transfers.c.corrects)
sa.Index("entries_day", entries.c.day)

JOURNAL = (entries, transfers, movements)
