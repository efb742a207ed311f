"""A catalog: every game, paytable, layout, kind of wager, reading and jurisdiction, by any of its names.

It is a folder of files with workspaces laid over it: a later folder's entry hides an earlier one of the same name. Each
part is loaded on first use, so that looking up a paytable does not load the games. A bad file of a workspace is listed
in `problems` and left out; the rest can be used. A bad file of the first folder is refused, and so is one of single
`files`, which are laid over all folders.
"""

import copyreg
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from upcard.catalog.catalog_kinds import CatalogKinds
from upcard.catalog.fields import CatalogModel, slug_of
from upcard.catalog.follow_on_problems import without_consequences
from upcard.catalog.game import Game, Wager
from upcard.catalog.game_checks import Complaint, game_complaints
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.kind_file import KindFile, load_kinds
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import complaints_of, format_of, load_model, load_paytables, load_salvaged
from upcard.catalog.overlay import Overlay
from upcard.catalog.paytable import Paytable, PaytableFile, unknown_kind
from upcard.catalog.reading import Reading, ReadingsFile
from upcard.problems import BadFile, Problem, UnknownName
from upcard.wagers import Kind

Named = TypeVar("Named", Game, Layout, Paytable)
File = TypeVar("File", Game, Layout)
Entry = TypeVar("Entry")

SHIPPED = Path(str(files("upcard.catalog")))  # the folder of the shipped catalog
Part = Literal["kinds", "paytables", "readings", "jurisdictions", "games", "layouts"]


class Catalog:
    """A folder of catalog files, by default the shipped one, and the workspaces and single files laid over it."""

    def __init__(self, folder: Path | None = None, workspaces: Iterable[Path] = (), files: Iterable[Path] = ()) -> None:
        self.folder = folder or SHIPPED
        self.workspaces = tuple(workspaces)
        self.single_files = tuple(files)
        self._is_of_files = True
        self._problems: list[Problem] = []
        self._hidden: list[str] = []
        self._own: dict[str, tuple[str, ...]] = {}

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
            "_is_of_files": False,
            "games": {game.slug: game for game in games},
            "layouts": {layout.slug: layout for layout in layouts},
            "paytables": {paytable.name: paytable for paytable in paytables},
            "jurisdictions": {jurisdiction.slug: jurisdiction for jurisdiction in jurisdictions},
            "readings": readings,
            "kinds": kinds,
        }
        return catalog

    def copy(self) -> "Catalog":
        """A catalog of the same parts, some of which may then be replaced."""
        copy = Catalog(self.folder, self.workspaces, self.single_files)
        copy.__dict__ |= {key: value for key, value in self.__dict__.items() if key != "_rulesets"}
        copy._is_of_files = False
        return copy

    def with_jurisdiction(self, jurisdiction: Jurisdiction) -> "Catalog":
        """The catalog with another file for one of its jurisdictions; its layouts are not checked again."""
        if jurisdiction.slug not in self.jurisdictions:
            raise UnknownName(what="jurisdiction", name=jurisdiction.slug, known=self.jurisdictions)
        copy = self.copy()
        copy.__dict__ |= {
            "jurisdictions": {**self.jurisdictions, jurisdiction.slug: jurisdiction},
            "games": self.games,
            "layouts": self.layouts,
            "paytables": self.paytables,
        }
        return copy

    def problems(self, *, loaded_only: bool = False) -> tuple[Problem, ...]:
        """Everything wrong with the files of the workspaces; loads all of them, unless told not to."""
        if not loaded_only:
            self._load_all()
        return tuple(without_consequences(self._problems))

    def hidden(self, *, loaded_only: bool = False) -> tuple[str, ...]:
        """The entries that a workspace's entry of the same name hides, in words."""
        if not loaded_only:
            self._load_all()
        return tuple(self._hidden)

    def own(self, part: Part) -> tuple[str, ...]:
        """The names of the entries that workspaces bring."""
        getattr(self, part)
        return self._own.get(part, ())

    def _load_all(self) -> None:
        for part in get_args(Part):
            getattr(self, part)

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind of wager by its name."""
        return CatalogKinds(
            self._part("kinds", lambda path: load_kinds(path, trusted=path.parent.parent == self.folder))
        )

    @cached_property
    def paytables(self) -> Mapping[str, Paytable]:
        """Every paytable by its filing's name, in the order of the files."""
        return self._part("paytables", lambda path: {table.name: table for table in load_paytables(path, self.kinds)})

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """Every open question by its R-number."""
        return self._part("readings", lambda path: load_model(path, ReadingsFile).reading)

    @cached_property
    def jurisdictions(self) -> Mapping[str, Jurisdiction]:
        """Every jurisdiction by its slug."""
        return self._part("jurisdictions", lambda path: _by_slug(load_model(path, Jurisdiction)))

    @cached_property
    def games(self) -> Mapping[str, Game]:
        """Every game by its slug, in the order of the filings, checked against the rest of the catalog."""
        return self._part("games", lambda path: self._checked(path, Game, game_complaints))

    @cached_property
    def layouts(self) -> Mapping[str, Layout]:
        """Every layout by its slug, checked against its game; a game's default layout has the game's slug."""
        return self._part("layouts", lambda path: self._checked(path, Layout, layout_complaints))

    def _checked(
        self,
        path: Path,
        model: type[File],
        complaints: Callable[["Catalog", File, frozenset[str]], Iterable[Complaint]],
    ) -> dict[str, File]:
        """A file by its slug, checked against the rest of the catalog."""
        draft, problems = load_salvaged(path, model)
        problems += complaints_of(str(path), problems, complaints(self, draft.entry, draft.doubtful))
        if problems:
            raise BadFile(problems)
        return {draft.entry.slug: draft.entry}

    def _part(self, part: str, load: Callable[[Path], Mapping[str, Entry]]) -> dict[str, Entry]:
        strict = not (self.workspaces or self.single_files)
        overlay: Overlay[Entry] = Overlay(part.removesuffix("s"), self.folder, strict=strict)
        for own, path in self._files(part):
            overlay.add(path, load, own=own)
        overlay.strict = True
        for path in self.single_files:
            if part_of(path) == part:
                overlay.add(path, load, own=True)
        self._problems += overlay.problems
        self._hidden += overlay.hidden
        self._own[part] = tuple(overlay.own)
        return overlay.entries

    def paytable(self, name: str) -> Paytable:
        """A paytable by name or slug."""
        return _find("paytable", name, self.paytables, lambda table: (table.name, table.slug))

    def kind(self, name: str) -> Kind:
        """A kind of wager by name."""
        if name not in self.kinds:
            raise unknown_kind(name, self.kinds)
        return self.kinds[name]

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

    def usual_layout(self, game: Game) -> Layout | None:
        """The layout with the game's slug, or else the first of the game; None if it has none."""
        own = self.layouts.get(game.slug)
        return own or next((layout for layout in self.layouts.values() if layout.game == game.slug), None)

    def layout(self, name: str) -> Layout:
        """A layout by slug."""
        return _find("layout", name, self.layouts, lambda layout: (layout.slug,))

    def _files(self, part: str) -> Iterator[tuple[bool, Path]]:
        """The files of a part, and whether a workspace brings them."""
        for folder in (self.folder, *self.workspaces):
            own = folder is not self.folder
            paths = [folder / "readings.toml"] if part == "readings" else sorted((folder / part).glob("*.toml"))
            for path in paths:
                if own and not path.resolve().is_relative_to(folder.resolve()):
                    self._problems.append(_problem(path, "", "this leads out of the workspace: copy the file into it"))
                elif not own or path.exists():
                    yield own, path


