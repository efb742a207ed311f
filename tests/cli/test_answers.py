"""What programs get: the JSON contract, clean and exact."""

import csv
import io
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from run import upcard

from upcard.catalog import shipped


def test_paytables_come_in_the_form_of_the_contract() -> None:
    tables = {table["name"]: table for table in upcard("paytables", "--json").json}
    assert len(tables) == 85
    da = tables["DA6/4"]
    assert {key: da[key] for key in ("slug", "wager", "filing", "decks", "basis")} == {
        "slug": "da6-4",
        "wager": "double-action",
        "filing": "004",
        "decks": [6],
        "basis": "to 1",
    }
    assert [(line["event"], line["pays"]) for line in da["lines"]] == [
        ("suited-three-of-a-kind", 100),
        ("straight-flush", 45),
        ("three-of-a-kind", 20),
        ("straight", 6),
        ("flush", 3),
        ("match", 1),
    ]
    mega = tables["001 Lucky Ladies"]["lines"][0]["pays"]
    assert mega == {"jackpot": "MEGA", "share": "1", "by_stake": {"$5": "1/2", "$10": "1"}}
    assert tables["PT-BJS-LL-28"]["lines"][1]["pays"] == {"jackpot": "Lucky Ladies Jackpot", "share": "1/4"}
    assert tables["PT-FLT-213-03"]["decks"] == [2, 3, 4, 5, 6, 7, 8]


def test_one_price_is_exact_and_adds_up() -> None:
    price = upcard("odds", "DA4/1", "--decks", "4", "--json").json
    assert (price["paytable"], price["wager"], price["decks"]) == ("DA4/1", "double-action", 4)
    assert Fraction(price["edge"]) == Fraction(5110, 92391)
    assert price["edge_percent"] == pytest.approx(5.530841748655172)
    chances = [Fraction(line["probability"]) for line in price["lines"]]
    assert sum(chances) + Fraction(price["loss"]["probability"]) == 1
    assert sum(chances) == Fraction(price["hit_rate"])
    assert price["jackpots"] == []
    assert price["break_even_meter"] is None
    assert Fraction(price["variance"]) > 0


def test_a_jackpot_price_carries_its_meter() -> None:
    price = upcard("odds", "LL/JP 13", "--decks", "6", "--json").json
    (jackpot,) = price["jackpots"]
    assert jackpot["share"] == "1"
    even = Fraction(price["break_even_meter"])
    assert even * Fraction(jackpot["edge_per_meter_dollar"]) == -Fraction(price["edge"])
    at = upcard("odds", "LL/JP 13", "--decks", "6", "--meter", "$1,000", "--json").json["at_meters"]
    assert Fraction(at["edge"]) == Fraction(price["edge"]) + 1000 * Fraction(jackpot["edge_per_meter_dollar"])


def test_001s_three_jackpots_each_have_a_break_even_of_their_own() -> None:
    price = upcard("odds", "001 Lucky Ladies", "--decks", "6", "--json").json
    assert [one["jackpot"] for one in price["jackpots"]] == ["MEGA", "MAJOR", "MINOR"]
    assert {name: round(Fraction(even), 2) for name, even in price["break_even_meter"].items()} == {
        "MEGA": Fraction(576048),
        "MAJOR": Fraction(192016),
        "MINOR": Fraction("32002.67"),
    }


def test_all_prices_are_a_list_of_every_table_and_deck_count() -> None:
    prices = upcard("odds", "--all", "--json").json
    expected = [
        (table.name, decks)
        for table in shipped().paytables.values()
        if table.kind.name not in ("break-bonus", "bust-bonus")
        for decks in table.decks
    ]
    assert [(price["paytable"], price["decks"]) for price in prices] == expected
    for price in prices:
        lines = sum(Fraction(line["probability"]) for line in price["lines"])
        assert lines + Fraction(price["loss"]["probability"]) == 1


def test_the_suit_matters_to_suit_specific_awards() -> None:
    hearts, spades = (
        upcard("odds", "PT-BJS-LL-34", "--decks", "6", "--suit", suit, "--json").json for suit in ("hearts", "spades")
    )
    assert Fraction(hearts["lines"][0]["probability"]) < Fraction(spades["lines"][0]["probability"])


def test_removed_cards_change_a_price() -> None:
    price = upcard("odds", "000 Lucky Ladies", "--decks", "6", "--without", "Qh Qh Qh Qh Qh", "--json").json
    assert price["lines"][0]["probability"] == "0/1"
    assert price["decks"] is None


def test_the_audit_lists_every_figure_and_ends_well_though_some_are_wrong() -> None:
    result = upcard("audit", "--json")
    assert result.code == 0
    assert len(result.json) == 46
    keys = {"filing", "paytable", "decks", "figure", "published", "exact", "agrees", "note"}
    assert all(keys <= set(one) for one in result.json)
    wrong = upcard("audit", "--wrong", "--json").json
    assert wrong == [one for one in result.json if not one["agrees"]]
    assert wrong


