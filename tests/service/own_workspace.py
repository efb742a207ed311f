"""A workspace for tests: the one that `upcard init` writes, with a wager of its own kind."""

import shutil
import tempfile
from pathlib import Path

from upcard.catalog.workspace_files import files_in
from upcard.cli.commands.init_run import make_workspace

LAYOUT, WAGER = "my-bet-bigger", "Lucky Nines"
PAYTABLE = "paytables/lucky-nines.toml"


def own_files(start: str = "bet-bigger") -> dict[str, str]:
    folder = Path(tempfile.mkdtemp())
    try:
        make_workspace(str(folder), start)
        return files_in(folder)
    finally:
        shutil.rmtree(folder)


def paying(files: dict[str, str], pays: int) -> dict[str, str]:
    """The same files, with another pay for three nines."""
    text = files[PAYTABLE].replace("three-nines = 100", f"three-nines = {pays}")
    assert text != files[PAYTABLE]
    return {**files, PAYTABLE: text}
