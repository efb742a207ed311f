"""The kinds of wager of a catalog: those written in its files, and those that installed packages bring.

A kind is compiled when it is used; packages are searched only for a name that no file has.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from upcard.catalog.kind_file import KindEntry
from upcard.problems import BadRequest
from upcard.wagers import DealerHandKind, DealKind, Kind

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "upcard.kinds"  # each names a `DealKind` or a `DealerHandKind`


class CatalogKinds(Mapping[str, Kind]):
    """The kinds by name; a file's kind hides a package's."""

    def __init__(self, written: Mapping[str, KindEntry]) -> None:
        self.written = written
        self._kinds: dict[str, Kind] = {}

    @cached_property
    def _packaged(self) -> Mapping[str, "EntryPoint"]:
        from importlib.metadata import entry_points  # takes as long as a small catalog

        return {point.name: point for point in entry_points(group=ENTRY_POINTS)}

    def __getitem__(self, name: str) -> Kind:
        if name not in self._kinds:
            if name in self.written:
                self._kinds[name] = self.written[name].written().kind()
            else:
                self._kinds[name] = _loaded(self._packaged[name])
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self.written, **self._packaged})

    def __len__(self) -> int:
        return len({**self.written, **self._packaged})

    def __contains__(self, name: object) -> bool:
        return name in self.written or name in self._packaged


def _loaded(point: "EntryPoint") -> Kind:
    try:
        kind = point.load()
    except (ImportError, AttributeError) as error:
        raise BadRequest(f"the wager kind {point.name} of {point.value} cannot be loaded: {error}") from None
    if not isinstance(kind, DealKind | DealerHandKind) or kind.name != point.name:
        raise BadRequest(f"{point.value} is not a wager kind named {point.name}")
    return kind