def open_catalog(
    folder: Path | None = None, workspaces: tuple[Path, ...] = (), files: tuple[Path, ...] = ()
) -> Catalog:
    """The catalog of a folder and workspaces, one object for each; by default the shipped one. Files are read anew."""
    return Catalog(folder, workspaces, files) if files else _opened(folder or SHIPPED, workspaces)


@cache
def _opened(folder: Path, workspaces: tuple[Path, ...]) -> Catalog:
    return Catalog(folder, workspaces)


def part_of(path: Path) -> Part:
    """The part of a catalog that a file belongs to, by its format."""
    return _PARTS[format_of(path)]


_PARTS: Mapping[type[CatalogModel], Part] = {
    KindFile: "kinds",
    PaytableFile: "paytables",
    ReadingsFile: "readings",
    Jurisdiction: "jurisdictions",
    Game: "games",
    Layout: "layouts",
}


def _pickled(catalog: Catalog) -> str | tuple[Any, ...]:
    """A catalog of files is sent to another process as its folders, and opened there once."""
    if not catalog._is_of_files:
        return object.__reduce_ex__(catalog, 4)
    return open_catalog, (catalog.folder, catalog.workspaces, catalog.single_files)


copyreg.pickle(Catalog, _pickled)


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


def _by_slug(jurisdiction: Jurisdiction) -> dict[str, Jurisdiction]:
    return {jurisdiction.slug: jurisdiction}


def _problem(path: Path, place: str, sentence: str) -> Problem:
    return Problem(file=str(path), place=place, sentence=sentence)
