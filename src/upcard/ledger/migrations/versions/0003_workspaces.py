"""The files of the house's catalog: each set of files once, under the hash of its text."""

import sqlalchemy as sa
from alembic import op

from upcard.ledger.migrations.append_only_triggers import forbid_changes, forbid_replacing

revision = "1.0003"
down_revision = "1.0002"


def upgrade() -> None:
    """Adds the table of workspaces, which only grows."""
    op.create_table(
        "workspaces",
        sa.Column("hash", sa.String(64), primary_key=True, nullable=False),
        sa.Column("format", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    forbid_changes(op.get_bind(), "workspaces")
    forbid_replacing(op.get_bind(), "workspaces", ("hash",))


def downgrade() -> None:
    """Forgets every published file."""
    op.drop_table("workspaces")
