"""Questions over HTTP: games, tables, rounds, shoes, jackpots, reports, the audit trail."""

from dataclasses import asdict
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from upcard.api.access import RULES
from upcard.api.auth import Allowed, Served
from upcard.api.messages import PLAIN
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName
from upcard.api.views import choices_of, table_view
from upcard.catalog.ruleset import Ruleset
from upcard.codes import CodedError
from upcard.ledger.journal import HOUSE, table_chain
from upcard.ledger.report import report
from upcard.people import Role, Session
from upcard.service.refusals import Refused

Json = dict[str, Any]
Most = Annotated[int, Query(ge=1, le=500)]
Before = Annotated[str, Query(max_length=40, pattern=r"^[0-9TZ:.~-]*$")]


def router() -> APIRouter:
    """Every question."""
    routes = APIRouter()

    @routes.get("/api/games", tags=["games"], openapi_extra={"x-operation": "read games"})
    def games(server: Served) -> list[Json]:
        """The games, their wagers and layouts."""
        catalog = server.service.desk.catalog
        return [
            {
                "slug": game.slug,
                "number": game.number,
                "name": game.name,
                "layouts": [one.slug for one in catalog.layouts.values() if one.game == game.slug],
                "wagers": [wager.name for wager in game.wager],
            }
            for game in catalog.games.values()
        ]

    @routes.get("/api/tables", tags=["tables"], openapi_extra={"x-operation": "read tables"})
    def tables(server: Served, _: Annotated[Session, Depends(Allowed("read tables"))]) -> list[Json]:
        """Every table, in short."""
        queries = server.service.queries
        names = queries.tables()
        signs = queries.meters(names)
        return [
            {**_short(server, name), "meters": {one: dict(at) for one, (_, at) in signs[name].items()}}
            for name in names
        ]

    @routes.get("/api/tables/{table}", tags=["tables"], openapi_extra={"x-operation": "read tables"})
    def table(table: TableName, server: Served, session: Annotated[Session, Depends(Allowed("read tables"))]) -> Json:
        """A table as it stands, and what you may do there."""
        live = server.service.desk.live(table)
        told: Json = {"number": live.version, "state": table_view(live)}
        if Role.PLAYER in session.person.roles:
            name = session.person.name
            bankroll = server.service.queries.bankroll(name)
            told["mine"] = {"choices": choices_of(live, name), "bankroll": bankroll}
        return told

    @routes.get("/api/tables/{table}/records", tags=["tables"], openapi_extra={"x-operation": "read records"})
    def records(
        table: TableName,
        server: Served,
        _: Annotated[Session, Depends(Allowed("read records"))],
        since: Annotated[int, Query(ge=0, le=2**53)] = 0,
        most: Most = 100,
    ) -> list[Json]:
        """What happened at a table after a number: the events, for everybody."""
        server.service.desk.live(table)
        found = server.service.queries.records(table, since=since, most=most)
        return [{name: row[name] for name in ("number", "at", "events")} for row in found]

    @routes.get("/api/tables/{table}/rounds/{number}", tags=["tables"], openapi_extra={"x-operation": "read a round"})
    def one_round(
        table: TableName, number: int, server: Served, _: Annotated[Session, Depends(Allowed("read a round"))]
    ) -> Json:
        """A finished round: its slips, and its events from the first wager to the last slip."""
        found = server.service.queries.round(table, number) if 0 <= number < 2**53 else None
        if found is None:
            raise ProblemError(404, "ROUND_UNKNOWN", f"{table} has finished no round {number}")
        told = {name: found[name] for name in ("round", "shoe", "at", "day", "rules", "void", "slips")}
        told["records"] = [{"number": row["number"], "events": row["events"]} for row in found["records"]]
        told["titles"] = titles(server.service.queries.ruleset(found["rules"]))
        return told

    @routes.get("/api/tables/{table}/shoes", tags=["tables"], openapi_extra={"x-operation": "read shoes"})
    def shoes(
        table: TableName, server: Served, _: Annotated[Session, Depends(Allowed("read shoes"))], most: Most = 20
    ) -> list[Json]:
        """What was promised of each shoe, and the keys of those that are over."""
        return [dict(row) for row in server.service.queries.shoes(table, most=most)]

    @routes.get("/api/me/rounds", tags=["me"], openapi_extra={"x-operation": "read own rounds"})
    def own_rounds(
        server: Served,
        session: Annotated[Session, Depends(Allowed("read own rounds"))],
        before: Before = "~",
        most: Most = 50,
    ) -> list[Json]:
        """Your last rounds, the newest first."""
        return [dict(row) for row in server.service.queries.played_by(session.person.name, before=before, most=most)]

    @routes.get("/api/players/{player}/rounds", tags=["floor"], openapi_extra={"x-operation": "read rounds"})
    def rounds_of(
        player: TableName,
        server: Served,
        _: Annotated[Session, Depends(Allowed("read rounds"))],
        before: Before = "~",
        most: Most = 50,
    ) -> list[Json]:
        """A player's last rounds, for the house."""
        return [dict(row) for row in server.service.queries.played_by(player, before=before, most=most)]

    @routes.get("/api/jackpots", tags=["jackpots"], openapi_extra={"x-operation": "read jackpots"})
    def jackpots(server: Served, session: Annotated[Session, Depends(Allowed("read jackpots"))]) -> list[Json]:
        """Every jackpot: its meters, and wins that wait; who locked and verified them is told to the house."""
        found = server.service.queries.jackpots()
        if not session.person.roles & RULES["read floor"].roles:
            for win in (win for one in found for win in one["wins"].values()):
                win |= {"locked_by": "", "verified_by": ""}
        return found

    @routes.get("/api/report/{day}", tags=["floor"], openapi_extra={"x-operation": "read report"})
    def day_report(day: date, server: Served, _: Annotated[Session, Depends(Allowed("read report"))]) -> Json:
        """A gaming day."""
        with server.service.desk.book.look() as clerk:
            found = report(clerk.unit, day)
        told = asdict(found)
        told["day"] = day.isoformat()
        return told

    @routes.get("/api/audit", tags=["floor"], openapi_extra={"x-operation": "read audit"})
    def audit(
        server: Served,
        _: Annotated[Session, Depends(Allowed("read audit"))],
        table: Annotated[str | None, Query(max_length=80, pattern=PLAIN)] = None,
        since: Annotated[int, Query(ge=0, le=2**53)] = 0,
        most: Most = 100,
    ) -> Json:
        """Who did what at a table (or in the house), and what was refused."""
        stream = HOUSE if table is None else table_chain(table)
        queries = server.service.queries
        done = queries.stream(stream, since=since, most=most)
        return {"done": done, "refused": [dict(row) for row in queries.refused(stream, most=most)]}

    return routes


def titles(rules: Ruleset | None) -> dict[str, dict[str, str]]:
    """What the events of a round's wagers are called, by wager, as the round's own rules have it."""
    if rules is None:
        return {}
    tables = {one.name: rules.catalog.paytables[one.paytable] for one in rules.layout.wager if one.paytable}
    return {name: {event: table.title(event) for event in table.lines} for name, table in tables.items()}


def _short(server: Any, name: str) -> Json:
    try:
        live = server.service.desk.live(name)
    except (Refused, CodedError) as wrong:  # a stopped table is shown as such, among the others
        return {"table": name, "stopped": wrong.coded}
    table = live.table
    return {
        "table": name,
        "layout": live.layout,
        "rules": live.rules.hash,
        "game": table.layout.game,
        "open": live.opened and not table.closed,
        "posted_minimum": table.posted_minimum,
        "spots": table.layout.spots,
        "seats": {str(spot): player for spot, player in sorted(table.seats.items())},
        "round": live.round,
    }
