"""`upcard check` and `upcard schema`."""

from pathlib import Path

from upcard.catalog import shipped
from upcard.catalog.checks import game_complaints, layout_complaints, layout_notices, table_notices
from upcard.catalog.fields import Entry
from upcard.catalog.game import Game
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.layout import Layout
from upcard.catalog.load import load_model, load_paytables, model_for, read_toml
from upcard.catalog.paytable import PaytableFile
from upcard.catalog.reading import ReadingsFile
from upcard.cli.output import write_json, write_lines
from upcard.problems import BadFile, Problem, UnknownName

FORMATS: dict[str, type[Entry]] = {
    "paytable": PaytableFile,
    "game": Game,
    "layout": Layout,
    "readings": ReadingsFile,
    "jurisdiction": Jurisdiction,
}


def show(files: list[str]) -> None:
    """Checks each file; all problems of all files are listed together."""
    problems: list[Problem] = []
    for file in files:
        try:
            write_lines(*_check(Path(file)))
        except BadFile as bad:
            problems += bad.problems
    if problems:
        raise BadFile(problems)


def show_schema(name: str) -> None:
    """Prints a format's JSON Schema."""
    if name not in FORMATS:
        raise UnknownName(what="format", name=name, known=FORMATS, hint=f"the formats are {', '.join(FORMATS)}")
    schema = FORMATS[name].model_json_schema()
    write_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def _check(path: Path) -> list[str]:
    """What is said of a good file; a bad one raises all its problems."""
    model = model_for(read_toml(path))
    if model is PaytableFile:
        tables = load_paytables(path)
        notices = [notice for table in tables for decks in table.decks for notice in table_notices(table, decks)]
        return [f"{path}: good; {len(tables)} paytable{'s' * (len(tables) > 1)}", *notices]
    loaded = load_model(path, model)
    found: list[tuple[str, str]] = []
    notices = []
    if isinstance(loaded, Game):
        found = list(game_complaints(shipped(), loaded))
    if isinstance(loaded, Layout):
        found = list(layout_complaints(shipped(), loaded))
        notices = [] if found else list(layout_notices(shipped(), loaded))
    if found:
        raise BadFile([Problem(file=str(path), place=place, sentence=sentence) for place, sentence in found])
    return [f"{path}: good", *notices]