def test_games_say_their_wagers_readings_and_layouts() -> None:
    game = upcard("games", "004", "--json").json
    assert game["slug"] == "double-action"
    assert {wager["name"]: wager["pay_order"] for wager in game["wagers"]} == {
        "Blackjack": "left to right",
        "Double Action": "right to left",
        "2nd Action": "right to left",
        "Match Madness": "right to left",
    }
    assert {reading["id"] for reading in game["readings"]} >= {"R15", "R16", "R31"}
    assert [one["slug"] for one in upcard("games", "--json").json] == [
        "the-brook",
        "lucky-ladies-jackpot",
        "bet-bigger",
        "lucky-ladies",
        "double-action",
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("paytables",),
        ("paytables", "da6-4"),
        ("odds", "--all"),
        ("odds", "LL/JP 7", "--decks", "5"),
        ("audit",),
        ("kinds",),
        ("games",),
        ("kinds", "21+3"),
    ],
)
def test_csv_is_a_header_and_rows_of_one_length(words: tuple[str, ...]) -> None:
    rows = list(csv.reader(io.StringIO(upcard(*words, "--csv").out)))
    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("games",), "Bet Bigger Blackjack with Lucky Ladies Jackpot"),
        (("games", "003"), "First 2 Cards Equal 20"),
        (("games", "001"), "half the posted minimum to $10"),
        (("games", "000"), "pays at most $1,000 a hand"),
        (("paytables",), "85 paytables"),
        (("paytables", "PT-BJS-LL-33"), "without its dollar sign"),
        (("paytables", "DA4/1"), "Published house advantage: 5.53%"),
        (("odds", "PT-FLT-LL-03", "--decks", "6"), "House edge          24.7089% of the wager"),
        (("odds", "PT-FLT-LL-03"), "3 prices of 1 paytables."),
        (("odds", "insurance", "--decks", "6"), "of the deals in which it is offered"),
        (("odds", "001 Lucky Ladies", "--decks", "2"), "cannot be won"),
        (("odds", "--all"), "not priced yet"),
        (("audit",), "46 figures: 38 agree, 8 do not."),
        (("kinds",), "Match Madness"),
        (("kinds", "bust-bonus"), "three-eights-suited"),
        (("--version",), "upcard 0.1.0"),
        (("--help",), "from filing to felt"),
        ((), "from filing to felt"),
    ],
)
def test_people_get_tables(words: tuple[str, ...], shown: str) -> None:
    result = upcard(*words)
    assert shown in result.out
    assert (result.code, result.err) == (0, "")


def test_a_printed_table_file_is_a_table_of_ones_own(tmp_path: Path) -> None:
    """From clone to the edge of one's own paytable: print one, edit it, price it."""
    for name in ("PT-FLT-213XT-01", "PT-BJS-LL-34", "001 Lucky Ladies", "000 Galaxy Bonus Jackpot"):
        printed = upcard("paytables", name, "--toml").out
        assert "paytable" in tomllib.loads(printed)
        path = tmp_path / "mine.toml"
        path.write_text(printed)
        mine = upcard("odds", str(path), "--decks", "6", "--json").json
        theirs = upcard("odds", name, "--decks", "6", "--json").json
        assert mine["paytable"] == f"My {name}"
        assert [mine[key] for key in ("edge", "variance", "break_even_meter")] == [
            theirs[key] for key in ("edge", "variance", "break_even_meter")
        ]


def test_check_says_good_and_says_what_cannot_happen(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(upcard("paytables", "PT-FLT-213XT-01", "--toml").out.replace("1-8", "1-2").replace("21+3", "top-3"))
    text = path.read_text()
    path.write_text(text[: text.index("straight-flush")] + "suited-three-of-a-kind = 270\n")
    result = upcard("check", str(path))
    assert result.code == 0
    assert "good; 1 paytable" in result.out
    assert "cannot happen with 1 deck (R21)" in result.out
    assert "cannot happen with 2 decks (R21)" in result.out


def test_every_shipped_file_passes_check() -> None:
    files = sorted(str(path) for path in shipped().folder.rglob("*.toml"))
    result = upcard("check", *files)
    assert (result.code, result.err) == (0, "")
    assert result.out.count(": good") == len(files)


@pytest.mark.parametrize("name", ["paytable", "game", "layout", "readings", "jurisdiction"])
def test_the_schemas_for_editors_are_those_of_the_docs(name: str) -> None:
    shown = upcard("schema", name)
    assert shown.json["type"] == "object"
    kept = Path(__file__).parents[2] / "docs" / "schema" / f"{name}.json"
    assert kept.read_text() == shown.out, "run make docs"
