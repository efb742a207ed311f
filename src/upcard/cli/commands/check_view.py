"""`upcard check`: catalog files, each with all its problems."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from upcard.catalog.fields import CatalogModel
from upcard.catalog.game import Game
from upcard.catalog.game_checks import game_complaints, layout_notices, table_notices
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import format_of, load_paytables, load_salvaged
from upcard.catalog.paytable import PaytableFile
from upcard.catalog.salvage import Salvaged
from upcard.cli.catalog_files import catalog_under
from upcard.cli.output import counted, write_json, write_lines
from upcard.problems import BadFile, Problem


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking one file; a bad one has problems."""

    file: str
    summary: str = ""
    notices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def show_check(files: list[str], jurisdiction: str | None = None, *, as_json: bool) -> None:
    """Checks each file; all problems of all files are listed together."""
    catalog = catalog_under(jurisdiction)
    verdicts = [_verdict(catalog, Path(file)) for file in files]
    problems = [problem for verdict in verdicts for problem in verdict.problems]
    if not as_json:
        for verdict in verdicts:
            if not verdict.problems:
                write_lines(f"{verdict.file}: {verdict.summary}", *verdict.notices)
        if problems:
            raise BadFile(problems)
        return
    notices = [
        Problem(file=verdict.file, place="", sentence=notice) for verdict in verdicts for notice in verdict.notices
    ]
    write_json(
        {"problems": [asdict(problem) for problem in problems], "notices": [asdict(problem) for problem in notices]}
    )
    if problems:
        raise SystemExit(2)


def _verdict(catalog: Catalog, path: Path) -> Verdict:
    try:
        return _check(catalog, path)
    except BadFile as bad:
        return Verdict(str(path), problems=bad.problems)


def _check(catalog: Catalog, path: Path) -> Verdict:
    file = str(path)
    model = format_of(path)
    if model is PaytableFile:
        tables = load_paytables(path, readings=catalog.readings)
        notices = (notice for table in tables for decks in table.decks for notice in table_notices(table, decks))
        return Verdict(file, f"OK, {counted(len(tables), 'paytable')}", tuple(notices))
    draft, problems = load_salvaged(path, model)
    problems += _complaints(catalog, file, draft, problems)
    notes = layout_notices(catalog, draft.entry) if isinstance(draft.entry, Layout) and not problems else ()
    return Verdict(file, "OK", tuple(notes), tuple(problems))


def _complaints(catalog: Catalog, file: str, draft: Salvaged[CatalogModel], problems: list[Problem]) -> list[Problem]:
    """Problems that show only against the rest of the catalog, in a file that could be read at least in part."""
    complaints: Iterable[tuple[str, str]] = ()
    if isinstance(draft.entry, Game):
        complaints = game_complaints(catalog, draft.entry, draft.doubtful)
    if isinstance(draft.entry, Layout):
        complaints = layout_complaints(catalog, draft.entry, draft.doubtful)
    places = [problem.place.replace(", ", ".") for problem in problems]
    return [
        Problem(file=file, place=place, sentence=sentence)
        for place, sentence in complaints
        if not any(f"{other}.".startswith(f"{place}.") for other in places)  # its own mistake may be the reason
    ]
