"""Sets up a new house by its plan: name, hours, tables, money for jackpots, and an invitation for everybody."""

import secrets
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from upcard.catalog.index import Catalog
from upcard.ledger.gaming_day import day_of
from upcard.ledger.jackpots.requests import Deposit
from upcard.ledger.journal import utc_now
from upcard.ledger.requests import SetHours
from upcard.ledger.store import Store, is_server, without_password
from upcard.people.people import OPERATOR, People
from upcard.problems import BadRequest, UpcardError
from upcard.service import commands as s
from upcard.service.house_plan import HousePlan
from upcard.service.running import Service, bootstrap, keyring_beside


def carry_out_plan(plan: HousePlan, catalog: Catalog, key: Path | None) -> Mapping[str, str]:
    """Sets up the house in a new book; returns the token of everybody's invitation, by name.

    If the book refuses a part of the plan, the new book is removed again, so that the plan can be mended. A database on
    a server is the operator's to make and to drop: they are told that it holds a part of the house."""
    address = plan.book
    made = [] if is_server(address) else _new_files(address, key)
    try:
        keyring = keyring_beside(address, key)
        with closing(Store.create(address, keyring)) as store:
            service = bootstrap(store, catalog=catalog)
            if service.queries.tables() or _people(store).people():
                raise BadRequest(f"{without_password(address)} is a house already: give a new book")
            try:
                tokens = {person.name: _people(store).invite_first(person.name, person.roles) for person in plan.people}
                _give_commands(service, plan)
            except UpcardError as refused:
                if is_server(address):
                    raise BadRequest(_half_made(refused, address)) from refused
                raise
            return tokens
    except BaseException:
        for file in made:
            file.unlink(missing_ok=True)
        raise


def _half_made(refused: UpcardError, address: str) -> str:
    return (
        f"{refused}; {without_password(address)} holds a part of the house now: mend the plan, drop the database and "
        "create it empty (dropdb, createdb), then run this again"
    )


def _people(store: Store) -> People:
    return People(store, clock=utc_now, entropy=secrets.token_bytes)


def _new_files(address: str, key: Path | None) -> list[Path]:
    """The files that will be made; the book must not exist yet."""
    book = Path(address)
    if book.exists():
        raise BadRequest(f"{address} exists already: a new house needs a new book")
    files = [book, Path(f"{address}-wal"), Path(f"{address}-shm")]
    return files if key is not None else [*files, Path(f"{address}.key")]


def _give_commands(service: Service, plan: HousePlan) -> None:
    hours = plan.hours(utc_now().date())
    today = day_of(utc_now(), (hours,))
    commands: list[s.Command] = [
        s.House(request=SetHours(hours=plan.hours(today))),
        s.NameHouse(name=plan.name),
    ]
    for table in plan.tables:
        opening = s.OpenTable(
            table=table.name,
            layout=table.layout,
            tray=table.tray * 100,
            jackpots=table.jackpots,
            pace=table.pace,
            by_hand=table.by_hand,
        )
        commands.append(opening)
    for funding in plan.funding:
        commands.append(s.House(request=Deposit(jackpot=funding.jackpot, amount=funding.deposit * 100)))
    for number, command in enumerate(commands, start=1):
        service.desk.do(command, id=f"init-house-{number}", actor=OPERATOR)
