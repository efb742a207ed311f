"""Finding the layout a user names."""

import tomllib
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


def layout_or_none(name: str) -> Layout | None:
    """The layout of this name, of this game, or in this file; None if the name is a paytable's, or anything else."""
    catalog = shipped()
    try:
        catalog.paytable(name)
    except UnknownName:
        pass
    else:
        return None  # found without loading the games
    if name in catalog.layouts:
        return catalog.layouts[name]
    try:
        return catalog.layouts[catalog.game(name).slug]
    except UnknownName:
        path = Path(name)
    if "\0" in name or path.suffix != ".toml" or not path.is_file():
        return None
    try:
        is_layout = "spots" in tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None  # whoever loads it as a paytable says what is wrong
    return find_layout(name) if is_layout else None


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
