"""The plan of a new house, as a TOML file: its name and hours, its people, its first tables, money for its jackpots."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from upcard.catalog.index import Catalog
from upcard.ledger.gaming_day import Hours
from upcard.people import PeopleRefused, Role
from upcard.people.invitations import check_roles
from upcard.people.person import name_key
from upcard.problems import BadFile, Problem, UnknownName
from upcard.service.command_base import Pace

EXAMPLE = """\
# A new house. Change what is here, then run: upcard init-house FILE
name = "The Lucky Fox"
book = "house.db"                         # or postgresql://owner@host/house
address = "http://localhost:8000"         # what people type to reach the pages; links begin with it
zone = "America/New_York"
start = 6                                 # the full hour at which a gaming day begins

[[people]]                                # at least two of the floor: some things take two people
name = "Flo"
roles = ["floor"]

[[people]]
name = "Fay"
roles = ["floor"]

[[people]]
name = "Dan"
roles = ["dealer"]

[[people]]
name = "Cass"
roles = ["cashier"]

[[people]]
name = "Jack"
roles = ["jackpots"]

[[tables]]
name = "Brook 1"
layout = "the-brook"                      # `upcard games 000` lists the layouts of a game
tray = 50000                              # dollars that were counted into it

[[tables]]
name = "Ladies 1"
layout = "lucky-ladies-progressive"
tray = 50000
by_hand = true                            # a person deals, and types the cards
jackpots = { "Lucky Ladies Jackpot" = "Climbing Ladies", "21+3 Jackpot" = "Climbing Three" }

[[funding]]                               # money taken to the escrow account of a progressive
jackpot = "Climbing Ladies"
deposit = 10000
"""

_Name = Annotated[str, Field(min_length=1, max_length=80)]
_Dollars = Annotated[int, Field(ge=0, le=100_000_000, strict=True)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlannedPerson(_Part):
    """Somebody who gets an invitation."""

    name: _Name
    roles: Annotated[tuple[Role, ...], Field(min_length=1)]


class PlannedTable(_Part):
    """A table to open."""

    name: _Name
    layout: str
    tray: _Dollars
    by_hand: bool = False
    jackpots: dict[str, _Name] = {}
    pace: Pace = Pace()


class Funding(_Part):
    """Dollars deposited in the escrow account of a jackpot."""

    jackpot: _Name
    deposit: Annotated[int, Field(gt=0, le=100_000_000, strict=True)]


class HousePlan(_Part):
    """A new house."""

    name: _Name
    book: Annotated[str, Field(min_length=1)]
    address: str
    zone: str
    start: Annotated[int, Field(ge=0, le=23, strict=True)]
    people: tuple[PlannedPerson, ...] = ()
    tables: tuple[PlannedTable, ...] = ()
    funding: tuple[Funding, ...] = ()

    def hours(self, since: date) -> Hours:
        return Hours(since=since, zone=self.zone, start=self.start)

    @property
    def link_address(self) -> str:
        """What every link begins with."""
        return self.address.rstrip("/")


def read_house_plan(file: Path, catalog: Catalog) -> HousePlan:
    """Reads a plan; raises BadFile with every problem in it."""
    name = str(file)
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadFile([Problem(file=name, place="", sentence=str(error))]) from None
    try:
        plan = HousePlan.model_validate(document)
    except ValidationError as error:
        raise BadFile([_problem(name, dict(details)) for details in error.errors()]) from None
    problems = [Problem(file=name, place=place, sentence=sentence) for place, sentence in _problems(plan, catalog)]
    if problems:
        raise BadFile(problems)
    return plan


def _problem(file: str, details: Mapping[str, object]) -> Problem:
    place = cast(tuple[int | str, ...], details["loc"])
    where = ".".join(str(part + 1 if isinstance(part, int) else part) for part in place)
    return Problem(file=file, place=where, sentence=str(details["msg"]).removeprefix("Value error, "))


def _problems(plan: HousePlan, catalog: Catalog) -> Iterator[tuple[str, str]]:
    parts = urlsplit(plan.address)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        yield "address", f"write the address of the pages like https://felt.example, not {plan.address!r}"
    try:
        plan.hours(date(2000, 1, 1))
    except ValidationError as error:
        yield "zone", str(error.errors()[0]["msg"]).removeprefix("Value error, ")
    yield from _people_problems(plan)
    yield from _table_problems(plan, catalog)


def _people_problems(plan: HousePlan) -> Iterator[tuple[str, str]]:
    if sum(Role.FLOOR in person.roles for person in plan.people) < 2:
        yield "people", "name at least two people of the floor: what takes two people could not be done otherwise"
    for name, times in Counter(name_key(person.name) for person in plan.people).items():
        if times > 1:
            yield "people", f"{name!r} is named {times} times"
    for person in plan.people:
        try:
            check_roles(frozenset(person.roles))
        except PeopleRefused as refused:
            yield f"people.{person.name}", str(refused)


def _table_problems(plan: HousePlan, catalog: Catalog) -> Iterator[tuple[str, str]]:
    for name, times in Counter(table.name for table in plan.tables).items():
        if times > 1:
            yield "tables", f"{name!r} is named {times} times"
    for table in plan.tables:
        try:
            layout = catalog.layout(table.layout)
        except UnknownName as error:
            yield f"tables.{table.name}", str(error)
            continue
        wagers = [jackpot.wager for jackpot in layout.jackpot]
        for wager in table.jackpots:
            if wager not in wagers:
                hint = f"it has {', '.join(wagers) or 'none'}"
                unknown = UnknownName(what="jackpot wager", name=wager, known=wagers, hint=hint)
                yield f"tables.{table.name}", f"{table.layout}: {unknown}"
    opened = {jackpot for table in plan.tables for jackpot in table.jackpots.values()}
    for funding in plan.funding:
        if funding.jackpot not in opened:
            yield "funding", str(UnknownName(what="jackpot at these tables", name=funding.jackpot, known=opened))
