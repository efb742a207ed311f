"""A user's own files, laid over the shipped catalog."""

import json
import pickle
import re
from pathlib import Path

import pytest
from support.cli_runner import upcard

from upcard.catalog import Catalog, open_catalog, shipped
from upcard.catalog.game import Game
from upcard.catalog.layout import Layout
from upcard.cli.commands import init_comments
from upcard.odds.audit import audit
from upcard.odds.dealer_hands import terms_of
from upcard.odds.price import price
from upcard.pit import open_table
from upcard.pit.terms import derive

LIBRARY = Path(__file__).parents[2] / "library"
KIND = """
[[kind]]
name = "{name}"
reads = ["first", "second"]
[kind.events]
pair = "{condition}"
"""
PAYTABLE = """
wager = "{wager}"
basis = "to 1"
decks = 6
[[paytable]]
name = "{name}"
pays = {{ pair = 11 }}
published = [{{ figure = "house advantage", printed = "{printed}" }}]
"""


def workspace(folder: Path, *, kind: str = "nines", condition: str = "all are 9", printed: str = "92.90%") -> Path:
    for part in ("kinds", "paytables"):
        (folder / part).mkdir(parents=True)
    (folder / "kinds" / "mine.toml").write_text(KIND.format(name=kind, condition=condition))
    (folder / "paytables" / "mine.toml").write_text(PAYTABLE.format(wager=kind, name="Mine", printed=printed))
    return folder


def test_two_versions_of_a_kind_live_in_one_process(tmp_path: Path) -> None:
    nines, pairs = (
        open_catalog(None, (workspace(tmp_path / name, condition=condition),))
        for name, condition in (("one", "all are 9"), ("two", "all share rank"))
    )
    edges = [price(catalog.paytable("Mine"), 6).edge for catalog in (nines, pairs)]
    assert edges[0] > edges[1]
    assert "nines" not in shipped().kinds


def test_a_name_that_hides_a_shipped_one_is_reported(tmp_path: Path) -> None:
    catalog = Catalog(None, (workspace(tmp_path / "house", kind="perfect-pair"),))
    assert catalog.kind("perfect-pair").events == ("pair",)
    (hidden,) = catalog.hidden()
    file = tmp_path / "house" / "kinds" / "mine.toml"
    assert hidden == f"the kind perfect-pair of {file} hides the shipped one"
    assert shipped().kind("perfect-pair").events == ("suited-pair", "unsuited-pair")
    assert "001-lucky-ladies-jackpot.toml" in str(catalog.problems()[0])  # whose paytable no longer fits
    assert "bet-bigger" in catalog.games


def test_one_bad_file_is_listed_and_the_rest_can_be_used(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "house")
    (folder / "kinds" / "bad.toml").write_text(KIND.format(name="bad", condition="all are nine or"))
    (folder / "paytables" / "bad.toml").write_bytes(b"\xff\xfe")
    (folder / "layouts").mkdir()
    (folder / "layouts" / "bad.toml").write_text("title = 3\n")
    (folder / "paytables" / "out.toml").symlink_to(shipped().folder / "paytables" / "002-bet-bigger.toml")
    catalog = Catalog(None, (folder,))
    files = {Path(problem.file).relative_to(folder).as_posix() for problem in catalog.problems()}
    assert files == {"kinds/bad.toml", "paytables/bad.toml", "layouts/bad.toml", "paytables/out.toml"}
    assert price(catalog.paytable("Mine"), 6).edge > 0
    assert "bet-bigger" in catalog.layouts


def test_a_catalog_of_workspaces_is_opened_once_in_another_process(tmp_path: Path) -> None:
    catalog = open_catalog(None, (workspace(tmp_path / "house"),))
    assert pickle.loads(pickle.dumps(catalog)) is open_catalog(catalog.folder, catalog.workspaces)


def test_the_command_line_finds_a_workspace_by_option_variable_and_settings_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace(tmp_path / "house", kind="spare-nines")
    monkeypatch.chdir(tmp_path)
    assert "spare-nines" not in upcard("kinds").out
    assert "spare-nines" in upcard("kinds", "--catalog", "house").out
    assert "spare-nines" in upcard("--catalog", "house", "kinds").out
    assert "Mine" in upcard("odds", "Mine", "--catalog", str(folder)).out
    Path("upcard.toml").write_text('catalog = "house"\n')
    assert "spare-nines" in upcard("kinds").out
    Path("upcard.toml").unlink()
    monkeypatch.setenv("UPCARD_CATALOG", str(folder))
    assert "spare-nines" in upcard("kinds").out
    refused = upcard("kinds", "--catalog", "nowhere")
    assert (refused.code, "there is no workspace 'nowhere'" in refused.err) == (2, True)


