"""Bad input gets one clear sentence, a suggestion where a name is similar, exit code 2, and no traceback."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cli_runner import upcard

from upcard.catalog import shipped


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("odds", "LL-3"), "there is no paytable 'LL-3'; did you mean PT-BJS-LL-30"),
        (("odds", "zzzz"), "there is no paytable 'zzzz'; `upcard paytables` lists them"),
        (("odds", "DA4/1", "--decks", "0"), "--decks must be between 1 and 100, not 0"),
        (("odds", "DA4/1", "--decks", "-1"), "--decks must be between 1 and 100, not -1"),
        (("odds", "PT-FLT-TOP3-01", "--decks", "3"), "PT-FLT-TOP3-01 is for 4-8 decks, not 3"),
        (("odds", "DA4/1", "--decks", "six"), "invalid value for '--decks': Input should be a valid integer"),
        (("odds",), "name a paytable, such as upcard odds DA6/1 --decks 6, or use --all"),
        (("odds", "DA4/1", "--all"), "--all prices every paytable as filed"),
        (("odds", "DA4/1", "--suit", "heart"), "there is no suit 'heart'; did you mean hearts?"),
        (("odds", "DA4/1", "--without", "Qx"), "--without: 'Qx' is not a card like Qh, Ts or Ac"),
        (("odds", "DA4/1", "--without", "Qh Qh Qh Qh Qh"), "4 decks hold 4 Qh, not 5"),
        (("odds", "DA4/1", "--wager", "much"), "--wager: 'much' is not an amount of money"),
        (("odds", "DA4/1", "--pay", "straight"), "write a pay as event=pay"),
        (("odds", "DA4/1", "--pay", "straight=3", "--pay", "straight=4"), "straight has two pays"),
        (("odds", "DA4/1", "--pay", "straigt=3"), "did you mean straight"),
        (("odds", "DA4/1", "--pay", "straight=3", "--all"), "--all prices every paytable as filed"),
        (("odds", "DA4/1", "--pay", "straight=3", "--readings"), "--readings cannot be combined with --pay"),
        (("odds", "DA4/1", "--count", "hi-low"), "there is no count 'hi-low'; did you mean hilo"),
        (("odds", "DA4/1", "--gone", "52"), "--gone needs --count"),
        (("odds", "DA4/1", "--count", "hilo", "--without", "Qh"), "give the number of cards out with --gone"),
        (("odds", "LL/JP 5", "--decks", "2", "--json", "--meter", "9" * 400), "at most $100,000,000,000"),
        (("odds", "LL/JP 5", "--wager", "9" * 400), "--wager: an amount of money may be at most $100,000,000,000"),
        (("odds", "/dev/zero"), "/dev/zero: this file is over 1 MB"),
        (("odds", "LL/JP 5", "--wager", "$0"), "--wager must be more than zero"),
        (("odds", "DA4/1", "--meter", "$5"), "DA4/1 pays no jackpot"),
        (("odds", "001 Lucky Ladies", "--meter", "$5"), "say which meter, like --meter MEGA=$5"),
        (("odds", "001 Lucky Ladies", "--meter", "MIGA=$5"), "there is no jackpot 'MIGA'; did you mean MEGA"),
        (("odds", "001 Lucky Ladies", "--wager", "$7"), "it takes $5 or $10"),
        (("odds", "match-madness"), "match-madness is a kind of wager; name one of its paytables: MM4/1"),
        (("odds", "second-action"), "second-action is a kind of wager; name one of its paytables: DA2/1"),
        (
            ("odds", "insurance", "--decks", "1", "--without", "As Ac Ad Ah"),
            "insurance is offered only with an ace up, and none is left",
        ),
        (("odds", "insurance", "--decks", "1", "--without", "As As"), "1 deck holds 1 As, not 2"),
        (("odds", "000 Galaxy Bonus Jackpot", "--wager", "$10"), "does not take $10; it takes $5"),
        (("odds", "PT-FLT-BB-01", "--decks", "9"), "PT-FLT-BB-01 is for 1-8 decks, not 9"),
        (("odds", "main"), "say which game"),
        (("odds", "nowhere.toml"), "nowhere.toml: cannot be read: no such file or directory"),
        (("odds", "/"), "/: this is a directory, not a file"),
        (("odds", ""), "there is no paytable ''"),
        (("odds", "\x00"), "there is no paytable"),
        (("paytables", "DA4"), "did you mean DA4/1"),
        (("paytables", "--toml"), "--toml needs the name of a paytable"),
        (("games", "005"), "there is no game '005'"),
        (("games", "duble-action"), "did you mean double-action"),
        (("kinds", "madness"), "did you mean match-madness"),
        (("schema", "pytable"), "did you mean paytable"),
        (("check", "nowhere.toml"), "no such file"),
        (("check",), "missing argument 'FILE'"),
        (("pytables",), "no such command 'pytables'"),
        (("odds", "--deks", "6"), "no such option: --deks"),
        (("odds", "DA4/1", "DA4/2"), "odds takes one name, and a game only after main"),
    ],
)
def test_one_clear_sentence_and_exit_code_2(words: tuple[str, ...], sentence: str) -> None:
    result = upcard(*words)
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.startswith("upcard: ")
    assert sentence in result.err
    assert "Traceback" not in result.err


def test_every_mistake_in_a_file_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("wager = ")
    assert "not valid TOML: invalid value (at end of document)" in upcard("odds", str(path)).err
    path.write_text(
        'wager = "21+3"\nbasis = "to 1"\n[[paytable]]\nname = "A"\npay = { flush = 5 }\npays = { flush = -5 }\n'
    )
    result = upcard("odds", str(path), "--decks", "6")
    assert result.code == 2
    assert result.err.splitlines() == [
        f"upcard: {path}: paytable A, pays.flush, line 6, column 18: a pay cannot be negative: -5",
        f"upcard: {path}: paytable A, pay, line 5, column 7: unknown key; did you mean pays or paytable?",
    ]


def test_check_lists_the_problems_of_all_files(tmp_path: Path) -> None:
    layout = tmp_path / "layout.toml"
    layout.write_text(
        'slug = "x"\ngame = "the-brook"\ntitle = "X"\ndecks = 8\nspots = 9\nshuffler = "hand"\n'
        'posted_minimum = "$5"\nchip = "$1"\n[[wager]]\nname = "Lucky Ladies"\npaytable = "001 Lucky Ladies"\n'
    )
    missing_file = tmp_path / "none.toml"
    result = upcard("check", str(layout), str(missing_file))
    assert result.code == 2
    assert len(result.err.splitlines()) == 8
    for sentence in (
        "played with 6 decks, not 8",
        "at most 6 spots",
        "must be one of",
        "must offer Ante",
        "no such file",
    ):
        assert sentence in result.err


LAYOUT = """
slug = "x"
game = "the-brook"
title = "X"
decks = 8
spots = "x"
shuffler = "hand"
posted_minimum = "$5"
chip = "$0"

