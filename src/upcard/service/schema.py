"""The service's database tables. `history`, `refusals`, `rounds` and `player_rounds` are append-only.

A stream is a table (`table:T1`) or the house. Writers lock its row, so that each stream has one serial order.
"""

import sqlalchemy as sa

metadata = sa.MetaData()

streams = sa.Table(
    "streams",
    metadata,
    sa.Column("stream", sa.String(200), primary_key=True),
    sa.Column("version", sa.BigInteger, nullable=False),  # the number of its last record
    sa.Column("hash", sa.String(64), nullable=False),  # of its last record
    sa.Column("snapshot", sa.Text, nullable=False),  # the table between two shoes; empty if there is none yet
    sa.Column("snapshot_version", sa.BigInteger, nullable=False),
    sa.Column("due", sa.String(40)),  # when its next timer is due
    sa.Column("refusals", sa.BigInteger, nullable=False),  # how many there are
    sa.Column("refusals_hash", sa.String(64), nullable=False),  # of the last refusal
)

history = sa.Table(
    "history",
    metadata,
    sa.Column("stream", sa.String(200), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("id", sa.String(200), nullable=False, unique=True),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("day", sa.String(10), nullable=False),
    sa.Column("actor", sa.String(200), nullable=False),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("command", sa.Text, nullable=False),
    sa.Column("events", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("rules", sa.String(64)),  # the hash of the rules it was played by
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

refusals = sa.Table(
    "refusals",
    metadata,
    sa.Column("id", sa.String(200), primary_key=True),
    sa.Column("stream", sa.String(200), nullable=False),
    sa.Column(
        "chain", sa.String(200), nullable=False
    ),  # its stream, or one chain for all streams that do not exist yet
    sa.Column("number", sa.BigInteger, nullable=False),  # in that chain
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("actor", sa.String(200), nullable=False),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("command", sa.Text, nullable=False),
    sa.Column("code", sa.String(60), nullable=False),
    sa.Column("details", sa.Text, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
    sa.UniqueConstraint("chain", "number", name="refusals_place"),
)

shoes = sa.Table(
    "shoes",
    metadata,
    sa.Column("table_name", sa.String(200), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("commitment", sa.String(64), nullable=False),
    sa.Column("encrypted_key", sa.Text, nullable=False),  # encrypted with the operator's key
    sa.Column("key", sa.String(64)),  # in plain text, once the shoe is finished
    sa.Column("rules", sa.String(64)),  # the hash of the rules it is dealt by
)

rounds = sa.Table(
    "rounds",
    metadata,
    sa.Column("table_name", sa.String(200), primary_key=True),
    sa.Column("round", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("shoe", sa.BigInteger, nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("day", sa.String(10), nullable=False),
    sa.Column("first", sa.BigInteger, nullable=False),  # its first and last record
    sa.Column("last", sa.BigInteger, nullable=False),
    sa.Column("rules", sa.String(64), nullable=False),  # the hash of the rules it was played by
    sa.Column("void", sa.Text),  # why it was void
    sa.Column("slips", sa.Text, nullable=False),
)

player_rounds = sa.Table(
    "player_rounds",
    metadata,
    sa.Column("player", sa.String(200), primary_key=True),
    sa.Column("at", sa.String(40), primary_key=True),
    sa.Column("table_name", sa.String(200), primary_key=True),
    sa.Column("round", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("staked", sa.BigInteger, nullable=False),
    sa.Column("returned", sa.BigInteger, nullable=False),  # including winnings
)

sa.Index("streams_due", streams.c.due)
sa.Index("refusals_at", refusals.c.stream, refusals.c.at)

APPEND_ONLY = (history, refusals, rounds, player_rounds)
