"""Games and their layouts, as a lobby and a felt are drawn from them."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from upcard.api.auth import Served
from upcard.service import layout_card
from upcard.service.layout_card import GameShort, LayoutCard

RulesHash = Annotated[str | None, Query(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Path(pattern=r"^[a-z][a-z0-9-]{0,79}$")]


routes = APIRouter(tags=["games"])


@routes.get("/api/games", openapi_extra={"x-operation": "read games"})
def games(server: Served) -> list[GameShort]:
    """The games, their wagers and layouts."""
    return layout_card.games(server.service.desk.catalog)


@routes.get("/api/layouts/{slug}", openapi_extra={"x-operation": "read games"})
def layout(slug: Slug, server: Served, rules: RulesHash = None) -> LayoutCard:
    """A layout: its spots and circles, limits, paytables, rules card, house rules and notices.

    With `rules`, the hash a table names, as that table plays it; else as its files stand now."""
    return layout_card.find_layout_card(server.service, slug, rules)
