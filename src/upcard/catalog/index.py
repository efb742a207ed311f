"""A catalog: every game, paytable, layout, reading and jurisdiction, by any of its names.

Each part is loaded on first use, so that looking up a paytable does not load the games.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from upcard.catalog.fields import slug_of
from upcard.catalog.game import Game, Wager
from upcard.catalog.game_checks import Complaint, game_complaints
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import load_model, load_paytables
from upcard.catalog.paytable import Paytable
from upcard.catalog.reading import Reading, ReadingsFile
from upcard.problems import BadFile, Problem, UnknownName
from upcard.wagers import KINDS, Kind

Named = TypeVar("Named", Game, Layout, Paytable)
File = TypeVar("File", Game, Layout)


class Catalog:
    """A folder of catalog files; by default the shipped one."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(str(files("upcard.catalog")))

    @classmethod
    def from_parts(
        cls,
        *,
        games: Iterable[Game],
        layouts: Iterable[Layout],
        paytables: Iterable[Paytable],
        jurisdictions: Iterable[Jurisdiction],
        kinds: Mapping[str, Kind],
        readings: Mapping[str, Reading],
    ) -> "Catalog":
        """A catalog of parts already loaded, such as those of a stored ruleset; reads no files."""
        catalog = cls()
        catalog.__dict__ |= {
            "games": {game.slug: game for game in games},
            "layouts": {layout.slug: layout for layout in layouts},
            "paytables": {paytable.name: paytable for paytable in paytables},
            "jurisdictions": {jurisdiction.slug: jurisdiction for jurisdiction in jurisdictions},
            "readings": readings,
            "kinds": kinds,
        }
        return catalog

    def with_jurisdiction(self, jurisdiction: Jurisdiction) -> "Catalog":
        """The catalog with another file for one of its jurisdictions; its layouts are not checked again."""
        if jurisdiction.slug not in self.jurisdictions:
            raise UnknownName(what="jurisdiction", name=jurisdiction.slug, known=self.jurisdictions)
        return Catalog.from_parts(
            games=self.games.values(),
            layouts=self.layouts.values(),
            paytables=self.paytables.values(),
            jurisdictions={**self.jurisdictions, jurisdiction.slug: jurisdiction}.values(),
            kinds=self.kinds,
            readings=self.readings,
        )

    @cached_property
    def paytables(self) -> Mapping[str, Paytable]:
        """Every paytable by its filing's name, in the order of the files."""
        paytables: dict[str, Paytable] = {}
        problems = []
        for path in self._files("paytables"):
            for table in load_paytables(path):
                if table.name in paytables:
                    sentence = f"this name is also used in {paytables[table.name].file}"
                    problems.append(_problem(path, f"paytable {table.name}", sentence))
                paytables[table.name] = table
        if problems:
            raise BadFile(problems)
        return paytables

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind of wager by its name."""
        return KINDS

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """Every open question by its R-number."""
        return load_model(self.folder / "readings.toml", ReadingsFile).reading

    @cached_property
    def jurisdictions(self) -> Mapping[str, Jurisdiction]:
        """Every jurisdiction by its slug."""
        jurisdictions = (load_model(path, Jurisdiction) for path in self._files("jurisdictions"))
        return {jurisdiction.slug: jurisdiction for jurisdiction in jurisdictions}

    @cached_property
    def games(self) -> Mapping[str, Game]:
        """Every game by its slug, in the order of the filings, checked against the rest of the catalog."""
        return self._checked("games", Game, game_complaints)

    @cached_property
    def layouts(self) -> Mapping[str, Layout]:
        """Every layout by its slug, checked against its game; a game's default layout has the game's slug."""
        return self._checked("layouts", Layout, layout_complaints)

    def _checked(
        self, part: str, model: type[File], complaints: Callable[["Catalog", File], Iterable[Complaint]]
    ) -> dict[str, File]:
        """A folder's files by slug; raises the problems of the first bad one."""
        models = {}
        for path in self._files(part):
            loaded = load_model(path, model)
            problems = [_problem(path, place, text) for place, text in complaints(self, loaded)]
            if problems:
                raise BadFile(problems)
            models[loaded.slug] = loaded
        return models

    def paytable(self, name: str) -> Paytable:
        """A paytable by name or slug."""
        return _find("paytable", name, self.paytables, lambda table: (table.name, table.slug))

    def game(self, name: str) -> Game:
        """A game by slug, by its filing's three digits or by its full name."""
        return _find("game", name, self.games, lambda game: (game.slug, game.number, game.name))

    def wager(self, game: Game, offered: Offered) -> Wager:
        """The wager a layout offers: the game's own, or another game's that the operator adds (R31)."""
        home = self.game(offered.game) if offered.game else game
        wager = home.wager_named(offered.name)
        if wager is None:
            raise UnknownName(what="wager", name=offered.name, known=[wager.name for wager in home.wager])
        return wager

    def games_of(self, layout: Layout) -> tuple[Game, ...]:
        """The layout's game, and the games whose wagers it adds: the limits of all of them apply."""
        names = (layout.game, *(offered.game for offered in layout.wager if offered.game))
        games = {game.slug: game for game in map(self.game, names)}
        return tuple(games.values())

    def layout(self, name: str) -> Layout:
        """A layout by slug."""
        return _find("layout", name, self.layouts, lambda layout: (layout.slug,))

    def _files(self, part: str) -> list[Path]:
        return sorted((self.folder / part).glob("*.toml"))


def _find(what: str, name: str, entries: Mapping[str, Named], names_of: Callable[[Named], tuple[str, ...]]) -> Named:
    """The entry with this name, ignoring case and punctuation."""
    if name in entries:
        return entries[name]
    slug = slug_of(name)
    for entry in entries.values():
        if slug and slug in map(slug_of, names_of(entry)):
            return entry
    raise UnknownName(
        what=what,
        name=name,
        known=[names_of(entry)[0] for entry in entries.values()],
        hint=f"the layouts are {', '.join(entries)}" if what == "layout" else f"`upcard {what}s` lists them",
    )


def _problem(path: Path, place: str, sentence: str) -> Problem:
    return Problem(file=str(path), place=place, sentence=sentence)
