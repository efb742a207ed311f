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

    @property
    def games(self) -> tuple[Game, ...]:
        """The layout's game, and the games whose wagers it adds."""
        games = {self.game.slug: self.game}
        for offered in self.layout.wager or ():  # None if the file has none
            try:
                game = self.catalog.game(offered.game) if offered.game else self.game
            except UnknownName:  # `known_wagers` reports it
                continue
            games[game.slug] = game
        return tuple(games.values())

    @property
    def readings(self) -> dict[str, str]:
        """The readings in force."""
        return {
            number: option for game in reversed(self.games) for number, option in game.readings.items()
        } | self.layout.readings

    def offers(self) -> Iterator[tuple[str, Wager, Offered]]:
        """The place of each wager in the layout's file, the filing's wager, and the layout's."""
        for offered in self.layout.wager:
            try:
                yield f"wager {offered.name}", self.catalog.wager(self.game, offered), offered
            except UnknownName:  # `known_wagers` reports it
                continue
