"""What the commands print for programs (JSON and CSV) and for people."""

import csv
import io
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from support.cli_runner import upcard

from upcard.catalog import shipped
from upcard.catalog.load import load_paytables
from upcard.cli import output


def test_paytables_have_the_documented_json_fields() -> None:
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
    assert [row["jackpot"] for row in price["jackpots"]] == ["MEGA", "MAJOR", "MINOR"]
    assert {name: round(Fraction(even), 2) for name, even in price["break_even_meter"].items()} == {
        "MEGA": Fraction(576048),
        "MAJOR": Fraction(192016),
        "MINOR": Fraction("32002.67"),
    }


def test_all_prices_are_a_list_of_every_table_and_deck_count() -> None:
    prices = upcard("odds", "--all", "--json").json
    expected = [(table.name, decks) for table in shipped().paytables.values() for decks in table.decks]
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
    assert (price["decks"], price["without"]) == (6, ["Qh"] * 5)
    assert price["notices"] == ["000 Lucky Ladies: Queen of Hearts Pair cannot happen without Qh Qh Qh Qh Qh"]


def test_a_shoe_without_some_cards_is_still_a_shoe_of_so_many_decks() -> None:
    table = upcard("odds", "001 Lucky Ladies", "--decks", "2", "--without", "Qh As").out
    assert "001 Lucky Ladies: Lucky Ladies with three queens, 2 decks without Qh As" in table
    assert "Three Queens of Hearts cannot happen with 2 decks (R21)" in table
    several = upcard("odds", "002 Match the Dealer", "--without", "Qh As").out
    assert "with empty meters without Qh As" in several
    decks = re.findall(r"^ +002 Match the Dealer +Match the Dealer +(\d)", several, flags=re.MULTILINE)
    assert decks == list("2345678")
    rows = list(csv.DictReader(io.StringIO(upcard("odds", "002 Match the Dealer", "--without", "Qh As", "--csv").out)))
    assert {(row["decks"], row["without"]) for row in rows} == {(str(decks), "Qh As") for decks in range(2, 9)}


def test_odds_at_a_meter_are_in_every_output_format() -> None:
    words = ("odds", "PT-BJS-LL-26", "--meter", "$50,000")
    answers = upcard(*words, "--json").json
    edges = [answer["at_meters"]["edge_percent"] for answer in answers]
    assert answers[0]["at_meters"]["meters"] == {"Lucky Ladies Jackpot": "50000/1"}
    people = upcard(*words).out
    assert "At the meters: Lucky Ladies Jackpot $50,000.00." in people
    assert all(f"{edge:.4f}%" in people for edge in edges)
    rows = list(csv.DictReader(io.StringIO(upcard(*words, "--csv").out)))
    assert sorted({float(row["edge_percent_at_meters"]) for row in rows}) == sorted(edges)
    assert {row["meters"] for row in rows} == {"Lucky Ladies Jackpot=50000"}


def test_csv_of_one_table_holds_its_loss_its_jackpot_and_its_break_even() -> None:
    rows = list(csv.DictReader(io.StringIO(upcard("odds", "LL/JP 5", "--decks", "2", "--csv").out)))
    assert rows[-1]["event"] == "loss"
    assert sum(Fraction(row["probability"]) for row in rows) == 1
    assert (rows[0]["jackpot"], rows[0]["share"]) == ("Lucky Ladies Jackpot", "1/1")
    assert {row["break_even_meter"] for row in rows} == {"Lucky Ladies Jackpot=78774.21"}


def test_a_break_even_in_csv_is_named_for_its_meter() -> None:
    rows = list(csv.DictReader(io.StringIO(upcard("odds", "--all", "--csv").out)))
    even = {(row["paytable"], row["decks"]): row["break_even_meter"] for row in rows}
    assert even["001 Lucky Ladies", "2"] == "MINOR=63280.00"
    assert all(name == name.lower().replace(" ", "_").replace("-", "_") for name in rows[0])
    assert "MEGA never, MAJOR never, MINOR $63,280.00" in upcard("odds", "001 Lucky Ladies").out


