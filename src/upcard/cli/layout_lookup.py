"""Finding the layout a user names."""

from pathlib import Path

from upcard.catalog import shipped
from upcard.catalog.game import Game
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import load_model
from upcard.problems import BadFile, BadRequest, Problem, UnknownName


def find_layout(name: str) -> Layout:
    """The layout of a name, or that of a file, checked; a name is looked up before a path."""
    try:
        return shipped().layout(name)
    except UnknownName:
        path = Path(name)
        if not name.strip() or "\0" in name or not (path.suffix == ".toml" or path.exists()):
            raise
    layout = load_model(path, Layout)
    problems = [
        Problem(file=str(path), place=place, sentence=sentence)
        for place, sentence in layout_complaints(shipped(), layout)
    ]
    if problems:
        raise BadFile(problems)
    return layout


def find_layout_of(game: Game, name: str | None) -> Layout:
    """A layout of this game; without a name its usual one."""
    layouts = shipped().layouts
    if name is None:
        return layouts[game.slug]
    layout = find_layout(name)
    if layout.game != game.slug:
        names = ", ".join(other.slug for other in layouts.values() if other.game == game.slug)
        raise BadRequest(f"{layout.slug} is a layout of {layout.game}; the layouts of {game.slug} are {names}")
    return layout
