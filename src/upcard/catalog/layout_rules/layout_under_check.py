"""A layout to be checked, with its game, the law and the catalog."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.catalog.game import Game, Wager
from upcard.catalog.jurisdiction import Jurisdiction, Limits
from upcard.catalog.layout import Layout, Offered
from upcard.problems import UnknownName

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A layout with its game, the law and the catalog."""

    catalog: "Catalog"
    layout: Layout
    game: Game

    @property
    def law(self) -> Limits:
        """The newest limits of the game's jurisdiction."""
        return self.jurisdiction.limits[-1]

    @property
    def jurisdiction(self) -> Jurisdiction:
        """The game's jurisdiction."""
        return self.catalog.jurisdictions[self.game.source.jurisdiction]

    def offers(self) -> Iterator[tuple[str, Wager, Offered]]:
        """The place of each wager in the layout's file, the filing's wager, and the layout's."""
        for offered in self.layout.wager:
            try:
                yield f"wager {offered.name}", self.catalog.wager(self.game, offered), offered
            except UnknownName:  # `known_wagers` reports it
                continue
