"""Simulations over HTTP: start, follow as a stream of events, cancel; each person sees only their own."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from upcard.api.auth import CurrentServer, CurrentSession
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


class NewSimulation(BaseModel):
    """A side wager to simulate: its paytable, filed or edited, and the number of rounds."""

    model_config = ConfigDict(extra="forbid")

    paytable: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")
    decks: int = Field(ge=1, le=8)
    pays: list[Annotated[str, Field(max_length=MOST_TEXT)]] = Field(default=[], max_length=60)
    suit: str = Field(default="hearts", max_length=MOST_TEXT)
    wager: str | None = Field(default=None, max_length=MOST_TEXT)
    rounds: int = Field(ge=1, le=10**12)
    seed: int = Field(default=1, ge=0, le=2**53)


class SimulationCard(BaseModel):
    """A simulation's state: `waiting`, `running`, `done`, `cancelled`, `out of time` or `failed`."""

    number: int
    paytable: str
    decks: int
    rounds: int
    seed: int
    state: str
    why: str
    before: int  # simulations ahead of it in the queue
    last: dict[str, int | float] | None  # the latest point: rounds, edge, its interval, the exact edge


routes = APIRouter(tags=["lab"])


@routes.post("/api/lab/simulations", openapi_extra=SIMULATE)
async def start(body: NewSimulation, server: CurrentServer, session: CurrentSession) -> SimulationCard:
    """Adds a simulation to the queue."""
    wager, pays = body.wager or None, tuple(body.pays)
    question = PriceQuestion(
        catalog=server.service.desk.catalog,
        decks=body.decks,
        suit=body.suit,
        wager=wager,
        pays=pays,
        any_decks=True,
        dashes="",
    )
    await run_in_threadpool(check_wager, body.paytable, question)
    seconds = server.settings.lab_seconds
    run = SimulationRequest(slug=body.paytable, question=question, rounds=body.rounds, seed=body.seed, seconds=seconds)
    simulation = server.simulations.start(session.person.name, run, server.settings)
    await asyncio.sleep(0)  # if the queue is empty, it starts before the answer
    return _card(server, simulation)


@routes.get("/api/lab/simulations", openapi_extra=SIMULATE)
async def own_simulations(server: CurrentServer, session: CurrentSession) -> list[SimulationCard]:
    """Your simulations, newest first."""
    return [_card(server, simulation) for simulation in server.simulations.owned(session.person.name)]


@routes.get(
    "/api/lab/simulations/{number}/events",
    openapi_extra=SIMULATE,
    response_class=StreamingResponse,
    responses=EVENTS,
)
async def events(number: Number, server: CurrentServer, session: CurrentSession) -> StreamingResponse:
    """A simulation's progress: every point so far, then each new one, until it is over."""
    simulation = server.simulations.of(session.person.name, number)
    stream = server.simulations.stream(simulation, lambda: server.stopping)
    return StreamingResponse(stream, media_type="text/event-stream")


@routes.post("/api/lab/simulations/{number}/cancel", openapi_extra=SIMULATE)
async def cancel(number: Number, server: CurrentServer, session: CurrentSession) -> SimulationCard:
    """Cancels a simulation; its results so far are kept."""
    simulation = server.simulations.of(session.person.name, number)
    server.simulations.cancel(simulation)
    return _card(server, simulation)


def _card(server: Server, simulation: Simulation) -> SimulationCard:
    run = simulation.wanted
    return SimulationCard(
        number=simulation.number,
        paytable=run.slug,
        decks=run.question.decks or 0,
        rounds=run.rounds,
        seed=run.seed,
        state=simulation.state,
        why=simulation.why,
        before=server.simulations.place(simulation),
        last=simulation.points[-1] if simulation.points else None,
    )
