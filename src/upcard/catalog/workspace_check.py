"""Checks the files of a workspace before they are published: every problem of every file, and what they bring."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from upcard.catalog.index import Catalog
from upcard.catalog.ruleset import ruleset_of
from upcard.catalog.workspace_files import Files, WorkspaceOnDisk, file_problems, is_path
from upcard.problems import Problem, UpcardError


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceReport:
    """What is wrong with a workspace, what it changes in the shipped catalog, and the names it brings."""

    problems: tuple[Problem, ...]
    notices: tuple[str, ...]  # names that it hides, and shipped files that no longer fit
    kinds: tuple[str, ...] = ()
    paytables: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()


def check_files(files: Files) -> WorkspaceReport:
    """Checks files as a workspace over the shipped catalog. Files with a bad name are reported, the rest is checked."""
    problems = file_problems(files)
    bad = {problem.file for problem in problems}
    on_disk = WorkspaceOnDisk({path: text for path, text in files.items() if is_path(path) and path not in bad})
    try:
        catalog = Catalog(None, (on_disk.folder,))
        loading = [*catalog.problems(), *_unusable(catalog)]
        inside = [problem for problem in loading if Path(problem.file).is_relative_to(on_disk.folder)]
        problems += [_relative(problem, on_disk.folder) for problem in inside]
        left_out = [_relative(problem, catalog.folder) for problem in loading if problem not in inside]
        hidden = [text.replace(f"{on_disk.folder}/", "") for text in catalog.hidden()]
        return WorkspaceReport(
            problems=tuple(problems),
            notices=(*hidden, *(f"the shipped file no longer fits and is left out: {problem}" for problem in left_out)),
            kinds=catalog.own("kinds"),
            paytables=catalog.own("paytables"),
            games=catalog.own("games"),
            layouts=catalog.own("layouts"),
        )
    finally:
        on_disk.delete()


def _unusable(catalog: Catalog) -> Iterator[Problem]:
    """Layouts that load, but of which no rules can be made."""
    for slug in catalog.own("layouts"):
        try:
            ruleset_of(catalog, slug)
        except UpcardError as error:
            yield Problem(file=str(catalog.workspaces[-1] / f"layouts/{slug}.toml"), place="", sentence=str(error))


def _relative(problem: Problem, folder: Path) -> Problem:
    file = Path(problem.file)
    path = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else problem.file
    sentence = problem.sentence.replace(f"{folder}/", "")
    return Problem(file=path, place=problem.place, sentence=sentence)
