"""Games and layouts, for the lobby and the felt."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from upcard.api.auth import CurrentServer
from upcard.service import layout_card
from upcard.service.layout_card import GameShort, LayoutCard

RulesHash = Annotated[str | None, Query(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Path(pattern=r"^[a-z][a-z0-9-]{0,79}$")]


routes = APIRouter(tags=["games"])


@routes.get("/api/games", openapi_extra={"x-operation": "read games"})
def games(server: CurrentServer) -> list[GameShort]:
    """The games, their wagers and layouts."""
    return layout_card.games(server.service.desk.catalog)


@routes.get("/api/layouts/{slug}", openapi_extra={"x-operation": "read games"})
def layout(slug: Slug, server: CurrentServer, rules: RulesHash = None) -> LayoutCard:
    """A layout: its spots and circles, limits, paytables, rules card, house rules and notices.

    With `rules`, a table's ruleset hash: as that table plays it. Without: as in the game's files now."""
    return layout_card.find_layout_card(server.service, slug, rules)
