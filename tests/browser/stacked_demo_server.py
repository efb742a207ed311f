"""The demo, served for browser tests: whoever tests may say which cards the next round of a table begins with, and
that shoes are short.

Only this script can do so; nothing of the product reads it. The cards asked for are moved to the front of the pile, so
that the shoe still holds what it held. Where earlier tests have used up a card, one of its rank is dealt instead.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request

from upcard.api import logs
from upcard.api.app import create_app
from upcard.api.settings import Settings
from upcard.cards import Card, rank_of, read_cards
from upcard.catalog import Catalog
from upcard.frozen import replace
from upcard.service import running, table_betting
from upcard.service.table_draft import TableDraft

WANTED: dict[str, list[str]] = {}
STACKED: dict[tuple[str, int], list[str]] = {}  # by table and round: a table that is read again deals the same cards
LAST_ROUNDS: set[str] = set()  # tables where every round is the last one of its shoe
_begin_round = table_betting._begin_round


def _begin_stacked(draft: TableDraft) -> None:
    _begin_round(draft)
    if draft.live.name in LAST_ROUNDS:  # the order of the cards stays as it is
        draft.live = replace(draft.live, table=replace(draft.live.table, cut_card=1))
    place = draft.live.name, draft.live.round
    if cards := WANTED.pop(draft.live.name, None):
        STACKED[place] = cards
    if cards := STACKED.get(place):
        pile, drawn = draft.live.pile, draft.live.drawn
        draft.live = replace(draft.live, pile=(*pile[:drawn], *stacked(pile[drawn:], cards)))


def stacked(cards: Sequence[Card], wanted: Sequence[str]) -> tuple[Card, ...]:
    """The wanted cards first, the others after them as they lay."""
    left, front = list(cards), []
    for text in wanted:
        (wanted_card,) = read_cards(text)
        same_rank = (card for card in left if rank_of(card) == rank_of(wanted_card))
        front.append(wanted_card if wanted_card in left else next(same_rank))
        left.remove(front[-1])
    return (*front, *left)


def app(book: str) -> FastAPI:
    """The demo, with a door for tests."""
    settings = Settings(
        demo=True, demo_pace=0.05, book=book, sign_ins_per_minute=10_000, requests_per_minute=100_000, log="json"
    )
    demo = create_app(settings)

    async def stack(request: Request) -> dict[str, bool]:
        body = await request.json()
        WANTED[body["table"]] = body["cards"]
        return {"stacked": True}

    async def last_rounds(request: Request) -> dict[str, bool]:
        LAST_ROUNDS.clear()
        LAST_ROUNDS.update((await request.json())["tables"])
        return {"short": bool(LAST_ROUNDS)}

    for path, answer in (("/test/stack", stack), ("/test/last-rounds", last_rounds)):
        demo.add_api_route(path, answer, methods=["POST"])
        demo.router.routes.insert(0, demo.router.routes.pop())
    return demo


def serve_stacked_demo() -> None:
    """Serves what the command line asks for, until it is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--book", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--catalog", type=Path, help="other files of games, layouts and paytables")
    options = parser.parse_args()
    if options.catalog:
        setattr(running, "shipped", lambda: Catalog(options.catalog))  # noqa: B010 - for tests only
    setattr(table_betting, "_begin_round", _begin_stacked)  # noqa: B010 - for tests only
    logs.set_up("json")
    uvicorn.run(app(options.book), host="127.0.0.1", port=options.port, log_config=None, access_log=False)
