"""Simulations over HTTP: started, watched as a stream of events, cancelled; each by whoever started it."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from upcard.api.auth import Served, Signed
from upcard.api.lab.simulations import Simulation
from upcard.api.server import Server
from upcard.catalog.editing import MOST_TEXT
from upcard.odds.question import PriceQuestion
from upcard.workers.figures import check_wager
from upcard.workers.simulation import SimulationRequest

Number = Annotated[int, Field(ge=0, le=2**53)]
SIMULATE = {"x-operation": "simulate"}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events `point` and `state`, each with JSON", "content": {"text/event-stream": {}}}
}


class SimulationAsked(BaseModel):
    """A side wager to be played: its paytable, as filed or edited, and how long."""

    model_config = ConfigDict(extra="forbid")

    paytable: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")
    decks: int = Field(ge=1, le=8)
    pays: list[Annotated[str, Field(max_length=MOST_TEXT)]] = Field(default=[], max_length=60)
    suit: str = Field(default="hearts", max_length=MOST_TEXT)
    wager: str | None = Field(default=None, max_length=MOST_TEXT)
    rounds: int = Field(ge=1, le=10**12)
    seed: int = Field(default=1, ge=0, le=2**53)


class SimulationCard(BaseModel):
    """A simulation as it stands: `waiting`, `running`, `done`, `cancelled`, `out of time` or `failed`."""

    number: int
    paytable: str
    decks: int
    rounds: int
    seed: int
    state: str
    why: str
    before: int  # others that come first
    last: dict[str, int | float] | None  # the latest point: rounds, edge, its interval, the exact edge


routes = APIRouter(tags=["lab"])


@routes.post("/api/lab/simulations", openapi_extra=SIMULATE)
async def start(asked: SimulationAsked, server: Served, session: Signed) -> SimulationCard:
    """Puts a simulation into the queue."""
    wager, pays = asked.wager or None, tuple(asked.pays)
    question = PriceQuestion(decks=asked.decks, suit=asked.suit, wager=wager, pays=pays, any_decks=True, dashes="")
    await run_in_threadpool(check_wager, asked.paytable, question)
    seconds = server.settings.lab_seconds
    wanted = SimulationRequest(
        slug=asked.paytable, question=question, rounds=asked.rounds, seed=asked.seed, seconds=seconds
    )
    made = server.simulations.start(session.person.name, wanted, server.settings)
    await asyncio.sleep(0)  # if nobody is before it, it plays already
    return _card(server, made)


@routes.get("/api/lab/simulations", openapi_extra=SIMULATE)
async def own(server: Served, session: Signed) -> list[SimulationCard]:
    """Your simulations, the newest first."""
    return [_card(server, one) for one in server.simulations.owned(session.person.name)]


@routes.get(
    "/api/lab/simulations/{number}/events",
    openapi_extra=SIMULATE,
    response_class=StreamingResponse,
    responses=EVENTS,
)
async def events(number: Number, server: Served, session: Signed) -> StreamingResponse:
    """A simulation as it goes: every point so far, then each new one, until it is over."""
    one = server.simulations.of(session.person.name, number)
    stream = server.simulations.stream(one, lambda: server.stopping)
    return StreamingResponse(stream, media_type="text/event-stream")


@routes.post("/api/lab/simulations/{number}/cancel", openapi_extra=SIMULATE)
async def cancel(number: Number, server: Served, session: Signed) -> SimulationCard:
    """Ends a simulation; what it has found so far stays."""
    one = server.simulations.of(session.person.name, number)
    server.simulations.cancel(one)
    return _card(server, one)


def _card(server: Server, one: Simulation) -> SimulationCard:
    wanted = one.wanted
    return SimulationCard(
        number=one.number,
        paytable=wanted.slug,
        decks=wanted.question.decks or 0,
        rounds=wanted.rounds,
        seed=wanted.seed,
        state=one.state,
        why=one.why,
        before=server.simulations.place(one),
        last=one.points[-1] if one.points else None,
    )
