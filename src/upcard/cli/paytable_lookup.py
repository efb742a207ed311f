"""Finding the paytables a user names."""

from pathlib import Path

from upcard.catalog import shipped
from upcard.catalog.load import load_paytables
from upcard.catalog.paytable import Paytable
from upcard.problems import UnknownName


def find_paytables(name: str) -> list[Paytable]:
    """The paytable of a name, or those of a file; a name is looked up before a path."""
    try:
        return [shipped().paytable(name)]
    except UnknownName:
        path = Path(name)
        if name.strip() and "\0" not in name and (path.suffix == ".toml" or path.exists()):
            return load_paytables(path, readings=shipped().readings)
        raise
