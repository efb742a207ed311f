"""Live tables: their histories, refusals, shoes and rounds, beside the book."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

GROWING = ("history", "refused", "rounds", "player_rounds")


def _text(name: str, length: int, *, key: bool = False, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), primary_key=key, nullable=optional)


def _number(name: str, *, key: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, primary_key=key, nullable=False, autoincrement=False)


def _long(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=optional)


def upgrade() -> None:
    """Adds the tables; those that only grow are guarded like the journal."""
    op.create_table(
        "streams",
        _text("stream", 200, key=True),
        _number("version"),
        _text("seal", 64),
        _long("snapshot"),
        _number("snapshot_version"),
        _text("due", 40, optional=True),
    )
    op.create_table(
        "history",
        _text("stream", 200, key=True),
        _number("number", key=True),
        sa.Column("id", sa.String(200), nullable=False, unique=True),
        _text("at", 40),
        _text("day", 10),
        _text("actor", 200),
        _text("role", 20),
        _long("command"),
        _long("events"),
        _long("answer"),
        _text("seal", 64),
    )
    op.create_table(
        "refused",
        _text("id", 200, key=True),
        _text("stream", 200),
        _text("at", 40),
        _text("actor", 200),
        _text("role", 20),
        _long("command"),
        _text("reason", 60),
        _long("sentence"),
    )
    op.create_table(
        "shoes",
        _text("table_name", 200, key=True),
        _number("number", key=True),
        _text("commitment", 64),
        _long("sealed"),
        _text("key", 64, optional=True),
    )
    op.create_table(
        "rounds",
        _text("table_name", 200, key=True),
        _number("round", key=True),
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
        _number("back"),
    )
    op.create_index("streams_due", "streams", ["due"])
    op.create_index("refused_at", "refused", ["stream", "at"])
    _guard()


def downgrade() -> None:
    """Takes the tables away with all they tell."""
    for table in ("player_rounds", "rounds", "shoes", "refused", "history", "streams"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION records_only_grow()")


def _guard() -> None:
    if op.get_bind().dialect.name == "postgresql":
        action = "FOR EACH ROW EXECUTE FUNCTION records_only_grow()"
        op.execute(
            "CREATE FUNCTION records_only_grow() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the journal only grows'; END $$"
        )
    else:
        action = "BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END"
    for table in GROWING:
        for change in ("UPDATE", "DELETE"):
            op.execute(f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} {action}")
