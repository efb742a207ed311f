"""Finding the paytables a user names."""

from pathlib import Path

from upcard.catalog.index import part_of
from upcard.catalog.load import load_paytables
from upcard.catalog.paytable import Paytable
from upcard.cli.catalog_in_use import catalog_in_use, use_file, workspace_of
from upcard.cli.layout_lookup import is_path
from upcard.problems import BadFile, UnknownName


def find_paytables(name: str) -> list[Paytable]:
    """The paytable of a name, or those of a file; a name is looked up before a path."""
    try:
        return [catalog_in_use().paytable(name)]
    except UnknownName:
        if not is_path(name):
            raise
    path = Path(name)
    if workspace_of(path) is not None and _is_of_paytables(path):
        use_file(path)  # with the kinds of its workspace
    catalog = catalog_in_use()
    return load_paytables(path, catalog.kinds, readings=catalog.readings)


def _is_of_paytables(path: Path) -> bool:
    try:
        return part_of(path) == "paytables"
    except BadFile:
        return False  # loading it says what is wrong
