"""Queries over HTTP: tables, rounds, shoes, jackpots, the audit trail."""

from typing import Annotated, NotRequired

from fastapi import APIRouter, Query

from upcard.api.access import RULES
from upcard.api.auth import CurrentServer, CurrentSession
from upcard.api.messages import PLAIN
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName
from upcard.cards import read_card, read_cards
from upcard.people import Role
from upcard.service.circle_facts import CircleFacts, ShownCards, circle_facts
from upcard.service.jackpot_signs import signs_sent
from upcard.service.layout_card import LayoutCard, table_card
from upcard.service.query_models import Audit, JackpotSent, PlayedRound, RecordSent, RoundSent, ShoeEvidence, ShoeSent
from upcard.service.shoe_evidence import shoe_evidence
from upcard.service.table_summaries import list_tables, without_names
from upcard.service.views import player_view, table_view
from upcard.service.wire_models import JackpotSignsSent, Mine, Number, State, TableShort

Most = Annotated[int, Query(ge=1, le=500)]
Since = Annotated[int, Query(ge=0, le=2**53)]
TableQuery = Annotated[str | None, Query(max_length=80, pattern=PLAIN)]
Cards = Annotated[str, Query(max_length=80, pattern=r"^(([A2-9TJQK][cdhs]|\?)( ([A2-9TJQK][cdhs]|\?))*)?$")]
Before = Annotated[str, Query(max_length=40, pattern=r"^[0-9TZ:.~-]*$")]


class TableReply(JackpotSignsSent):
    """A table's current state, its jackpots, and what you may do there."""

    number: Number
    state: State
    mine: NotRequired[Mine]


routes = APIRouter()


@routes.get("/api/lobby", tags=["games"], openapi_extra={"x-operation": "read games"})
def lobby(server: CurrentServer) -> list[TableShort]:
    """Every table, one line each, without the names of its players: what visitors who are not signed in see."""
    return [without_names(line) for line in list_tables(server.service)]


@routes.get("/api/tables", tags=["tables"], openapi_extra={"x-operation": "read tables"})
def tables(server: CurrentServer, _: CurrentSession) -> list[TableShort]:
    """Every table, one line each."""
    return list_tables(server.service)


@routes.get("/api/tables/{table}", tags=["tables"], openapi_extra={"x-operation": "read tables"})
def table(table: TableName, server: CurrentServer, session: CurrentSession) -> TableReply:
    """A table's current state, its jackpots, and what you may do there."""
    live = server.service.desk.live(table)
    signs = signs_sent(server.service.queries.signs([table])[table])
    reply: TableReply = {
        "number": live.version,
        "state": table_view(live),
        "meters": signs["meters"],
        "off": signs["off"],
        "notices": signs["notices"],
    }
    if Role.PLAYER in session.person.roles:
        name = session.person.name
        reply["mine"] = player_view(live, name, server.service.queries.bankroll(name))
    return reply


@routes.get("/api/tables/{table}/card", tags=["tables"], openapi_extra={"x-operation": "read tables"})
def card(table: TableName, server: CurrentServer, _: CurrentSession) -> LayoutCard:
    """What is posted at a table now: limits, shuffling, meters, circles that are off, paytables and the rules card."""
    return table_card(server.service, table)


@routes.get("/api/tables/{table}/circles", tags=["tables"], openapi_extra={"x-operation": "read tables"})
def circles(
    table: TableName,
    server: CurrentServer,
    _: CurrentSession,
    player: Cards = "",
    dealer: Cards = "",
    totals: Annotated[str, Query(max_length=40, pattern=r"^[0-9]{1,2}( [0-9]{1,2})*$|^$")] = "",
) -> list[CircleFacts]:
    """The side wagers of a table: exact edge and hit rate, and what each would have paid on these cards.

    `player` has the first two cards of a spot, `dealer` the dealer's with the up card first ("?": face down), and
    `totals` the final totals of the spot's hands."""
    live = server.service.desk.live(table)
    shown = ShownCards(
        first_cards=read_cards(player.replace("?", "")),
        dealer=[None if card == "?" else read_card(card) for card in dealer.split()],
        totals=[int(total) for total in totals.split()],
    )
    return circle_facts(live.rules, server.service.queries.signs([table])[table], shown)


@routes.get("/api/tables/{table}/records", tags=["tables"], openapi_extra={"x-operation": "read records"})
def records(
    table: TableName, server: CurrentServer, _: CurrentSession, since: Since = 0, most: Most = 100
) -> list[RecordSent]:
    """The events of a table after a record number."""
    server.service.desk.live(table)
    return server.service.queries.records(table, since=since, most=most)


@routes.get("/api/tables/{table}/rounds/{number}", tags=["tables"], openapi_extra={"x-operation": "read a round"})
def finished_round(table: TableName, number: int, server: CurrentServer, _: CurrentSession) -> RoundSent:
    """A finished round: its slips, and its events from the first wager to the last slip."""
    finished = server.service.queries.round(table, number) if 0 <= number < 2**53 else None
    if finished is None:
        raise ProblemError(404, "ROUND_UNKNOWN", f"there is no finished round {number} at {table}")
    return finished


@routes.get("/api/tables/{table}/shoes", tags=["tables"], openapi_extra={"x-operation": "read shoes"})
def shoes(table: TableName, server: CurrentServer, _: CurrentSession, most: Most = 20) -> list[ShoeSent]:
    """The commitment to each shoe, and the keys of finished shoes."""
    return server.service.queries.shoes(table, most=most)


@routes.get("/api/tables/{table}/shoes/{number}", tags=["tables"], openapi_extra={"x-operation": "read shoes"})
def finished_shoe(table: TableName, number: int, server: CurrentServer, _: CurrentSession) -> ShoeEvidence:
    """A finished shoe with everything needed to verify it: key, players' numbers, cut, and every card dealt."""
    finished = shoe_evidence(server.service.queries, table, number) if 0 <= number < 2**53 else None
    if finished is None:
        raise ProblemError(404, "SHOE_NOT_OVER", f"there is no finished shoe {number} at {table}")
    return finished


@routes.get("/api/me/rounds", tags=["me"], openapi_extra={"x-operation": "read own rounds"})
def own_rounds(
    server: CurrentServer, session: CurrentSession, before: Before = "~", most: Most = 50
) -> list[PlayedRound]:
    """Your latest rounds, newest first."""
    return server.service.queries.played_by(session.person.name, before=before, most=most)


@routes.get("/api/players/{player}/rounds", tags=["floor"], openapi_extra={"x-operation": "read rounds"})
def rounds_of(
    player: TableName, server: CurrentServer, _: CurrentSession, before: Before = "~", most: Most = 50
) -> list[PlayedRound]:
    """A player's latest rounds, newest first; for staff."""
    return server.service.queries.played_by(player, before=before, most=most)


@routes.get("/api/jackpots", tags=["jackpots"], openapi_extra={"x-operation": "read jackpots"})
def jackpots(server: CurrentServer, session: CurrentSession) -> list[JackpotSent]:
    """Every jackpot: its meters and pending wins. Only staff see who locked and verified a win."""
    staff = bool(session.person.roles & RULES["read floor"].roles)
    return server.service.queries.jackpots(to_the_house=staff)


@routes.get("/api/audit", tags=["floor"], openapi_extra={"x-operation": "read audit"})
def audit(
    server: CurrentServer, _: CurrentSession, table: TableQuery = None, since: Since = 0, most: Most = 100
) -> Audit:
    """Commands and refusals of a table, or of the house."""
    return server.service.queries.audit(table, since=since, most=most)
