"""Migrations of the book's tables, run by the program itself: nobody needs an alembic.ini."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config


def upgrade(engine: sa.Engine, to: str = "head") -> None:
    """Brings a book to a form, the newest by default; an empty database becomes a book."""
    with engine.begin() as connection:
        command.upgrade(_config(connection), to)


def downgrade(engine: sa.Engine, to: str) -> None:
    """Brings a book back to an older form."""
    with engine.begin() as connection:
        command.downgrade(_config(connection), to)


def head() -> str | None:
    """The newest form there is."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_config(None)).get_current_head()


def _config(connection: sa.Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config
