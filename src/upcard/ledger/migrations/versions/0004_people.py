"""People: who they are, who is signed in, what waits for a second person, and the log of it all."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

TABLES = ("people", "invitations", "sessions", "tickets", "tries", "approvals", "people_log")
INDEXES = (
    ("sessions", "person"),
    ("sessions", "created"),
    ("tickets", "session"),
    ("tickets", "expires"),
    ("tries", "last"),
    ("approvals", "expires"),
    ("people_log", "about", "number"),
)


def _text(name: str, length: int, *, key: bool = False, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), primary_key=key, nullable=optional)


def _long(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=optional)


def upgrade() -> None:
    """Adds the tables; the log is guarded like the journal."""
    op.create_table(
        "people",
        _text("key", 200, key=True),
        _text("name", 80),
        _text("roles", 200),
        _text("password", 200, optional=True),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        _long("codes", optional=True),
        _long("codes_offered", optional=True),
        sa.Column("last_step", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "invitations",
        _text("key", 200, key=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        _text("name", 80),
        _text("roles", 200),
        _text("expires", 40),
    )
    op.create_table(
        "sessions",
        _text("id", 64, key=True),
        _text("person", 200),
        _text("created", 40),
        _text("seen", 40),
        _text("stepped_up", 40, optional=True),
    )
    op.create_table(
        "tickets",
        _text("id", 64, key=True),
        _text("session", 64),
        _text("purpose", 200),
        _text("expires", 40),
    )
    op.create_table(
        "tries",
        _text("id", 64, key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
        _text("last", 40),
        _text("wait_until", 40),
    )
    op.create_table(
        "approvals",
        _text("id", 64, key=True),
        _long("what"),
        _text("role", 20),
        _text("asked_by", 200),
        _text("asked", 40),
        _text("expires", 40),
        _text("given_by", 200, optional=True),
        _text("given", 40, optional=True),
        _text("used", 40, optional=True),
    )
    op.create_table(
        "people_log",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        _text("at", 40),
        _text("who", 80),
        _text("what", 40),
        _text("about", 80),
        _long("before"),
        _long("after"),
    )
    for table, *columns in INDEXES:
        op.create_index(f"{table}_{columns[0]}", table, columns)
    _guard()


def downgrade() -> None:
    """Takes the tables away with all they tell."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _guard() -> None:
    if op.get_bind().dialect.name == "postgresql":
        action = "FOR EACH ROW EXECUTE FUNCTION records_only_grow()"  # 0003 made it
    else:
        action = "BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END"
    for change in ("UPDATE", "DELETE"):
        op.execute(f"CREATE TRIGGER people_log_no_{change.lower()} BEFORE {change} ON people_log {action}")
