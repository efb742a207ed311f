"""Forty bad files in one workspace: every problem is listed at once, with line and column, and stops nothing."""

import re
from pathlib import Path

import pytest
from support.cli_runner import upcard
from support.own_games import own_game

from upcard.catalog import Catalog, shipped
from upcard.catalog.toml_places import TomlPlaces
from upcard.odds.price import price

KINDS = '[[kind]]\nname = "nines"\nreads = ["first", "second"]\nevents = { pair = "all are 9" }\n'


def kind(events: str, *, reads: str = '["first", "second", "up"]', more: str = "") -> str:
    """A kind's file; its events begin on line 4, in column 1."""
    return f'[[kind]]\nname = "KIND"\nreads = {reads}\n{events}\n{more}'


def table(pays: str, *, head: str = 'wager = "nines"', more: str = "") -> str:
    """A paytable's file; its pays are line 5."""
    return f'{head}\nbasis = "to 1"\n[[paytable]]\nname = "TABLE"\npays = {pays}\n{more}'


LAYOUT = """slug = "LAYOUT"
game = "own"
title = "Bad"
decks = 6
spots = 6
shuffler = "hand"
posted_minimum = "$5"
chip = "$1"
rounding = "up"
[[wager]]
name = "Ante"
"""
# Each file with every problem it has: line, column (None: of the whole file), and words of the sentence.
Expected = list[tuple[int | None, int | None, str]]
BAD: dict[str, tuple[str | bytes, Expected]] = {
    "kinds/01-unknown-word": (kind('events = { a = "upp is A" }'), [(4, 17, "did you mean up")]),
    "kinds/02-unknown-event-in-a-condition": (
        kind('events = { a = "pear and up is A" }'),
        [(4, 17, "'pear' is unknown")],
    ),
    "kinds/03-impossible-event": (
        kind('[kind.events]\na = "up is A and up is K"'),
        [(5, None, "no cards can be this")],
    ),
    "kinds/04-bad-expression": (kind('[kind.events]\na = "up is A and or first is K"'), [(5, 18, "'or' is unknown")]),
    "kinds/05-two-bad-expressions": (
        kind('[kind.events]\na = "up is"\nb = "first share rank"'),
        [(5, 11, "the end is no rank"), (6, 12, "needs two cards")],
    ),
    "kinds/06-cyclic-reference": (
        kind('[kind.events]\na = "b"\nb = "not a"'),
        [(5, 6, "'b' leads back to 'a'"), (6, 10, "'a' leads back to 'b'")],
    ),
    "kinds/07-cycle-of-lets": (
        kind('[kind.let]\nx = "y"\ny = "x"\n[kind.events]\na = "x"'),
        [(5, 6, "leads back"), (6, 6, "leads back")],
    ),
    "kinds/08-ace-not-stated": (kind('events = { a = "all run" }'), [(4, 24, "say how aces count")]),
    "kinds/09-reserved-name": (kind('[kind.events]\nall = "up is A"'), [(5, None, "means something else")]),
    "kinds/10-card-not-read": (
        kind('events = { a = "hole is A" }', reads='["first", "second"]'),
        [(4, 17, "does not read the hole card")],
    ),
    "kinds/11-one-card": (kind('events = { a = "up is A" }', reads='["up"]'), [(3, None, "two to four cards")]),
    "kinds/12-unknown-card": (kind('events = { a = "up is A" }', reads='["up", "third"]'), [(3, 17, "is not one of")]),
    "kinds/13-wrong-example": (
        kind('events = { a = "up is A" }', more='examples = { a = ["2c 3c 4c"] }\n'),
        [(5, None, "is no event, not a")],
    ),
    "kinds/14-example-of-too-few-cards": (
        kind('events = { a = "up is A" }', more='examples = { a = ["2c Ac"] }\n'),
        [(5, None, "should be 3 cards")],
    ),
    "kinds/15-example-of-no-event": (
        kind('events = { a = "up is A" }', more='examples = { b = ["2c 2d Ac"] }\n'),
        [(5, None, "there is no event 'b'")],
    ),
    "kinds/16-hole-card-without-settles": (
        kind('events = { a = "up is A" }', reads='["up", "hole"]'),
        [(3, None, "goes with the hole card")],
    ),
    "kinds/17-dealers-total-too-high": (
        kind('events = { a = "total is 26" }', reads='"dealer hand"'),
        [(4, 26, "17 to 21, or a bust")],
    ),
    "kinds/18-impossible-dealers-hand": (
        kind('events = { a = "bust and cards is 2" }', reads='"dealer hand"'),
        [(4, None, "no hand of the dealer can be this event")],
    ),
    "kinds/19-no-events": ('[[kind]]\nname = "none"\nreads = ["up", "first"]\nevents = {}\n', [(4, 10, "is empty")]),
    "kinds/20-bad-name": (
        '[[kind]]\nname = "Two Words"\nreads = ["up", "first"]\nevents = { a = "up is A" }\n',
        [(2, 9, "pattern")],
    ),
    "kinds/21-too-many-ways": (
        kind(
            'events = { a = "2 of all are Ah/2c/3d/4s/5h/6c/7d/8s/9h/Tc/Jd/Qs/Kh" }',
            reads='["first", "second", "up", "hole"]',
            more='settles = "peek"\n',
        ),
        [(4, None, "ties ranks to suits in more than 64 ways")],
    ),
    "kinds/22-name-used-twice": (
        kind('events = { a = "up is A" }') + kind('events = { a = "up is A" }'),
        [(6, None, "this name is used twice")],
    ),
    "paytables/23-unknown-event": (table("{ pair = 11, trips = 30 }"), [(5, 29, "no nines event 'trips'")]),
    "paytables/24-unknown-kind": (
        table("{ pair = 11 }", head='wager = "tens"'),
        [(1, None, "there is no wager kind 'tens'")],
    ),
    "paytables/25-wrong-decks": (
        table("{ pair = 11 }", more='decks = 0\npublished = [\n  { figure = "house advantage", printed = "x" },\n]\n'),
        [(6, 9, "deck"), (8, 44, "pattern")],
    ),
    "paytables/26-negative-pay": (table("{ pair = -1 }"), [(5, 17, "a pay cannot be negative")]),
    "paytables/27-unknown-figure": (
        table("{ pair = 1 }", more='published = [{ figure = "edge", printed = "5%" }]\n'),
        [(6, 26, "'edge' is not one of")],
    ),
    "paytables/28-unknown-key": (table("{ pair = 1 }", more="pay = 3\n"), [(6, 7, "unknown key; did you mean pays")]),
    "paytables/z29-name-of-another-file": (
        table("{ pair = 1 }").replace("TABLE", "nines"),
        [(3, 1, "used in another file too")],
    ),
    "paytables/30-not-utf-8": (
        b'wager = "nines"\nbasis = "\xff"\n',
        [(2, None, "not UTF-8 text: see line 2, byte 10")],
    ),
    "paytables/31-not-toml": ("wager = \n", [(1, 9, "not valid TOML")]),
    "paytables/32-ten-megabytes": ("# " + "x" * 10_000_000, [(None, None, "over 1 MB")]),
    "paytables/33-a-key-twice": ('wager = "nines"\nwager = "nines"\n', [(2, None, "cannot overwrite a value")]),
    "paytables/34-not-a-paytable": ('title = "mine"\n', [(None, None, "it has no [[paytable]]")]),
    "layouts/35-unknown-game": (LAYOUT.replace('"own"', '"nowhere"'), [(2, 9, "there is no game 'nowhere'")]),
    "layouts/36-wrong-decks-and-spots": (
        LAYOUT.replace("decks = 6", "decks = 9").replace("spots = 6", "spots = 8"),
        [(4, 9, "not 9"), (5, 9, "at most 7 spots")],
    ),
    "layouts/37-unknown-wager-and-key": (
        LAYOUT + 'color = "red"\n[[wager]]\nname = "Tens"\n',
        [(12, 10, "unknown key"), (14, 9, "there is no wager 'Tens'")],
    ),
    "layouts/38-unknown-paytable": (
        LAYOUT + '[[wager]]\nname = "nines"\npaytable = "tens"\n',
        [(12, 1, "its paytable must be one of nines")],
    ),
    "games/39-half-a-game": (
        'number = "9"\nslug = "half"\nname = "Half"\nrules = 3\n',
        [(4, 9, "must be a table of keys"), (1, 11, "pattern")],
    ),
    "jurisdictions/40-no-limits": (
        'slug = "moon"\nname = "Moon"\nhouse_jackpot_winners = "never"\nlimits = []\n',
        [(3, 26, "is not one of"), (4, 10, "empty")],
    ),
    "layouts/41-leads-out": ("", [(None, None, "this leads out of the workspace")]),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = own_game(tmp_path_factory.mktemp("bad") / "house", kinds=KINDS, pays={"nines": {"pair": 11}})
    for number, (name, (content, _)) in enumerate(BAD.items()):
        path = folder / f"{name}.toml"
        if "leads-out" in name:
            path.symlink_to(shipped().folder / "layouts" / "the-brook.toml")
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            names = {"KIND": f"kind-{number}", "TABLE": f"Table {number}", "LAYOUT": f"layout-{number}"}
            for word, unique in names.items():
                content = content.replace(word, unique)
            path.write_text(content)
    return folder


@pytest.fixture(scope="module")
def catalog(house: Path) -> Catalog:
    return Catalog(None, (house,))


@pytest.mark.parametrize("name", BAD)
def test_every_problem_of_a_bad_file_has_its_line_and_column(name: str, house: Path, catalog: Catalog) -> None:
    file = str(house / f"{name}.toml")
    texts = [str(problem).removeprefix(f"{file}: ") for problem in catalog.problems() if problem.file == file]
    for line, column, words in BAD[name][1]:
        fitting = [text for text in texts if words in text]
        assert fitting, texts
        if line is not None:
            place = rf"line {line}, column {column}\b" if column is not None else rf"line {line}\b"
            assert re.search(place, fitting[0]), fitting[0]
        texts.remove(fitting[0])
    assert name.startswith("games/") or not texts  # half a game also lacks most keys


def test_a_workspace_of_bad_files_is_checked_at_once_and_its_good_files_are_played(
    house: Path, catalog: Catalog, tmp_path: Path
) -> None:
    checked = upcard("check", str(house))
    assert checked.code == 2
    for name in BAD:
        assert f"{house / name}.toml: " in checked.err
    assert f"{house}/games/own.toml: OK" in checked.out
    assert price(catalog.paytable("nines"), 6).edge > 0
    played = upcard(
        "bots", str(tmp_path / "b.db"), "--layout", "own", "--rounds", "2", "--chart", "usual", "--catalog", str(house)
    )
    assert played.code == 0
    assert upcard("ledger", "check", str(tmp_path / "b.db")).code == 0


def test_files_that_only_miss_what_a_bad_file_should_bring_say_so_in_one_sentence(tmp_path: Path) -> None:
    """A mistake in one kind takes with it its paytable, the game of that, and every layout of the game."""
    folder = own_game(tmp_path / "house", kinds=KINDS, pays={"nines": {"pair": 11}})
    kinds = folder / "kinds" / "own.toml"
    kinds.write_text(KINDS.replace("all are 9", "all are nine-ish"))
    problems = [str(problem).replace(f"{folder}/", "") for problem in Catalog(None, (folder,)).problems()]
    assert problems[0].startswith("kinds/own.toml: kind nines, events.pair, line 4, column 28: 'nine-ish' is no rank")
    assert problems[1:] == [
        "paytables/own.toml: paytable nines, wager, line 4, column 10: "
        "this needs 'nines' of kinds/own.toml, which has mistakes",
        "games/own.toml: wager nines, line 61, column 9: this needs 'nines' of kinds/own.toml, which has mistakes",
        "layouts/own.toml: game, line 3, column 9: this needs 'own' of games/own.toml, which has mistakes",
    ]


def test_the_place_of_a_value_is_found_however_the_file_is_written() -> None:
    text = (
        '# a = 1\n\'a\' = [ # [\n  { b = 1, "c d" = \'x\' },\n  {b.e="""]\n"""}, [2, 3]]\n'
        "[[list]]\nx = 1\n[[list]] # ]\nx.y = '''#'''\n[list.sub]\nz = \"\\\"\"\nw = 2\n"
    )
    places = TomlPlaces(text)
    found = {
        ("a",): (2, 6),
        ("a", 0, "b"): (3, 8),
        ("a", 0, "c d"): (3, 20),
        ("a", 1, "b", "e"): (4, 10),
        ("a", 2, 1): (5, 10),
        ("list", 0, "x"): (7, 4),
        ("list", 1): (8, 0),
        ("list", 1, "x", "y"): (9, 9),
        ("list", 1, "sub", "z"): (11, 5),
        ("list", 1, "sub", "w"): (12, 4),
        ("list", 1, "none"): (8, 0),
        ("none",): (1, 0),
    }
    assert {path: places.find(*path) for path in found} == found
