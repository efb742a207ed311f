"""Format 1: the book, the histories of its tables and its people, with hash chains and the keys that seal them."""

import sqlalchemy as sa
from alembic import op

from upcard.ledger.migrations.append_only_triggers import add_triggers, drop_triggers

revision = "1.0001"
down_revision = None

INDEXES = (
    ("transfers_debit", "transfers", "debit"),
    ("transfers_credit", "transfers", "credit"),
    ("transfers_corrects", "transfers", "corrects"),
    ("entries_day", "entries", "day"),
    ("streams_due", "streams", "due"),
    ("refusals_at", "refusals", "stream", "at"),
    ("sessions_person", "sessions", "person"),
    ("sessions_created", "sessions", "created"),
    ("tickets_session", "tickets", "session"),
    ("tickets_expires", "tickets", "expires"),
    ("sign_in_attempts_last", "sign_in_attempts", "last"),
    ("approvals_expires_at", "approvals", "expires_at"),
    ("people_log_subject", "people_log", "subject", "number"),
)
TABLES = (
    "entries",
    "transfers",
    "movements",
    "chains",
    "balances",
    "rules",
    "keys",
    "logs",
    "streams",
    "history",
    "refusals",
    "shoes",
    "rounds",
    "player_rounds",
    "people",
    "invitations",
    "sessions",
    "tickets",
    "sign_in_attempts",
    "approvals",
    "people_log",
)


def _text(name: str, length: int, *, key: bool = False, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), primary_key=key, nullable=optional)


def _long(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=optional)


def _number(name: str, *, key: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, primary_key=key, nullable=False, autoincrement=False)


