"""The book: journal, chains and balances."""

import sqlalchemy as sa
from alembic import op

from upcard.ledger.migrations.guards import add_guards, drop_guards

revision = "0001"
down_revision = None

NAME, LONG, SEAL = sa.String(200), sa.String(240), sa.String(64)


def upgrade() -> None:
    """Makes the tables; written out, since later forms of the schema must not change what this one was."""
    op.create_table(
        "entries",
        sa.Column("chain", NAME, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("command", NAME, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("actor", NAME, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("previous", SEAL, nullable=False),
        sa.Column("hash", SEAL, nullable=False),
        sa.UniqueConstraint("command", "part", name="entries_command"),
    )
    op.create_table(
        "transfers",
        sa.Column("id", LONG, primary_key=True),
        sa.Column("chain", NAME, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("debit", NAME, nullable=False),
        sa.Column("credit", NAME, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("resolves", LONG),
        sa.Column("corrects", LONG),
        sa.UniqueConstraint("chain", "number", "position", name="transfers_place"),
        sa.UniqueConstraint("resolves", name="transfers_resolved_once"),
        sa.CheckConstraint("amount > 0", name="transfers_amount"),
    )
    op.create_table(
        "movements",
        sa.Column("chain", NAME, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("meter", NAME, nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("before", sa.BigInteger, nullable=False),
        sa.Column("after", sa.BigInteger, nullable=False),
        sa.Column("carry", sa.String(80), nullable=False),
    )
    op.create_table(
        "chains",
        sa.Column("chain", NAME, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("hash", SEAL, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
    )
    op.create_table(
        "balances",
        sa.Column("account", NAME, primary_key=True),
        sa.Column("debits", sa.BigInteger, nullable=False),
        sa.Column("credits", sa.BigInteger, nullable=False),
        sa.Column("pending_debits", sa.BigInteger, nullable=False),
        sa.Column("pending_credits", sa.BigInteger, nullable=False),
    )
    add_guards(op.get_bind())


def downgrade() -> None:
    """Leaves nothing."""
    drop_guards(op.get_bind())
    for table in ("balances", "chains", "movements", "transfers", "entries"):
        op.drop_table(table)
