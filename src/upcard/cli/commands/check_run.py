"""`upcard check`: catalog files, each with all its problems."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from upcard.catalog.fields import CatalogModel
from upcard.catalog.game import Game
from upcard.catalog.game_checks import game_complaints, layout_notices, table_notices
from upcard.catalog.index import Catalog, part_of
from upcard.catalog.kind_file import KindFile, load_kinds
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import complaints_of, format_of, load_paytables, load_salvaged
from upcard.catalog.paytable import PaytableFile
from upcard.catalog.problem_places import with_lines
from upcard.catalog.salvage import Salvaged
from upcard.cli.catalog_files import catalog_under
from upcard.cli.catalog_in_use import FILE, catalog_in_use, catalog_with, workspace_of
from upcard.cli.output import counted, write_json, write_lines
from upcard.odds.audit import AuditedFigure, audit
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
    catalog = catalog_under(jurisdiction, catalog_in_use())
    verdicts = [
        verdict
        for file in files
        for verdict in (
            _folder(Path(file), jurisdiction)
            if Path(file).is_dir()
            else [_verdict(_catalog_for(Path(file), jurisdiction) or catalog, Path(file))]
        )
    ]
    problems = with_lines(problem for verdict in verdicts for problem in verdict.problems)
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


def _catalog_for(path: Path, jurisdiction: str | None) -> Catalog | None:
    """For a file that lies in a workspace, the catalog with that workspace."""
    folder = workspace_of(path)
    try:
        return (
            catalog_under(jurisdiction, catalog_with(folder)) if folder and path.parent.name == part_of(path) else None
        )
    except BadFile:
        return None  # checking it says what is wrong


def _folder(folder: Path, jurisdiction: str | None) -> list[Verdict]:
    """Every file of a workspace, checked together with the rest of it, and the names that it hides."""
    catalog = catalog_under(jurisdiction, catalog_with(folder))
    problems = catalog.problems()
    bad = {problem.file for problem in problems}
    good = [path for path in sorted(folder.rglob("*.toml")) if str(path) not in bad and path.name != FILE]
    hidden = tuple(f"Notice: {text}" for text in catalog.hidden())
    mine = tuple(problem for problem in problems if Path(problem.file).is_relative_to(folder))
    return [Verdict(str(folder), "a workspace", hidden, mine), *(_verdict(catalog, path) for path in good)]


def _verdict(catalog: Catalog, path: Path) -> Verdict:
    try:
        return _check(catalog, path)
    except BadFile as bad:
        return Verdict(str(path), problems=bad.problems)


def _check(catalog: Catalog, path: Path) -> Verdict:
    file = str(path)
    model = format_of(path)
    if model is PaytableFile:
        tables = load_paytables(path, catalog.kinds, readings=catalog.readings)
        notices = [notice for table in tables for decks in table.decks for notice in table_notices(table, decks)]
        false = [f"Warning: {_claim(figure)}" for figure in audit(catalog, tables) if not figure.agrees]
        return Verdict(file, f"OK, {counted(len(tables), 'paytable')}", tuple(dict.fromkeys((*notices, *false))))
    if model is KindFile:
        return Verdict(file, f"OK, {counted(len(load_kinds(path)), 'kind')} of wager")
    draft, problems = load_salvaged(path, model)
    problems += _complaints(catalog, file, draft, problems)
    notes = layout_notices(catalog, draft.entry) if isinstance(draft.entry, Layout) and not problems else ()
    return Verdict(file, "OK", tuple(notes), tuple(problems))


def _claim(figure: AuditedFigure) -> str:
    place = f"{figure.paytable}, {counted(figure.decks, 'deck')}"
    reason = figure.note.removeprefix("wrong: ")
    return f"{place}: the published {figure.figure} {figure.published} is not right: {reason}"


def _complaints(catalog: Catalog, file: str, draft: Salvaged[CatalogModel], problems: list[Problem]) -> list[Problem]:
    """Problems that show only against the rest of the catalog, in a file that could be read at least in part."""
    complaints: Iterable[tuple[str, str]] = ()
    if isinstance(draft.entry, Game):
        complaints = game_complaints(catalog, draft.entry, draft.doubtful)
    if isinstance(draft.entry, Layout):
        complaints = layout_complaints(catalog, draft.entry, draft.doubtful)
    return complaints_of(file, problems, complaints)
