"""The files of a layout as they are written, for somebody who starts their own from them."""

import re
from collections.abc import Iterator
from pathlib import Path

from upcard.catalog.index import Catalog
from upcard.problems import BadRequest


def files_of_layout(catalog: Catalog, name: str) -> dict[str, str]:
    """The text of a layout's file and of its game's, by path."""
    layout = catalog.layout(name)
    files = {
        path: text
        for part, slug in (("layouts", layout.slug), ("games", layout.game))
        for path, text in _texts(catalog, part, slug)
    }
    if not files:
        raise BadRequest(f"the files of {layout.slug} are not here")
    return files


def _texts(catalog: Catalog, part: str, slug: str) -> Iterator[tuple[str, str]]:
    """The file of a part that has this slug: of the last folder that has one."""
    for folder in reversed((catalog.folder, *catalog.workspaces)):
        for path in _files(folder / part):
            text = path.read_text(encoding="utf-8")
            if re.search(rf'^slug\s*=\s*"{re.escape(slug)}"', text, flags=re.MULTILINE):
                yield f"{part}/{path.name}", text
                return


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.toml") if not path.is_symlink())
