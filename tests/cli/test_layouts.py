"""Commands that take a layout: its readings are in force, and it may be a file of the user's own."""

from pathlib import Path

import pytest
from support.cli_runner import upcard
from support.terminal_player import stacked, type_keys

from upcard.catalog import shipped
from upcard.cli.layout_lookup import find_layout
from upcard.cli.play.sitting import Sitting
from upcard.pit import open_table
from upcard.units import Cents


def file_of(folder: Path, layout: str, readings: str) -> str:
    """A copy of a shipped layout with readings of its own."""
    text = (shipped().folder / "layouts" / f"{layout}.toml").read_text()
    head, _, wagers = text.partition("[[")
    path = folder / "mine.toml"
    path.write_text(f"{head}[readings]\n{readings}\n\n[[{wagers}")
    return str(path)


def test_a_layout_with_a_reading_that_tables_cannot_play_is_refused_at_its_place(tmp_path: Path) -> None:
    path = file_of(tmp_path, "lucky-ladies", 'R9 = "until-reveal"')
    answer = upcard("check", path)
    assert answer.code == 2
    assert "readings.R9, line 14, column 7: R9 = 'until-reveal' cannot be chosen: a table takes this" in answer.err


def test_the_main_game_is_priced_by_the_readings_of_a_layout(tmp_path: Path) -> None:
    path = file_of(tmp_path, "bet-bigger", 'R1 = "stand"\nR2 = "not-offered"')
    by_layout = upcard("odds", "main", "--layout", path, "--json").json
    by_rules = upcard(
        "odds", "main", "--game", "002", "--set", "soft17=stand", "--set", "surrender=none", "--json"
    ).json
    assert by_layout["rules"] == by_rules["rules"]
    assert by_layout["ev_percent"] == by_rules["ev_percent"]
    chart = upcard("strategy", "--layout", path, "--json").json
    assert (
        chart == upcard("strategy", "--game", "002", "--set", "soft17=stand", "--set", "surrender=none", "--json").json
    )
    assert upcard("odds", "main", "--game", "000", "--layout", path).code == 2


@pytest.mark.parametrize(
    ("layout", "readings", "table", "option"),
    [
        ("bet-bigger", 'R1 = "stand"', "002 Break Bonus", ("R1", "stand")),
        ("lucky-ladies", 'R9 = "before-peek"', "PT-FLT-BB-01", ("R9", "before-peek")),
        ("lucky-ladies-jackpot", 'R7 = "for-1"', "001 Lucky Ladies", ("R7", "for-1")),
    ],
)
def test_a_side_wager_is_priced_by_the_readings_of_a_layout(
    tmp_path: Path, layout: str, readings: str, table: str, option: tuple[str, str]
) -> None:
    """The price is that of the option in the list of all readings, where it is the one chosen."""
    path = file_of(tmp_path, layout, readings)
    priced = upcard("odds", table, "--layout", path, "--json").json
    usual = upcard("odds", table, "--decks", "6", "--json").json
    assert priced["edge"] != usual["edge"]
    rows = upcard("odds", table, "--layout", path, "--readings", "--json").json["readings"]
    (chosen,) = (row for row in rows if (row["reading"], row["option"]) == option)
    assert chosen["chosen"]
    assert chosen["edge"] == priced["edge"]


def test_a_wager_that_is_lost_with_the_hand_is_priced_only_with_its_play(tmp_path: Path) -> None:
    path = file_of(tmp_path, "bet-bigger", 'R6 = "lost"')
    refused = upcard("odds", "002 Break Bonus", "--layout", path)
    assert refused.code == 2
    assert "is lost with the hand at bet-bigger (R6)" in refused.err
    rows = upcard("odds", "002 Break Bonus", "--layout", path, "--readings", "--json").json["readings"]
    assert {row["option"]: row["chosen"] for row in rows if row["reading"] == "R6"} == {
        "stays-live": False,
        "lost": True,
    }


def test_a_layout_that_does_not_offer_the_table_is_refused() -> None:
    refused = upcard("odds", "DA6/1", "--layout", "bet-bigger")
    assert refused.code == 2
    assert "bet-bigger does not offer DA6/1" in refused.err


def test_a_file_is_simulated_by_its_readings(tmp_path: Path) -> None:
    path = file_of(tmp_path, "lucky-ladies-jackpot", 'R7 = "for-1"')
    by_file, usual = (
        upcard("simulate", "001", "--rounds", "20000", "--seed", "3", "--threads", "1", "--json", *words).json
        for words in (("--layout", path), ())
    )
    means = [
        next(wager["mean"] for wager in run["wagers"] if wager["wager"] == "Lucky Ladies") for run in (by_file, usual)
    ]
    hits = next(wager["hits"] for wager in usual["wagers"] if wager["wager"] == "Lucky Ladies")
    assert means[0] == pytest.approx(means[1] - sum(hits.values()) / 20_000)


def sitting(layout: str, readings: dict[str, str], cards: str) -> Sitting:
    chosen = shipped().layout(layout).model_copy(update={"readings": readings})
    return Sitting(open_table(shipped(), chosen), spots=1, bankroll=Cents(1000_00), shoes=stacked(cards))


def test_a_double_for_less_is_asked_once_where_all_wagers_go_alike() -> None:
    """R30, in the terminal."""
    at = type_keys(sitting("the-brook", {"R30": "same-proportion"}, "5c 6h 6d Td 9h 9s"), "5 down 5 enter l")
    assert at.amount_prompt is not None
    assert at.amount_prompt.sentence.startswith("Double each of 2 main wagers by how much? $0.50 to $5")
    type_keys(at, "2 enter")
    assert [(slip.wager, slip.stake) for slip in at.slips] == [("Ante", 700), ("Bet Bigger 2", 700)]


def test_the_terminal_asks_for_bust_bonus_before_the_peek() -> None:
    """R9: then comes insurance, and the dealer's blackjack takes both."""
    at = type_keys(sitting("lucky-ladies", {"R9": "before-peek"}, "Tc Ah 9d Kh"), "5 enter")
    assert at.stage.value == "late wagers"
    type_keys(at, "5 enter")
    assert at.stage.value == "insurance"
    type_keys(at, "n")
    assert at.net == -10_00


def test_the_terminal_keeps_one_of_four_wagers_small() -> None:
    """R31: whichever circle is raised."""
    at = type_keys(sitting("double-action-with-21-3", {}, ""), "6 down 6 down down 6 down 5")
    assert at.note == ""
    type_keys(at, "2")
    assert at.note == ("One of the 4 wagers on spot 1 must be $5 or less: lower one of them, or take one back.")


def test_a_name_is_looked_up_before_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bet-bigger").write_text("not a layout")
    assert find_layout("bet-bigger") is shipped().layout("bet-bigger")
