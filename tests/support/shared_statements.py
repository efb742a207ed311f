"""One cache of compiled SQL for all books of a test process.

SQLAlchemy compiles each statement once per engine. A service opens one book; here each test opens its own, and would
compile the same statements again.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.util import LRUCache


class _SharedStatements(LRUCache[Any, Any]):
    """Knows a dialect by its name: each engine has an object of its own, all made alike."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), value)


def share_statements() -> None:
    """From now on, every engine of this process uses the same cache."""
    shared = _SharedStatements(2_000)

    @event.listens_for(sa.Engine, "engine_connect")
    def use_shared(connection: sa.Connection) -> None:
        connection.engine._compiled_cache = shared
