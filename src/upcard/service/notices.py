"""Notices between processes on one PostgreSQL: which tables have moved. A notice carries names only, never events."""

import json
from collections.abc import Iterator, Sequence

import sqlalchemy as sa

CHANNEL = "upcard"
_MOST_BYTES = 7000  # of a notice; PostgreSQL takes 8000
_NOTIFY = sa.text("SELECT pg_notify(:channel, :told)")


def send_notices(connection: sa.Connection, process: str, tables: Sequence[str]) -> None:
    """With the commit, other processes hear of these tables."""
    for told in _notices(process, tables):
        connection.execute(_NOTIFY, {"channel": CHANNEL, "told": told})


def read_notice(told: str) -> tuple[str, list[str]]:
    """Who sent a notice, and of which tables; nobody and none where it is not one of ours."""
    try:
        process, tables = json.loads(told)
        return str(process), [str(table) for table in tables]
    except (ValueError, TypeError):
        return "", []


def _notices(process: str, tables: Sequence[str]) -> Iterator[str]:
    part: list[str] = []
    size = 0
    for table in tables:
        if part and size + len(table.encode()) + 8 > _MOST_BYTES:
            yield json.dumps([process, part])
            part, size = [], 0
        part.append(table)
        size += len(json.dumps(table)) + 2
    if part:
        yield json.dumps([process, part])
