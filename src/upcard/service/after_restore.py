"""Notices at the start that the book was restored, and makes it ready for play: open rounds are void, every table gets
a new shoe, every session ends. In the records that are gone, players saw cards of the old shoes.

A copy made by `upcard backup` says that it is one. Anything else is noticed by the host's high-water mark.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import sqlalchemy as sa

from upcard.ledger.book_file import COPY
from upcard.ledger.store import Store, is_server
from upcard.people.person import CLOCK
from upcard.problems import UpcardError
from upcard.service import commands as s
from upcard.service.high_water import HighWaterMark, heads_of
from upcard.service.rules_in_force import RESTORED, program_id

if TYPE_CHECKING:
    from upcard.service.running import Service

_log = logging.getLogger(__name__)

_LOCK = 5_285_102  # of PostgreSQL, while a process that starts looks at the book


def prepare_restored_book(service: "Service", mark: HighWaterMark) -> None:
    """Before anybody plays: renews a restored book, and sets the mark to it."""
    store, people = service.desk.store, service.people(clock=None, cost=None)
    with _starting_alone(store):
        with store.view() as unit:
            is_copy = _is_copy(store, unit.connection)
            went_back = mark.is_ahead_of(unit)
        restores = people.restores()
        if is_copy or (went_back and restores <= mark.restores):  # otherwise another host has renewed it
            _renew(service)
            restores += 1
        with store.view() as unit:
            mark.adopt(heads_of(unit), restores)


def _renew(service: "Service") -> None:
    """It is repeated after a crash: the last step makes the book one that was not restored."""
    _log.warning("the book was restored: rounds are void, every table gets a new shoe, everybody signs in again")
    desk = service.desk
    for table in service.queries.tables():
        try:
            version = desk.live(table).version
            renewal = program_id(RESTORED, table, str(version))
            desk.do(s.RenewShoe(table=table), id=renewal, actor=CLOCK, role=CLOCK)
        except UpcardError as error:  # stopped: a reset brings a new shoe
            _log.warning("%s was not renewed: %s", table, error)
    service.people(clock=None, cost=None).end_after_restore()
    if not is_server(desk.store.address):
        with desk.store.exclusive() as connection:
            connection.exec_driver_sql("PRAGMA user_version=0")


def _is_copy(store: Store, connection: sa.Connection) -> bool:
    return not is_server(store.address) and connection.exec_driver_sql("PRAGMA user_version").scalar() == COPY


@contextmanager
def _starting_alone(store: Store) -> Iterator[None]:
    """Processes that start at the same time look at the book one after the other."""
    if not is_server(store.address):
        yield
        return
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_LOCK})")
        try:
            yield
        finally:
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")
