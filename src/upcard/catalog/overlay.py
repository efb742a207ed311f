"""One part of a catalog, such as its paytables, put together from the files of several folders."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from upcard.problems import BadFile, Problem

Entry = TypeVar("Entry")


class Overlay(Generic[Entry]):
    """The entries by name. A workspace's entry hides an earlier folder's; `base` is the folder of the shipped files.

    A `strict` part refuses a bad file; any other lists its problems and leaves it out. So is a shipped file that no
    longer fits because a workspace hides what it needs.
    """

    def __init__(self, what: str, base: Path, *, strict: bool) -> None:
        self.what, self.base, self.strict = what, base, strict
        self.entries: dict[str, Entry] = {}
        self.problems: list[Problem] = []
        self.hidden: list[str] = []
        self.own: dict[str, None] = {}  # names, in the order of the files
        self._folders: dict[str, Path] = {}

    def add(self, path: Path, load: Callable[[Path], Mapping[str, Entry]], *, own: bool) -> None:
        """Adds the entries of a file; `own` files are those of a workspace."""
        try:
            loaded = load(path)
            sentence = "this name is used in another file too"
            twice = [name for name in loaded if self._folders.get(name) == path.parent]
            if twice:
                raise BadFile([Problem(file=str(path), place=f"{self.what} {n}", sentence=sentence) for n in twice])
        except BadFile as bad:
            if self.strict:
                raise
            from upcard.catalog.problem_places import with_lines  # which a good catalog does not need

            self.problems += with_lines(bad.problems)
            return
        for name, entry in loaded.items():
            if name in self.entries:
                folder = self._folders[name]
                hidden = "the shipped one" if folder.is_relative_to(self.base) else f"that of {folder}"
                self.hidden.append(f"the {self.what} {name} of {path} hides {hidden}")
            self.entries[name] = entry
            self._folders[name] = path.parent
            if own:
                self.own[name] = None
