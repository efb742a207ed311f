"""Guards against two ways around the triggers of format 1: INSERT OR REPLACE on SQLite, TRUNCATE on PostgreSQL.

On SQLite a REPLACE deletes the old row without firing a trigger for DELETE, so an insertion that would replace a row is
refused, but for transfers: they are the most rows by far, have the most keys, and their entry's hash covers them. On
PostgreSQL a TRUNCATE fires no trigger of a row.
"""

from alembic import op

from upcard.ledger.migrations.append_only_triggers import forbid_replacing

revision = "1.0002"
down_revision = "1.0001"

# Every append-only table with the keys to look up: a row that shares one with a new row would be replaced by it.
KEYS = {
    "entries": ("chain number", "command part"),
    "transfers": (),
    "movements": ("chain number position",),
    "rules": ("hash",),
    "keys": ("number", "id"),
    "history": ("stream number", "id"),
    "refusals": ("id", "chain number"),
    "rounds": ("table_name round",),
    "player_rounds": ("player at table_name round",),
    "people_log": ("number",),
}


def upgrade() -> None:
    for table, keys in KEYS.items():
        forbid_replacing(op.get_bind(), table, keys)


def downgrade() -> None:
    on_a_server = op.get_bind().dialect.name == "postgresql"
    for table, keys in KEYS.items():
        if on_a_server:
            op.execute(f"DROP TRIGGER {table}_no_truncate ON {table}")
        elif keys:
            op.execute(f"DROP TRIGGER {table}_no_replace")