def test_a_table_that_favours_the_player_already_needs_no_meter(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = upcard("paytables", "PT-BJS-LL-26", "--toml").out
    path.write_text(text.replace('any-20 = "$2"', 'any-20 = "$50"'))
    output = upcard("odds", str(path), "--decks", "2").out
    assert "Lucky Ladies Jackpot: the player has the edge even with an empty meter" in output
    assert "$-" not in output
    assert "below $0" in upcard("odds", str(path)).out
    assert Fraction(upcard("odds", str(path), "--decks", "2", "--json").json["break_even_meter"]) < 0


def test_a_wager_in_dollars_says_what_each_line_pays_in_dollars() -> None:
    five_dollars = upcard("odds", "PT-BJS-LL-34", "--decks", "6", "--wager", "$5", "--json").json
    one_dollar = upcard("odds", "PT-BJS-LL-34", "--decks", "6", "--json").json
    assert [line["pays_dollars"] for line in one_dollar["lines"]] == [
        line["pays"] if isinstance(line["pays"], int) else None for line in one_dollar["lines"]
    ]
    for line, scaled in zip(one_dollar["lines"], five_dollars["lines"], strict=True):
        if line["pays_dollars"] is not None:
            assert scaled["pays_dollars"] == 5 * line["pays_dollars"]
    felt = upcard("odds", "DA6/1", "--decks", "6", "--wager", "$2.50").out
    assert "on $2.50" in felt
    assert "Wager               $2.50" in felt
    assert upcard("odds", "DA6/1", "--decks", "6", "--json").json["lines"][0]["pays_dollars"] is None


def test_kinds_list_the_cards_they_read() -> None:
    kinds = {kind["name"]: kind["reads"] for kind in upcard("kinds", "--json").json}
    assert kinds["match-madness"] == ["first", "second", "up", "hole"]
    assert kinds["bust-bonus"] == ["dealer_hand"]


def test_titles_quote_the_filing_and_its_misprints_are_noted() -> None:
    """004 B prints "exactly" on the unsuited line."""
    output = upcard("paytables", "MM6/1").out
    assert "Unsuited Match (1 card matches hole card exactly)" in output
    assert "a match of rank is meant (R16)" in output


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize(
    "words",
    [
        ("odds", "PT-BJS-LL-34", "--decks", "6", "--wager", "$5"),
        ("odds", "--all"),
        ("odds", "LL/JP 7", "--meter", "$50,000"),
        ("audit", "--wrong"),
        ("paytables", "DA6/1"),
    ],
)
def test_a_narrow_terminal_breaks_no_number(
    words: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = r"\$?\d[\d,]*\.\d+%?"  # amounts, percentages, one in so many
    numbers = set(re.findall(figures, upcard(*words).out))
    monkeypatch.setattr(output, "console", lambda: Console(width=width, highlight=False))
    narrow = upcard(*words).out
    assert max(map(len, narrow.splitlines())) <= width
    assert set(re.findall(figures, narrow)) <= numbers
    assert not re.search(r"[\d,.]…", narrow)


def test_a_narrow_terminal_still_names_every_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "console", lambda: Console(width=60, highlight=False))
    table = upcard("odds", "PT-BJS-LL-34", "--decks", "6", "--wager", "$5").out
    assert all(word in table for word in ("event", "Matched 20", "Suited 20", "0.463765%", "2.077665%"))


def test_the_audits_notes_are_below_it_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "console", lambda: Console(width=60, highlight=False))
    assert "DA2/2, house advantage: agrees to 1 decimal only" in upcard("audit", "--wrong").out


def test_the_audit_lists_every_figure_and_exits_with_0_though_some_are_wrong() -> None:
    result = upcard("audit", "--json")
    assert result.code == 0
    assert len(result.json) == 46
    keys = {"filing", "paytable", "decks", "figure", "published", "exact", "agrees", "note"}
    assert all(keys <= set(figure) for figure in result.json)
    disagreeing = upcard("audit", "--wrong", "--json").json
    assert disagreeing == [figure for figure in result.json if not figure["agrees"]]
    assert disagreeing


def test_games_list_their_wagers_and_readings() -> None:
    game = upcard("games", "004", "--json").json
    assert game["slug"] == "double-action"
    assert {wager["name"]: wager["pay_order"] for wager in game["wagers"]} == {
        "Blackjack": "left to right",
        "Double Action": "right to left",
        "2nd Action": "right to left",
        "Match Madness": "right to left",
    }
    assert {reading["id"] for reading in game["readings"]} >= {"R15", "R16", "R31"}
    assert [item["slug"] for item in upcard("games", "--json").json] == [
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
    ("words", "line"),
    [
        (("games",), "Bet Bigger Blackjack with Lucky Ladies Jackpot"),
        (("games", "003"), "First 2 Cards Equal 20"),
        (("games", "001"), "half the posted minimum to $10"),
        (("games", "000"), "pays at most $1,000 per hand"),
        (("paytables",), "85 paytables"),
        (("paytables", "PT-BJS-LL-33"), "without its dollar sign"),
        (("paytables", "DA4/1"), "Published house advantage: 5.53%"),
        (("odds", "PT-FLT-LL-03", "--decks", "6"), "House edge          24.7089% of the wager"),
        (("odds", "PT-FLT-LL-03"), "3 prices of 1 paytable."),
        (("odds", "Insurance", "--decks", "6"), "of the deals in which it is offered"),
        (("odds", "001 Lucky Ladies", "--decks", "2"), "cannot be won"),
        (("odds", "--all"), "263 prices of 85 paytables."),
        (("audit",), "46 figures: 38 agree, 8 do not."),
        (("kinds",), "Match Madness"),
        (("kinds", "bust-bonus"), "three-eights-suited"),
        (("--version",), "upcard 0.1.0"),
        (("--help",), "from filing to felt"),
        ((), "from filing to felt"),
    ],
)
def test_people_get_tables(words: tuple[str, ...], line: str) -> None:
    result = upcard(*words)
    assert line in result.out
    assert (result.code, result.err) == (0, "")