[[wager]]
name = "Ante"
amount = "$5"

[[wager]]
name = "Lucky Ladies"
paytable = "000 Lucky Ladies"
max = 20

[[wager]]
nmae = "Suited Royals"

[[jackpot]]
wager = "Galaxy Bonus Jackpot"
plan = "bonus"
"""


def test_rules_are_checked_even_if_a_layout_has_wrong_keys(tmp_path: Path) -> None:
    path = tmp_path / "layout.toml"
    path.write_text(LAYOUT)
    errors = [line.removeprefix(f"upcard: {path}: ") for line in upcard("check", str(path)).err.splitlines()]
    assert [sentence.split(":")[0] for sentence in errors] == [
        "spots, line 6, column 10",
        "chip, line 9, column 9",
        "rounding, line 1, column 1",
        "wager Lucky Ladies, max, line 18, column 7",
        "wager[2], name, line 20, column 1",
        "wager[2], nmae, line 21, column 9",
        "decks, line 5, column 9",
        "wager Ante, line 11, column 1",
        "jackpot Galaxy Bonus Jackpot, line 23, column 1",
        "jackpot Galaxy Bonus Jackpot, line 23, column 1",
        "house_rules, line 1, column 1",
    ]


def test_a_game_with_a_wrong_key_is_still_checked_against_the_catalog(tmp_path: Path) -> None:
    text = (shipped().folder / "games" / "000-the-brook.toml").read_text()
    path = tmp_path / "game.toml"
    path.write_text(text.replace("hands = 3", 'hands = "3"').replace('["000 Suited Royals"]', '["000 Suited Loyals"]'))
    errors = upcard("check", str(path)).err
    assert "rules, hands, line 27, column 10: input should be a valid integer, not '3'" in errors
    assert "wager Suited Royals, line 107, column 15: there is no paytable '000 Suited Loyals'" in errors


def test_check_lists_each_problem_with_its_place_in_json(tmp_path: Path) -> None:
    path = tmp_path / "layout.toml"
    path.write_text(LAYOUT)
    valid_file = str(shipped().folder / "layouts" / "lucky-ladies-jackpot-two-decks.toml")
    result = upcard("check", str(path), valid_file, "--json")
    assert (result.code, result.err) == (2, "")
    assert result.json["problems"][0] == {
        "file": str(path),
        "place": "spots, line 6, column 10",
        "sentence": "input should be a valid integer, not 'x'",
    }
    assert [(problem["file"], problem["place"]) for problem in result.json["notices"]] == [(valid_file, "")] * 3
    assert upcard("check", valid_file, "--json").code == 0


def test_a_file_that_is_not_a_catalog_file_is_refused() -> None:
    result = upcard("check", str(Path(__file__).parents[2] / "pyproject.toml"))
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "this is not a catalog file" in result.err


@given(st.lists(st.one_of(st.text(max_size=12), st.sampled_from(["odds", "--decks", "6", "--json", "DA4/1", "--all"]))))
def test_no_command_line_causes_a_traceback(words: list[str]) -> None:
    result = upcard(*words)
    assert result.code in (0, 2)
    assert "Traceback" not in result.out + result.err
