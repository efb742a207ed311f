"""Alembic runs this file; the connection comes from `upgrade` or `downgrade`."""

from alembic import context

from upcard.ledger.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
