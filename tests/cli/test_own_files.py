"""A user's own files in every command: a workspace with `--catalog`, and a file wherever a name may stand."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli_runner import upcard
from support.own_games import own_game
from typer.main import get_command

from upcard.cli.app import app

KINDS = """
[[kind]]
name = "nines"
reads = ["first", "second"]
events = { pair = "all are 9", one = "any of all are 9" }
"""
PAYS = {"nines": {"pair": 30, "one": 3}}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a workspace, a copy of its layout, a book that bots have played in, and a backup of it."""
    folder = tmp_path_factory.mktemp("own")
    own_game(folder / "house", kinds=KINDS, pays=PAYS)
    shutil.copy(folder / "house" / "layouts" / "own.toml", folder / "copy.toml")
    (folder / "house" / "charts").mkdir()
    (folder / "house" / "charts" / "mine.csv").write_text(upcard("strategy", "000", "--csv").out)
    book, catalog = str(folder / "house.db"), ("--catalog", str(folder / "house"))
    assert upcard("bots", book, "--layout", "own", "--rounds", "3", "--chart", "usual", *catalog).code == 0
    assert upcard("backup", book, str(folder / "copy.db")).code == 0
    return folder


@pytest.fixture
def here(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(made)
    return made


def commands(group: object = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    group = get_command(app) if group is None else group
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        elif not command.hidden:
            yield (*path, name)


# Each command with words under which it succeeds, or the sentence with which it refuses.
EVERY_COMMAND: dict[tuple[str, ...], tuple[tuple[str, ...], str]] = {
    ("games",): (("own",), ""),
    ("paytables",): (("nines",), ""),
    ("odds",): (("nines", "--decks", "6"), ""),
    ("strategy",): (("own",), ""),
    ("simulate",): (("own", "--rounds", "1000", "--strategy", "mine"), ""),
    ("audit",): ((), ""),
    ("kinds",): (("nines",), ""),
    ("check",): (("house",), ""),
    ("init",): (("made",), ""),
    ("init-house",): (("--example",), ""),
    ("schema",): (("kind",), ""),
    ("replay",): (("none.round",), "none.round"),
    ("verify-shoe",): (("--layout", "own"), "a shoe's record has layout"),
    ("jackpots",): (("house.db",), ""),
    ("controls",): (("own",), ""),
    ("play",): (("own",), "needs a terminal"),
    ("backup",): (("house.db", "again.db", "--force"), ""),
    ("restore",): (("copy.db", "back.db", "--force"), ""),
    ("doctor",): (("house.db",), ""),
    ("bots",): (("more.db", "--layout", "own", "--rounds", "1", "--chart", "usual"), ""),
    ("serve",): (("--host", "nowhere.invalid", "--book", "house.db"), "nowhere.invalid"),
    ("ledger", "check"): (("house.db",), ""),
    ("ledger", "checkpoint"): (("house.db",), ""),
    ("ledger", "public-key"): (("house.db",), ""),
    ("ledger", "rotate-key"): (("none.db", "--by", "Ann"), "the operator's key is missing"),
    ("ledger", "statement"): (("house.db", "tray:own-1"), ""),
    ("ledger", "report"): (("house.db",), ""),
    ("ledger", "migrate"): (("house.db",), ""),
    ("ledger", "accept-restore"): (("none.db", "--by", "Ann"), "the operator's key is missing"),
    ("ledger", "grants"): (("house.db",), ""),
    ("catalog", "publish"): (("none.db", "house", "--by", "Ann"), "none.db"),
    ("catalog", "list"): (("house.db",), ""),
    ("catalog", "compare"): (("house.db", "7"), "7"),
    ("catalog", "restore"): (("none.db", "1", "--by", "Ann"), "none.db"),
    ("catalog", "export"): (("house.db", "exported"), "nothing was published"),
    ("people", "list"): (("house.db",), ""),
    ("people", "set-up"): (("none.db",), "none.db"),
    ("people", "invite"): (("none.db", "Bob", "--role", "player", "--by", "Ann"), "none.db"),
    ("people", "disable"): (("none.db", "Bob", "--by", "Ann"), "none.db"),
    ("people", "enable"): (("none.db", "Bob", "--by", "Ann"), "none.db"),
    ("people", "roles"): (("none.db", "Bob", "--role", "player", "--by", "Ann"), "none.db"),
    ("people", "recover"): (("none.db", "Bob"), "none.db"),
}


def test_the_table_of_commands_is_complete() -> None:
    assert set(commands()) == set(EVERY_COMMAND)


@pytest.mark.parametrize("command", EVERY_COMMAND, ids=" ".join)
@pytest.mark.usefixtures("here")
def test_every_command_works_with_a_workspace(command: tuple[str, ...]) -> None:
    words, refusal = EVERY_COMMAND[command]
    result = upcard(*command, *words, "--catalog", "house")
    if refusal:
        assert (result.code, refusal in result.err) == (2, True), result.err
    else:
        assert result.code == 0, result.err
        assert "Traceback" not in result.err


GAME, LAYOUT, TABLES, KIND = (f"house/{part}/own.toml" for part in ("games", "layouts", "paytables", "kinds"))


@pytest.mark.parametrize(
    ("by_file", "by_name"),
    [
        (("games", GAME), ("games", "own")),
        (("kinds", KIND), ("kinds", "nines")),
        (("paytables", TABLES), ("paytables", "nines")),
        (("odds", TABLES, "--decks", "6"), ("odds", "nines", "--decks", "6")),
        (("odds", "nines", "--layout", LAYOUT), ("odds", "nines", "--layout", "own")),
        (("strategy", GAME), ("strategy", "own")),
        (("strategy", LAYOUT), ("strategy", "own", "--layout", "own")),
        (("strategy", "--game", GAME), ("strategy", "own")),
        (("controls", LAYOUT), ("controls", "own")),
        (("simulate", GAME), ("simulate", "own")),
        (("simulate", LAYOUT), ("simulate", "own")),
        (("simulate", "--layout", LAYOUT), ("simulate", "own")),
        (("simulate", "own", "--layout", LAYOUT), ("simulate", "own")),
        (("simulate", "--game", GAME), ("simulate", "own")),
        (("simulate", "own", "--strategy", "house/charts/mine.csv"), ("simulate", "own", "--strategy", "mine")),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_file_may_stand_where_a_name_may(by_file: tuple[str, ...], by_name: tuple[str, ...]) -> None:
    """A file in a workspace brings that workspace along: its game, its kinds and its other files."""
    run = ("--rounds", "2000", "--seed", "1", "--csv") if by_file[0] == "simulate" else ()
    with_catalog = ("--catalog", "house") if "own" in by_file or "nines" in by_file else ()
    named, filed = upcard(*by_name, *run, "--catalog", "house"), upcard(*by_file, *run, *with_catalog)
    assert (named.code, named.err) == (0, "")
    assert (filed.code, filed.err, filed.out) == (0, "", named.out)


@pytest.mark.usefixtures("here")
def test_the_main_game_of_a_file_is_valued() -> None:
    named = upcard("odds", "main", "own", "--json", "--catalog", "house").json
    for words in (("main", GAME), ("main", "--game", GAME)):
        filed = upcard("odds", *words, "--json").json
        assert filed["ev_percent"] == named["ev_percent"]


@pytest.mark.usefixtures("here")
def test_a_file_outside_any_workspace_is_laid_over_those_in_use() -> None:
    """Of the same name, it hides the workspace's and says so."""
    copy = upcard("simulate", "copy.toml", "--rounds", "1000", "--catalog", "house")
    assert copy.code == 0
    assert "the layout own of copy.toml hides that of house/layouts" in copy.err
    alone = upcard("simulate", "copy.toml", "--rounds", "1000")
    assert (alone.code, alone.err) == (
        2,
        "upcard: copy.toml: game, line 3, column 9: there is no game 'own'; `upcard games` lists them\n",
    )
    assert "needs a terminal" in upcard("play", "copy.toml", "--catalog", "house").err
    assert upcard("bots", "other.db", "--layout", LAYOUT, "--rounds", "1", "--chart", "usual").code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("games", TABLES), "this is a file of paytables, not of a game or a layout"),
        (("simulate", KIND), "this is a file of kinds, not of a game or a layout"),
        (("games", "none.toml"), "none.toml: cannot be read: no such file or directory"),
        (("kinds", GAME), "house/games/own.toml"),
        (("play",), "say which game"),
        (("simulate", "000", "--game", "002"), "000 and --game 002 contradict each other"),
        (("simulate", "000", "--layout", LAYOUT), "own is a layout of own"),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_file_of_another_kind_is_refused_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = upcard(*words)
    assert (result.code, sentence in result.err) == (2, True), result.err


def test_a_bad_file_of_a_workspace_is_reported_by_whatever_leaves_it_out(here: Path, tmp_path: Path) -> None:
    folder = tmp_path / "house"
    shutil.copytree(here / "house", folder)
    (folder / "kinds" / "bad.toml").write_text('[[kind]]\nname = "bad"\nreads = ["up"]\nevents = { a = "up is" }\n')
    result = upcard("kinds", "--catalog", str(folder))
    assert (result.code, "nines" in result.out) == (0, True)
    assert "kind bad, events.a, line 4" in result.err
    assert result.err.count("(left out)") == 2
    assert upcard("schema", "kind", "--catalog", str(folder)).err == ""  # which reads no catalog


@pytest.mark.usefixtures("here")
def test_a_saved_run_is_continued_without_any_other_option(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = ("simulate", "own", "--strategy", "house/charts/mine.csv", "--seed", "7", "--fresh", "--seats", "2")
    file = str(tmp_path / "one.run")
    assert upcard(*words, "--rounds", "3000", "--save", file, "--catalog", "house").code == 0
    whole = upcard(*words, "--rounds", "9000", "--csv", "--catalog", "house").out
    monkeypatch.chdir(tmp_path)  # from any folder
    assert upcard("simulate", "--top-up", file, "--rounds", "9000", "--csv").out == whole
    assert upcard("simulate", "--merge", file, "--csv").out == whole
    refused = upcard("simulate", "--top-up", file, "--rounds", "9000", "--seats", "3")
    assert (refused.code, "is a run with other settings" in refused.err) == (2, True)


@pytest.mark.usefixtures("here")
def test_a_day_and_jackpots_are_printed_as_csv() -> None:
    header, row = upcard("ledger", "report", "house.db", "--csv").out.splitlines()
    day = dict(zip(header.split(","), row.split(","), strict=True))
    assert (day["table"], day["rounds"], day["opener"]) == ("own-1", "3", "1000000.00")
    assert (
        upcard("bots", "jackpots.db", "--layout", "lucky-ladies-jackpot", "--rounds", "1", "--chart", "usual").code == 0
    )
    lines = upcard("jackpots", "jackpots.db", "--csv").out.splitlines()
    assert lines[0] == "jackpot,plan,meter,amount,tables,wagers,hits,paid,pending wins,stopped"
    assert len(lines) > 1
    name = lines[1].split(",")[0]
    history = upcard("jackpots", "jackpots.db", name, "--csv").out.splitlines()
    assert history[0] == "day,meter,reason,before,after,command,by"
    assert len(history) > 1


@pytest.mark.parametrize("command", EVERY_COMMAND, ids=" ".join)
def test_a_wrong_option_points_to_the_commands_own_help(command: tuple[str, ...]) -> None:
    result = upcard(*command, "--no-such-option")
    assert result.code == 2
    assert result.err.endswith(f"see upcard {' '.join(command)} --help\n")


def test_the_module_is_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "upcard", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("upcard ")
