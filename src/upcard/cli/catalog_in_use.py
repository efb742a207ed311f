"""The catalog that a command works with: the shipped one, with the user's workspaces and files laid over it.

Workspaces come from `--catalog`, or else from UPCARD_CATALOG, or else from `catalog` in ./upcard.toml. A file that the
user names instead of a game, layout or kind comes on top; if it lies in a workspace, that workspace does. This is the
one place where the command line keeps them; everything below it is given a catalog.
"""

import os
import tomllib
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.problems import BadRequest

if TYPE_CHECKING:  # most commands load it; those that do not start faster
    from upcard.catalog import Catalog

FILE = "upcard.toml"
VARIABLE = "UPCARD_CATALOG"

_given: ContextVar[tuple[str, ...]] = ContextVar("_given", default=())
_files: ContextVar[tuple[Path, ...]] = ContextVar("_files", default=())
_opened: ContextVar["Catalog | None"] = ContextVar("_opened", default=None)


def use_workspaces(folders: tuple[str, ...]) -> None:
    """Sets the workspaces of the command that is running."""
    _given.set(folders)
    _files.set(())
    _opened.set(None)


def use_file(path: Path) -> None:
    """Lays a catalog file that the user has named over the catalog in use, with the workspace that it lies in."""
    from upcard.catalog.index import SHIPPED, part_of

    own = workspace_of(path)
    if own is not None and path.parent.name == part_of(path):
        path = own
    resolved = path.resolve()
    if not any(resolved.is_relative_to(folder.resolve()) for folder in (SHIPPED, *workspaces_in_use())):
        _files.set((*_files.get(), path))


def use_workspace(folder: Path) -> None:
    """Lays a workspace that the user has named over the catalog in use."""
    if folder.resolve() not in [used.resolve() for used in workspaces_in_use()]:
        _files.set((*_files.get(), folder))


def workspace_of(path: Path) -> Path | None:
    """The folder that a file belongs to if that folder is a workspace."""
    return path.parent.parent if path.parent.name in _PARTS else None


_PARTS = ("kinds", "paytables", "games", "layouts", "jurisdictions")


def workspaces_in_use() -> tuple[Path, ...]:
    """The folders, the first at the bottom."""
    named = _given.get() or tuple(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))) or _of_file(Path(FILE))
    folders = tuple(Path(name) for name in named)
    for folder in folders:
        if "\0" in str(folder) or not folder.is_dir():
            raise BadRequest(f"there is no workspace {str(folder)!r}; `upcard init {folder}` makes one")
    return (*folders, *(path for path in _files.get() if path.is_dir()))


def catalog_in_use() -> "Catalog":
    """One object for each command: its files are read once."""
    from upcard.catalog import Catalog, open_catalog

    folders, single = workspaces_in_use(), tuple(path for path in _files.get() if not path.is_dir())
    catalog = _opened.get()
    if catalog is None or (catalog.workspaces, catalog.single_files) != (folders, single):
        catalog = Catalog(None, folders, single) if folders or single else open_catalog()
        _opened.set(catalog)
    return catalog


def left_out() -> list[str]:
    """What the command left out of the catalog that it used: bad files, and names that its workspaces hide."""
    catalog = _opened.get()
    if catalog is None:
        return []
    problems = [f"{problem} (left out)" for problem in catalog.problems(loaded_only=True)]
    return [*problems, *catalog.hidden(loaded_only=True)]


def catalog_with(workspace: Path) -> "Catalog":
    """The catalog in use with one more workspace on top."""
    from upcard.catalog import Catalog

    folders = workspaces_in_use()
    return catalog_in_use() if workspace in folders else Catalog(None, (*folders, workspace))


def chart_in_use(name: str) -> str:
    """A workspace's chart of this name as its file; any other name as it is."""
    if not name or not set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"):
        return name
    files = [folder / "charts" / f"{name}.csv" for folder in workspaces_in_use()]
    return next((str(path) for path in reversed(files) if path.is_file()), name)


def _of_file(path: Path) -> tuple[str, ...]:
    """The workspaces that a settings file names, as paths from its own folder."""
    if not path.is_file():
        return ()
    try:
        value = tomllib.loads(path.read_text(encoding="utf-8")).get("catalog", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadRequest(f"{path}: {error}") from None
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadRequest(f'{path}: write catalog as a folder or a list of folders, like catalog = "my-house"')
    return tuple(names)