def _small(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _seal() -> tuple[sa.Column[int], sa.Column[str]]:
    return _small("key"), _text("mac", 32)


def _chained() -> tuple[sa.Column[str], sa.Column[int], sa.Column[str]]:
    return _text("hash", 64), *_seal()


def upgrade() -> None:
    """Makes the tables; written out, since later forms of the schema must not change what this one was."""
    _book()
    _tables()
    _people()
    for name, table, *columns in INDEXES:
        op.create_index(name, table, columns)
    add_triggers(op.get_bind())


def _book() -> None:
    op.create_table(
        "entries",
        _text("chain", 200, key=True),
        _number("number", key=True),
        _small("format"),
        _text("command", 200),
        _small("part"),
        _text("at", 40),
        _text("day", 10),
        _text("actor", 200),
        _long("request"),
        _long("answer"),
        *_chained(),
        sa.UniqueConstraint("command", "part", name="entries_command"),
    )
    op.create_table(
        "transfers",
        _text("id", 240, key=True),
        _text("chain", 200),
        _number("number"),
        _small("position"),
        _text("debit", 200),
        _text("credit", 200),
        _number("amount"),
        _text("reason", 40),
        _text("phase", 10),
        _text("resolves", 240, optional=True),
        _text("corrects", 240, optional=True),
        sa.UniqueConstraint("chain", "number", "position", name="transfers_place"),
        sa.UniqueConstraint("resolves", name="transfers_resolved_once"),
        sa.CheckConstraint("amount > 0", name="transfers_amount"),
    )
    op.create_table(
        "movements",
        _text("chain", 200, key=True),
        _number("number", key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        _text("meter", 200),
        _text("reason", 40),
        _number("before"),
        _number("after"),
        _text("carry", 80),
    )
    op.create_table(
        "chains",
        _text("chain", 200, key=True),
        _number("number"),
        _small("format"),
        _text("hash", 64),
        _text("at", 40),
        _long("state"),
    )
    op.create_table(
        "balances",
        _text("account", 200, key=True),
        _number("debits"),
        _number("credits"),
        _number("pending_debits"),
        _number("pending_credits"),
    )
    op.create_table("rules", _text("hash", 64, key=True), _small("format"), _long("text"))
    op.create_table(
        "keys",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        _small("format"),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        _text("public_key", 64),
        _text("at", 40),
        _text("actor", 200),
        _text("previous_id", 32, optional=True),
        _long("heads"),
        _text("hash", 64),
        _text("mac_by_previous", 32, optional=True),
        _text("mac_by_new", 32),
        _text("signature_by_previous", 128, optional=True),
    )
    op.create_table("logs", _text("log", 40, key=True), _number("number"), _text("hash", 64))


def _tables() -> None:
    op.create_table(
        "streams",
        _text("stream", 200, key=True),
        _number("version"),
        _text("hash", 64),
        _long("snapshot"),
        _number("snapshot_version"),
        _text("due", 40, optional=True),
        _number("refusals"),
        _text("refusals_hash", 64),
    )
    op.create_table(
        "history",
        _text("stream", 200, key=True),
        _number("number", key=True),
        _small("format"),
        sa.Column("id", sa.String(200), nullable=False, unique=True),
        _text("at", 40),
        _text("day", 10),
        _text("actor", 200),
        _text("role", 20),
        _long("command"),
        _long("events"),
        _long("answer"),
        _text("rules", 64, optional=True),
        *_chained(),
    )
    op.create_table(
        "refusals",
        _text("id", 200, key=True),
        _text("stream", 200),
        _text("chain", 200),
        _number("number"),
        _small("format"),
        _text("at", 40),
        _text("actor", 200),
        _text("role", 20),
        _long("command"),
        _text("code", 60),
        _long("details"),
        *_chained(),
        sa.UniqueConstraint("chain", "number", name="refusals_place"),
    )
    op.create_table(
        "shoes",
        _text("table_name", 200, key=True),
        _number("number", key=True),
        _text("commitment", 64),
        _long("encrypted_key"),
        _text("key", 64, optional=True),
        _text("rules", 64, optional=True),
    )
    op.create_table(
        "rounds",
        _text("table_name", 200, key=True),
        _number("round", key=True),
        _small("format"),
        _number("shoe"),
        _text("at", 40),
        _text("day", 10),
        _number("first"),
        _number("last"),
        _text("rules", 64),
        _long("void", optional=True),
        _long("slips"),
    )
    op.create_table(
        "player_rounds",
        _text("player", 200, key=True),
        _text("at", 40, key=True),
        _text("table_name", 200, key=True),
        _number("round", key=True),
        _number("staked"),
        _number("returned"),
    )


def _people() -> None:
    op.create_table(
        "people",
        _text("name_key", 200, key=True),
        _text("name", 80),
        _text("roles", 200),
        _text("password", 200, optional=True),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        _long("totp_secret", optional=True),
        _long("totp_secret_offered", optional=True),
        _number("totp_last_step"),
        *_seal(),
    )
    op.create_table(
        "invitations",
        _text("name_key", 200, key=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        _text("name", 80),
        _text("roles", 200),
        _text("expires", 40),
        *_seal(),
    )
    op.create_table(
        "sessions",
        _text("id", 64, key=True),
        _text("person", 200),
        _text("created", 40),
        _text("seen", 40),
        _text("confirmed_at", 40, optional=True),
        *_seal(),
    )
    op.create_table(
        "tickets",
        _text("id", 64, key=True),
        _text("session", 64),
        _text("purpose", 200),
        _text("expires", 40),
        *_seal(),
    )
    op.create_table(
        "sign_in_attempts",
        _text("id", 64, key=True),
        _number("count"),
        _text("last", 40),
        _text("wait_until", 40),
        *_seal(),
    )
    op.create_table(
        "approvals",
        _text("id", 64, key=True),
        _small("format"),
        _long("payload"),
        _text("role", 20),
        _text("requested_by", 200),
        _text("requested_at", 40),
        _text("expires_at", 40),
        _text("approved_by", 200, optional=True),
        _text("approved_at", 40, optional=True),
        _text("used_at", 40, optional=True),
        *_seal(),
    )
    op.create_table(
        "people_log",
        _number("number", key=True),
        _small("format"),
        _text("at", 40),
        _text("actor", 80),
        _text("action", 40),
        _text("subject", 80),
        _long("before"),
        _long("after"),
        *_chained(),
    )


def downgrade() -> None:
    """Leaves nothing."""
    drop_triggers(op.get_bind())
    for table in reversed(TABLES):
        op.drop_table(table)