def test_a_printed_paytable_can_be_saved_and_priced(tmp_path: Path) -> None:
    """Print a paytable, save it as a file, and price the file."""
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


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
printed_pays = st.one_of(
    st.integers(0, 10**9),
    st.decimals(0, 10**6, places=9, allow_nan=False).map(lambda pay: f"{pay:f}"),
    st.sampled_from(['"$10"', '"$0.01"', '"33.333333333333%"', '"0.1%"', '{ "$3" = "$10", "$6" = "$20" }']),
)


@given(st.lists(texts, min_size=1, max_size=3, unique=True), texts, st.lists(printed_pays, min_size=1, max_size=4))
def test_a_printed_paytable_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], jackpot: str, pays: list[object]
) -> None:
    """For any names, with thirds of a dollar, quotation marks, line ends, and several tables in a file."""
    events = ("straight-flush", "three-of-a-kind", "straight", "flush")
    lines = "".join(f"{event} = {pay}\n" for event, pay in zip(events, pays, strict=False))
    tables = "".join(
        f"[[paytable]]\nname = {quoted(name)}\ntitles = {{ flush = {quoted(name)} }}\n[paytable.pays]\n{lines}"
        for name in names
    )
    path = tmp_path_factory.getbasetemp() / "odd.toml"
    head = f'wager = "21+3"\nbasis = "for 1"\nprinted_wager = "$3"\njackpot = {quoted(jackpot)}\n'
    path.write_text(head + tables, "utf-8")
    originals = load_paytables(path, shipped().kinds)
    path.write_text(upcard("paytables", str(path), "--toml").out, "utf-8")
    printed = load_paytables(path, shipped().kinds)
    for original, reloaded in zip(originals, printed, strict=True):
        assert reloaded.name in (f"My {original.name}", original.name)
        assert (original.lines, original.titles, original.decks, original.basis) == (
            reloaded.lines,
            reloaded.titles,
            reloaded.decks,
            reloaded.basis,
        )
        assert original.printed_wager == reloaded.printed_wager


def quoted(text: str) -> str:
    return '"' + "".join(f"\\U{ord(letter):08X}" for letter in text) + '"'


def test_a_printed_paytable_keeps_dollars_titles_and_long_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "console", lambda: Console(width=30))
    text = upcard("paytables", "001 Lucky Ladies", "--toml").out
    assert 'any-20 = { "$5" = "$20", "$10" = "$40" }' in text.splitlines()
    assert 'three-queens-same-suit = "Three Queens Same Suit (other than hearts)"' in text.splitlines()


def test_check_reports_ok_and_events_that_cannot_happen(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = upcard("paytables", "PT-FLT-TOP3-01", "--toml").out
    path.write_text(text.replace('"4-8"', '"1-2"'))
    result = upcard("check", str(path))
    assert result.code == 0
    assert "OK, 1 paytable" in result.out
    assert "cannot happen with 1 deck (R21)" in result.out
    assert "cannot happen with 2 decks (R21)" in result.out


def test_every_shipped_file_passes_check() -> None:
    files = sorted(str(path) for path in shipped().folder.rglob("*.toml"))
    result = upcard("check", *files)
    assert (result.code, result.err) == (0, "")
    assert result.out.count(": OK") == len(files)


@pytest.mark.parametrize("name", ["paytable", "game", "layout", "readings", "jurisdiction"])
def test_the_schemas_for_editors_are_those_of_the_docs(name: str) -> None:
    printed = upcard("schema", name)
    assert printed.json["type"] == "object"
    documented = Path(__file__).parents[2] / "docs" / "schema" / f"{name}.json"
    assert documented.read_text() == printed.out, "run make docs"


def test_a_file_of_as_many_tables_as_the_catalog_is_not_taken_for_it(tmp_path: Path) -> None:
    tables = "".join(f'[[paytable]]\nname = "T{number}"\ndecks = 6\npays = {{ flush = 5 }}\n' for number in range(83))
    path = tmp_path / "many.toml"
    path.write_text('wager = "21+3"\nbasis = "to 1"\n' + tables)
    output = upcard("odds", str(path)).out
    assert "83 prices of 83 paytables." in output
