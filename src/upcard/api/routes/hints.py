"""Hints on demand: what each thing a player may do now is worth, exactly, from the cards he can see."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel

from upcard.api.auth import Allowed, Served
from upcard.api.problems import ProblemError
from upcard.api.routes.commands import TableName
from upcard.cards import card_text
from upcard.engine.round import Spot
from upcard.engine.terms import Terms
from upcard.odds.main.decision import question_of
from upcard.people import Session
from upcard.service.live_table import LiveTable
from upcard.wagers import DealerHandKind

OPERATION = "ask for a hint"


class HintsReady(BaseModel):
    """Whether an answer comes at once; before the first one the machine may have to compile."""

    given: bool  # whether this house gives any
    ready: bool


class ActionWorth(BaseModel):
    """One thing that may be done: its worth as a part of the hand's wagers, and in cents."""

    do: str
    worth: float
    cents: float


class Hint(BaseModel):
    """What every action is worth, the best first; of insurance on a hand that is no blackjack only itself counts."""

    number: int  # of the table's record it was asked after
    spot: int
    hand: int
    cards: list[str]
    up: str
    stake: int
    insurance: bool
    actions: list[ActionWorth]
    ahead: float  # of the best before the next, as a part of the wagers
    left_out: list[str]  # side wagers of the spot that hang on the hand, and are not counted


def router() -> APIRouter:
    """Both questions."""
    routes = APIRouter()
    extra = {"x-operation": OPERATION}

    @routes.get("/api/hints", tags=["tables"], openapi_extra=extra)
    def hints_ready(server: Served, _: Annotated[Session, Depends(Allowed(OPERATION))]) -> HintsReady:
        """Whether hints are given here, and ready; whoever asks has them made ready."""
        given = server.settings.hints
        if given:
            server.pricing.warm_up()
        return HintsReady(given=given, ready=given and server.pricing.ready)

    @routes.get("/api/tables/{table}/hint", tags=["tables"], openapi_extra=extra)
    async def hint(
        table: TableName,
        server: Served,
        session: Annotated[Session, Depends(Allowed(OPERATION))],
        spot: Annotated[int, Query(ge=1, le=9)],
    ) -> Hint:
        """What you may do with the hand on your spot, and what each of it is worth; only while you are asked."""
        if not server.settings.hints:
            raise ProblemError(403, "NO_HINTS", "this house gives no hints")
        live = await asyncio.to_thread(server.service.desk.live, table)
        if live.table.seats.get(spot) != session.person.name:
            raise ProblemError(403, "NOT_YOUR_SPOT", f"spot {spot} is not yours: hints are for your own hands")
        state, terms = live.table.round, live.table.terms
        asked = None if state is None or terms is None else question_of(state, terms, spot)
        if state is None or terms is None or asked is None:
            raise ProblemError(409, "NOTHING_TO_DECIDE", "there is nothing for you to decide now")
        question, turn = asked
        found = await server.pricing.worths(question)
        return _hint(live, terms, spot, turn, found, insurance=question.is_insurance)

    return routes


def _hint(live: LiveTable, terms: Terms, number: int, turn: int, found: dict[str, float], *, insurance: bool) -> Hint:
    state = live.table.round
    seat = None if state is None else state.spot(number)
    if state is None or seat is None:
        raise ValueError(f"spot {number} is not in play")
    hand = seat.hands[turn]
    stake = sum(hand.stakes.values())
    best = sorted(found.items(), key=lambda one: -one[1])
    return Hint(
        number=live.version,
        spot=number,
        hand=turn,
        cards=[card_text(one) for one in hand.cards],
        up=card_text(state.dealer[0]),
        stake=stake,
        insurance=insurance,
        actions=[ActionWorth(do=name, worth=worth, cents=worth * stake) for name, worth in best],
        ahead=best[0][1] - best[1][1] if len(best) > 1 else 0.0,
        left_out=_left_out(seat, terms),
    )


def _left_out(seat: Spot, terms: Terms) -> list[str]:
    """Wagers on the dealer's hand that a player's own bust may lose."""
    kinds = {name: terms.wagers[name].kind for name in seat.wagers}
    return [
        name
        for name, kind in kinds.items()
        if isinstance(kind, DealerHandKind) and kind.lost_on_player_total is not None
    ]
