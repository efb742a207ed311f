"""Finding the game or the layout a user names: by a name, or as a file. A name is looked up before a path."""

from pathlib import Path

from upcard.catalog.game import Game
from upcard.catalog.index import part_of
from upcard.catalog.layout import Layout
from upcard.catalog.load import load_model
from upcard.cli.catalog_in_use import catalog_in_use, use_file
from upcard.problems import BadFile, BadRequest, Problem, UnknownName


def find_game(name: str) -> Game:
    """The game of a name, that of a game's file, or that of a layout or its file."""
    return _find(name)[0]


def find_table(name: str | None, layout: str | None) -> tuple[Game, Layout]:
    """A game and one of its layouts; without a name for it, the layout that was named as the game, or its usual one."""
    chosen = None if layout is None else find_layout(layout)  # first: its file may bring the game
    if name is None:
        if chosen is None:
            raise BadRequest("say which game, such as 002; `upcard games` lists them")
        return catalog_in_use().game(chosen.game), chosen
    game, named = _find(name)
    chosen = chosen or named or catalog_in_use().usual_layout(game)
    if chosen is None:
        raise BadRequest(f"{game.name} has no layout: name a file of one with --layout FILE")
    if chosen.game != game.slug:
        layouts = [other.slug for other in catalog_in_use().layouts.values() if other.game == game.slug]
        raise BadRequest(
            f"{chosen.slug} is a layout of {chosen.game}; the layouts of {game.slug} are {', '.join(layouts)}"
        )
    return game, chosen


def game_and_layout(name: str | None, layout: str | None) -> tuple[str | None, Layout | None]:
    """The slug of a game, and the layout whose rules are in force: one that is named, also in place of the game."""
    chosen = None if layout is None else find_layout(layout)
    game, named = (None, None) if name is None else _find(name)
    return None if game is None else game.slug, chosen or named


def find_layout(name: str) -> Layout:
    """The layout of a name, or that of a file, checked."""
    try:
        return catalog_in_use().layout(name)
    except UnknownName:
        if not is_path(name):
            raise
    return _layout_file(Path(name))


def layout_or_none(name: str) -> Layout | None:
    """The layout of this name, of this game, or in this file; None if the name is a paytable's, or anything else."""
    catalog = catalog_in_use()
    try:
        catalog.paytable(name)
    except UnknownName:
        pass
    else:
        return None  # found without loading the games
    if name in catalog.layouts:
        return catalog.layouts[name]
    try:
        return catalog.usual_layout(catalog.game(name))
    except UnknownName:
        path = Path(name)
    if not is_path(name) or not path.is_file():
        return None
    try:
        part = part_of(path)
    except BadFile:
        return None  # whoever loads it as a paytable says what is wrong
    if part == "layouts":
        return _layout_file(path)
    return find_table(name, None)[1] if part == "games" else None


def is_path(name: str) -> bool:
    """Whether a name that nothing has is meant as a file."""
    path = Path(name)
    return bool(name.strip()) and "\0" not in name and (path.suffix == ".toml" or path.exists())


def _find(name: str) -> tuple[Game, Layout | None]:
    catalog = catalog_in_use()
    try:
        return catalog.game(name), None
    except UnknownName:
        if name in catalog.layouts:
            layout = catalog.layouts[name]
            return catalog.game(layout.game), layout
        if not is_path(name):
            raise
    path = Path(name)
    match part_of(path):
        case "games":
            use_file(path)
            return catalog_in_use().game(load_model(path, Game).slug), None
        case "layouts":
            layout = _layout_file(path)
            return catalog_in_use().game(layout.game), layout
        case part:
            sentence = f"this is a file of {part}, not of a game or a layout"
            raise BadFile([Problem(file=name, place="", sentence=sentence)])


def _layout_file(path: Path) -> Layout:
    slug = load_model(path, Layout).slug
    use_file(path)
    catalog = catalog_in_use()
    layouts = catalog.layouts  # which checks the file
    problems = [problem for problem in catalog.problems() if Path(problem.file).resolve() == path.resolve()]
    if problems:
        raise BadFile(problems)
    return layouts[slug]