def test_check_warns_of_a_false_claim_and_audit_recomputes_it(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "house", printed="92.00%")
    checked = upcard("check", str(folder))
    assert (checked.code, "92.00% is not right" in " ".join(checked.out.split())) == (0, True)
    assert "1 figure: 0 agree, 1 do not." in upcard("audit", str(folder)).out
    file = str(folder / "paytables" / "mine.toml")
    (finding,) = upcard("audit", file, "--json", "--catalog", str(folder)).json
    assert finding["agrees"] is False


def test_the_library_is_priced_to_every_published_digit_or_reported_as_wrong() -> None:
    catalog = open_catalog(None, (LIBRARY,))
    assert catalog.problems() == ()
    assert catalog.hidden() == ()
    tables = [catalog.paytables[name] for name in catalog.own("paytables")]
    assert len({table.kind.name for table in tables}) >= 12
    assert all(table.published and table.place.startswith("http") for table in tables)
    figures = list(audit(catalog, tables))
    assert len(figures) >= 100
    wrong = {figure.paytable: figure.note for figure in figures if not figure.agrees}
    assert wrong.keys() == {"Perfect Pairs 30-10-5", "Bet the Set 15-10", "21+3 100-40-30-10-5"}
    assert "it should read 10.6109" in wrong["Bet the Set 15-10"]
    assert "it should read 3.70" in wrong["21+3 100-40-30-10-5"]


def test_a_wager_on_the_dealers_hand_is_priced_under_the_game_that_lists_its_table() -> None:
    """Two games of the library have the wager: one dealer hits soft 17, the other stands."""
    catalog = open_catalog(None, (LIBRARY,))
    tables = [catalog.paytable(f"Dealer Bust at 5 to 2{name}") for name in ("", ", stands on soft 17")]
    assert [terms_of(catalog, table).soft17 for table in tables] == ["hit", "stand"]


@pytest.mark.parametrize("game", ["000", "001", "002", "003", "004"])
def test_a_new_workspace_passes_check_and_its_game_is_dealt(game: str, tmp_path: Path) -> None:
    folder = str(tmp_path / f"house-{game}")
    assert upcard("init", folder, "--from", game).code == 0
    checked = upcard("check", folder)
    assert (checked.code, checked.err) == (0, "")
    catalog = Catalog(None, (Path(folder),))
    assert catalog.problems() == ()
    (slug,) = catalog.own("layouts")
    for part in ("games", "layouts"):
        (file,) = (Path(folder) / part).iterdir()
        assert file.read_text().count(" # ") >= 8
    assert "Lucky Nines" in derive(open_table(catalog, catalog.layout(slug))).wagers
    assert "exists already" in upcard("init", folder).err


def test_the_comments_of_a_new_workspace_name_keys_and_values_that_exist() -> None:
    for part, model in (("games", Game), ("layouts", Layout)):
        schema = json.dumps(model.model_json_schema())
        for key, comment in init_comments.KEYS[part].items():
            assert f'"{key}": ' in schema
            for value in re.findall('"([^"]+)"', comment):
                assert f'"{value}"' in schema
        if part == "games":
            assert all(f'"{name}": ' in schema for name in init_comments.PARTS)


def test_a_file_of_a_workspace_is_checked_with_that_workspace(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    assert upcard("init", str(folder)).code == 0
    for file in folder.rglob("*.toml"):
        checked = upcard("check", str(file))
        assert (checked.code, checked.err) == (0, ""), file


def test_audit_leaves_a_bad_file_out_and_says_how_to_publish_a_figure(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "house", printed="93.17%")
    (folder / "kinds" / "bad.toml").write_text("kind = 3")
    audited = upcard("audit", str(folder))
    assert (audited.code, "1 figure: 1 agree" in audited.out) == (0, True)
    assert "kinds/bad.toml: kind, line 1, column 8: this must be a list, not 3 (left out)" in audited.err
    assert upcard("init", str(tmp_path / "new")).code == 0
    assert (
        "publishes no figures. A paytable publishes one with published = ["
        in upcard("audit", str(tmp_path / "new")).out
    )


def test_check_says_that_a_line_is_never_paid_because_of_a_higher_one(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "house")
    (folder / "kinds" / "mine.toml").write_text(
        '[[kind]]\nname = "nines"\nreads = ["first", "second"]\n'
        'events = { pair = "all share rank", perfect = "all share card" }\n'
    )
    (folder / "paytables" / "mine.toml").write_text(
        'wager = "nines"\nbasis = "to 1"\ndecks = "1-3"\n'
        '[[paytable]]\nname = "Mine"\npays = { pair = 6, perfect = 25 }\n'
    )
    said = upcard("check", str(folder)).out
    assert said.count("Perfect is never paid: its hands are all a higher event of the table") == 1
    assert "Perfect cannot happen with 1 deck" in said
    assert "never: always a higher event too" in upcard("kinds", "nines", "--catalog", str(folder)).out
