"""A game that is added to the shipped catalog breaks none of the catalog's own tests."""

import inspect
import shutil

import pytest
from catalog import test_catalog
from support.cli_runner import upcard

from upcard.catalog import Catalog, shipped

TESTS = [
    name
    for name, test in vars(test_catalog).items()
    if name.startswith("test_") and inspect.isfunction(test) and not inspect.signature(test).parameters
]


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The shipped files with a game, a layout, a paytable and a kind more."""
    folder = tmp_path_factory.mktemp("grown")
    assert upcard("init", str(folder / "own"), "--from", "002").code == 0
    shutil.copytree(shipped().folder, folder / "catalog", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(folder / "own", folder / "catalog", dirs_exist_ok=True)
    return Catalog(folder / "catalog")


def test_the_game_was_added(grown: Catalog) -> None:
    assert grown.games.keys() - shipped().games.keys() == {"my-bet-bigger"}
    assert grown.layouts.keys() - shipped().layouts.keys() == {"my-bet-bigger"}
    assert grown.paytables.keys() - shipped().paytables.keys() == {"Lucky Nines 1"}
    assert grown.kinds.keys() - shipped().kinds.keys() == {"lucky-nines"}


@pytest.mark.parametrize("name", TESTS)
def test_what_the_catalog_promises_holds_with_it(name: str, grown: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_catalog, "CATALOG", grown)
    getattr(test_catalog, name)()
