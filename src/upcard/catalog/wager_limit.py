"""How many wagers a player may make where a layout offers more (004): the limits of every game on the layout apply."""

from collections.abc import Iterable
from dataclasses import dataclass

from upcard.catalog.game import Game
from upcard.catalog.layout import Layout
from upcard.units import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerLimit:
    """The most wagers on a spot; who makes that many keeps one of them small (R31)."""

    most: int
    small: Cents | None
    posted: bool  # on the layout


def wager_limit(games: Iterable[Game], layout: Layout) -> WagerLimit | None:
    """The strictest limit of these games; None where a player may make every wager of the layout."""
    limits = [
        limits
        for limits in (game.layout_limits for game in games)
        if limits.wagers_a_player is not None and len(layout.wager) > limits.wagers_a_player
    ]
    if not limits:
        return None
    small = [Cents(limit.small_wager) for limit in limits if limit.small_wager is not None]
    return WagerLimit(
        most=min(limit.wagers_a_player for limit in limits if limit.wagers_a_player is not None),
        small=min(small, default=None),
        posted=any(limit.posted_on_layout for limit in limits),
    )
