"""Each chain keeps its own clock beside its head, and statements find their rows by index."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

INDEXES = (
    ("transfers_debit", "transfers", "debit"),
    ("transfers_credit", "transfers", "credit"),
    ("transfers_corrects", "transfers", "corrects"),
    ("entries_day", "entries", "day"),
)


def upgrade() -> None:
    """Adds the clocks, set to each chain's last entry."""
    with op.batch_alter_table("chains") as chains:
        chains.add_column(sa.Column("at", sa.String(40), nullable=False, server_default=""))
    op.execute(
        "UPDATE chains SET at = COALESCE("
        "(SELECT MAX(entries.at) FROM entries WHERE entries.chain = chains.chain), '0001-01-01T00:00:00.000000Z')"
    )
    with op.batch_alter_table("chains") as chains:
        chains.alter_column("at", server_default=None)
    for name, table, column in INDEXES:
        op.create_index(name, table, [column])


def downgrade() -> None:
    """The clocks follow from the entries, so nothing is lost."""
    for name, table, _ in INDEXES:
        op.drop_index(name, table)
    with op.batch_alter_table("chains") as chains:
        chains.drop_column("at")
