"""The catalog that a process works with: the program's files, its own workspaces, and over them the revision that is
published in the book.

The book says which revision is in force, and a transaction that needs the catalog asks the book. A process that finds a
new revision there loads its files from the book. If they cannot be used, the process keeps the catalog it has.
"""

import logging
import threading
from dataclasses import dataclass, field

import sqlalchemy as sa

from upcard.catalog.index import Catalog
from upcard.catalog.workspace_files import Files, WorkspaceOnDisk
from upcard.ledger import workspaces
from upcard.ledger.house_state import HouseState

_log = logging.getLogger(__name__)

KEPT = 4  # catalogs of other revisions: the next one, and those before


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedRevision:
    """A catalog, and the revision it is of; 0: nothing is published."""

    number: int
    content: str
    catalog: Catalog


@dataclass(eq=False)
class HouseCatalog:
    """The catalogs of a process, by revision."""

    base: Catalog  # the program's files, with the workspaces that the process was given
    current: LoadedRevision = field(init=False)
    _catalogs: dict[str, tuple[Catalog, WorkspaceOnDisk]] = field(
        default_factory=dict
    )  # by content, the last at the end
    _unusable: set[str] = field(default_factory=set)  # contents that could not be loaded
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.current = LoadedRevision(number=0, content="", catalog=self.base)

    def in_force(self, connection: sa.Connection, house: HouseState) -> LoadedRevision:
        """The revision in force in the book; if it cannot be loaded, the one that this process has."""
        current = self.current
        if (current.number, current.content) == (house.revision, house.content) or house.content in self._unusable:
            return current
        with self._lock:
            catalog = self.find(connection, house.content) if house.content else self.base
            if catalog is not None:
                self.current = LoadedRevision(number=house.revision, content=house.content, catalog=catalog)
            else:  # not tried again for every command
                self._unusable.add(house.content)
                _log.error("revision %d of the catalog cannot be used; run upcard ledger check", house.revision)
        return self.current

    def find(self, connection: sa.Connection, content: str) -> Catalog | None:
        """The catalog with the files of a revision; None if they are missing or were changed."""
        with self._lock:
            if content in self._catalogs:
                return self._catalogs[content][0]
            try:
                files = workspaces.find(connection, content)
            except ValueError as error:
                files = None
                _log.error("the catalog cannot be read from the book: %s", error)
            return None if files is None else self.prepare(content, files)

    def prepare(self, content: str, files: Files) -> Catalog:
        """Loads files before they are published, so that no command waits for them."""
        with self._lock:
            if content not in self._catalogs:
                on_disk = WorkspaceOnDisk(files)
                catalog = Catalog(self.base.folder, (*self.base.workspaces, on_disk.folder))
                for problem in catalog.problems():  # loads every file
                    _log.warning("left out of the catalog: %s", problem)
                self._catalogs[content] = catalog, on_disk
                self._forget_others(content)
            return self._catalogs[content][0]

    def _forget_others(self, content: str) -> None:
        """Keeps a few catalogs: the worker processes open one by its folder, which is deleted with it."""
        unused = [name for name in self._catalogs if name not in (content, self.current.content)]
        for name in unused[:-KEPT]:
            del self._catalogs[name]
