"""Files with mistakes: every problem at once, each with its place, and never anything but a clear sentence."""

import contextlib
import io
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.catalog import shipped
from upcard.catalog.load import load_paytables
from upcard.catalog.pays import Fixed
from upcard.cli.commands.check_run import show_check
from upcard.cli.commands.odds_side import show_price
from upcard.cli.output import Form
from upcard.odds.question import PriceQuestion
from upcard.problems import BadFile, UpcardError

GOOD = """
wager = "21+3"
basis = "to 1"

[[paytable]]
name = "Mine"
decks = "4-8"
pays = { straight-flush = 30, three-of-a-kind = 20, straight = 10, flush = 5 }
"""


def problems(folder: Path, text: str | bytes) -> list[str]:
    path = folder / "table.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        load_paytables(path, shipped().kinds)
    except BadFile as bad:
        return [str(problem).removeprefix(f"{path}: ") for problem in bad.problems]
    return []


def test_a_good_file_has_no_problems(tmp_path: Path) -> None:
    assert problems(tmp_path, GOOD) == []
    (table,) = load_paytables(tmp_path / "table.toml", shipped().kinds)
    assert (table.name, table.decks, list(table.lines)) == (
        "Mine",
        (4, 5, 6, 7, 8),
        ["straight-flush", "three-of-a-kind", "straight", "flush"],
    )


def test_all_mistakes_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    text = """
wager = "21+3"
bassis = "to 1"

[[paytable]]
name = "Mine"
decks = "8-4"
pays = { straight-flush = -30, three-of-a-kin = 20, straight = true }

[[paytable]]
name = "Yours"
wager = "21+4"
pays = { flush = "lots" }
"""
    assert problems(tmp_path, text) == [
        "paytable Mine, decks: decks must be between 1 and 100, not '8-4'",
        "paytable Mine, pays.straight-flush: a pay cannot be negative: -30",
        'paytable Mine, pays.straight: True is not a pay like 9, "$25" or "25%"',
        'paytable Yours, pays.flush: \'lots\' is not a pay like 9, "$25" or "25%"',
        "bassis: unknown key; did you mean basis?",
        "paytable Mine, pays.three-of-a-kin: there is no 21+3 event 'three-of-a-kin'; did you mean three-of-a-kind?",
        "paytable Yours, wager: there is no wager kind '21+4'; did you mean 21+3?",
    ]


def test_a_mistake_in_reading_hides_no_mistake_in_meaning(tmp_path: Path) -> None:
    text = """
wager = "21+3"
titles = { fush = "Flush" }

[[paytable]]
name = "Mine"
pays = { straight-flush = -30, flush = "$5", straight = "10%" }
published = [{ figure = "house advantage", printed = "5%" }, { figure = "probability", printed = "5%", event = "x" }]

[[paytable]]
name = "Mine"
basis = "to 1"
pays = { flush = 5 }
"""
    assert problems(tmp_path, text) == [
        "paytable Mine, pays.straight-flush: a pay cannot be negative: -30",
        "paytable Mine, published.x: there is no 21+3 event 'x'",
        "titles, fush: there is no event 'fush'; did you mean flush?",
        'paytable Mine, pays.flush: a pay in dollars needs the wager it is for: give the table printed_wager = "$1"',
        'paytable Mine, pays.straight: a share needs the jackpot it is of: write "25% of NAME", '
        'or give the table jackpot = "NAME"',
        'paytable Mine: its basis is missing: "to 1" or "for 1"',
        "paytable Mine: the published house advantage 5% needs its number of decks",
        "paytable Mine: the published probability 5% needs its number of decks",
        "paytable Mine: this name is used twice",
    ]


def test_what_is_merely_unknown_is_not_called_wrong_too(tmp_path: Path) -> None:
    """A wrong printed wager is one mistake, not also a mistake of every line in dollars."""
    text = GOOD.replace("flush = 5 }", 'flush = "$5" }\nprinted_wager = 5')
    (problem,) = problems(tmp_path, text)
    assert "write money like" in problem
    (problem,) = problems(tmp_path, GOOD.replace("basis", "bassis"))
    assert problem == "bassis: unknown key; did you mean basis?"


def test_a_table_without_a_name_is_told_by_its_number(tmp_path: Path) -> None:
    found_problems = problems(tmp_path, GOOD.replace('name = "Mine"', "").replace("flush = 5", 'flush = "$5"'))
    assert [problem.split(":")[0] for problem in found_problems] == ["paytable[0], name", "paytable[0], pays.flush"]


def test_a_table_cites_readings_that_exist(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace('name = "Mine"', 'name = "Mine"\nreadings = ["R17", "R99"]'))
    with pytest.raises(BadFile, match="paytable Mine, readings: there is no reading 'R99'"):
        load_paytables(path, shipped().kinds, readings=shipped().readings)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("layouts/the-brook.toml", "this is a layout file, not a paytable file"),
        ("games/000-the-brook.toml", "this is a game file, not a paytable file"),
        ("readings.toml", "this is a readings file, not a paytable file"),
        ("jurisdictions/washington.toml", "this is a jurisdiction file, not a paytable file"),
        ("../../../pyproject.toml", "this is not a paytable file: it has no [[paytable]]"),
    ],
)
def test_another_sort_of_file_is_called_by_its_name(name: str, sentence: str) -> None:
    with pytest.raises(BadFile) as bad:
        load_paytables(shipped().folder / name, shipped().kinds)
    assert [problem.sentence for problem in bad.value.problems] == [sentence]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("[[paytable]]", "[[paytable"), "not valid TOML: expected ']]' at the end of an array declaration"),
        (('basis = "to 1"', ""), "its basis is missing"),
        (('wager = "21+3"', ""), 'its wager is missing, like wager = "21+3"'),
        (('wager = "21+3"', "wager = 21"), "input should be a valid string, not 21"),
        (('basis = "to 1"', 'basis = "at 1"'), "'at 1' is not one of 'to 1' or 'for 1'"),
        (('decks = "4-8"', "decks = 0"), "decks must be between 1 and 100, not 0"),
        (('decks = "4-8"', 'decks = "all"'), "'all' is not a number of decks"),
        (('decks = "4-8"', "decks = [4, 2.5]"), "is not a number of decks"),
        (
            ("flush = 5", 'flush = "$5"'),
            'a pay in dollars needs the wager it is for: give the table printed_wager = "$1"',
        ),
        (("flush = 5", 'flush = "50%"'), "a share needs the jackpot it is of"),
        (("flush = 5", 'flush = "150% of POT"'), "more than 0% and at most 100%, not 150% of POT"),
        (("flush = 5", 'flush = { "$5" = "$10", "$10" = "$30" }'), "all stakes must be paid in the same proportion"),
        (("flush = 5", 'flush = { "$5" = "$10", "$10" = "5% of POT" }'), "in dollars for every stake"),
        (("flush = 5", "flush = inf"), "a pay must be a finite number, not inf"),
        (("flush = 5", "flush = nan"), "a pay must be a finite number, not nan"),
        (("flush = 5", f"flush = {10**400}"), "a pay may be at most 1,000,000,000 units, not 1000000"),
        (
            ("flush = 5", f"flush = 0x{'f' * 5000}"),
            "at most 1,000,000,000 units, not a number with thousands of digits",
        ),
        (("flush = 5", "flush = 1e160"), "a pay may be at most 1,000,000,000 units, not 1E+160"),
        (("flush = 5", "flush = 1e-999999999"), "at most 12 decimals"),
        (("flush = 5", 'flush = { "$0" = "5% of POT" }'), "a stake must be more than zero, not $0"),
        (("flush = 5", f'flush = "${"9" * 400}"'), "an amount of money may be at most"),
        (('basis = "to 1"', 'basis = "to 1"\nprinted_wager = "$0"'), "this must be more than zero, not $0"),
        (('decks = "4-8"', f"decks = 0x{'f' * 5000}"), "not a number with thousands of digits"),
        (('name = "Mine"', ""), "this key is missing"),
        (("[[paytable]]", "[paytable]"), "paytable: this must be a list, not {'name': 'Mine'"),
        (('name = "Mine"', 'name = ""'), "at least 1 character"),
        (("pays = {", "pas = {"), "did you mean pays"),
        (('name = "Mine"', 'name = "Mine"\npublished = [{ figure = "edge", printed = "5%" }]'), "'edge' is not one of"),
        (
            ('name = "Mine"', 'name = "Mine"\npublished = [{ figure = "house advantage", printed = "5%" }]'),
            "needs its number of decks",
        ),
    ],
)
def test_each_mistake_has_its_sentence(tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    assert change[0] in GOOD
    found_problems = problems(tmp_path, GOOD.replace(*change))
    assert any(sentence in problem for problem in found_problems), found_problems


@pytest.mark.parametrize("zero", ["0e999999999", "0.0", "0"])
def test_nothing_is_a_pay_however_it_is_written(tmp_path: Path, zero: str) -> None:
    assert problems(tmp_path, GOOD.replace("flush = 5", f"flush = {zero}")) == []


def test_a_number_with_a_point_is_read_digit_for_digit(tmp_path: Path) -> None:
    """A float would end at 0.1 and at the seventeenth digit."""
    assert problems(tmp_path, GOOD.replace("flush = 5", "flush = 123456789.000000000001")) == []
    (table,) = load_paytables(tmp_path / "table.toml", shipped().kinds)
    assert table.lines["flush"] == Fixed(Fraction("123456789.000000000001"))


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    assert problems(tmp_path, b"\xef\xbb\xbf" + GOOD.encode()) == []


def test_a_file_without_an_end_is_not_read_to_it() -> None:
    with pytest.raises(BadFile, match="over 1 MB"):
        load_paytables(Path("/dev/zero"), shipped().kinds)


def test_two_tables_of_one_name_are_refused(tmp_path: Path) -> None:
    second = GOOD[GOOD.index("[[paytable]]") :]
    assert problems(tmp_path, GOOD + second) == ["paytable Mine: this name is used twice"]


def test_a_directory_a_missing_file_and_a_picture_are_refused(tmp_path: Path) -> None:
    for path, sentence in [(tmp_path, "a directory"), (tmp_path / "none.toml", "no such file")]:
        with pytest.raises(BadFile, match=sentence):
            load_paytables(path, shipped().kinds)
    assert problems(tmp_path, b"\x89PNG\xff\x00") == ["this is not UTF-8 text: see line 1, byte 1 of it"]
    assert problems(tmp_path, b"#" * 1_000_001) == ["this file is over 1 MB, too large for a catalog file"]
    assert problems(tmp_path, "a = " + "[" * 5000) != []
    assert problems(tmp_path, "decks = " + "9" * 5000) != []


values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none().map(lambda _: ""),
        st.booleans(),
        st.integers(),
        st.sampled_from([0, 9, 10**9, 10**160, 10**309, 10**4000]),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(
            ["$5", "$0", "$" + "9" * 400, "25%", "50% of MEGA", "2-8", "21+3", "to 1", "flush", "lucky-ladies-jackpot"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["name", "pays", "decks", "wager", "basis", "flush", "$5", "published", "titles", "x"]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@given(
    st.fixed_dictionaries(
        {"paytable": st.one_of(values, st.lists(values, max_size=2))},
        optional={"wager": values, "basis": values, "decks": values, "titles": values, "printed_wager": values},
    )
)
def test_no_shape_of_file_breaks_the_loader(tmp_path_factory: pytest.TempPathFactory, raw: dict[str, Any]) -> None:
    problems(tmp_path_factory.getbasetemp(), to_toml(raw))


pays = st.one_of(
    values,
    st.sampled_from(
        [0, 9, 10**9, 10**160, 10**309, 1.5, 1e-300, "$5", "$0", "$0.01", "$99999999999", "25%", "1% of X"]
    ),
    st.dictionaries(st.sampled_from(["$0", "$5", "$10"]), st.sampled_from(["$5", "$0", "$10", "25%", "100% of X"])),
)


@given(
    st.dictionaries(st.sampled_from(["flush", "straight", "straight-flush", "three-of-a-kind"]), pays, min_size=1),
    st.sampled_from(["$1", "$0", "$0.01", "$100,000,000,000", None]),
    st.sampled_from(["to 1", "for 1"]),
    st.sampled_from(list(Form)),
)
def test_whatever_loads_is_priced_in_every_form_or_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, pays: dict[str, Any], wager: str | None, basis: str, form: Form
) -> None:
    raw = {"wager": "21+3", "basis": basis, "jackpot": "POT", "paytable": [{"name": "A", "pays": pays}]}
    path = tmp_path_factory.getbasetemp() / "priced.toml"
    path.write_text(to_toml(raw | ({} if wager is None else {"printed_wager": wager})))
    question = PriceQuestion(catalog=shipped(), decks=2, suit="hearts", wager=None, meters=(), without="")
    with contextlib.suppress(UpcardError), contextlib.redirect_stdout(io.StringIO()):
        show_price(str(path), question, form)


@given(st.one_of(st.text(), st.binary()))
def test_no_bytes_break_the_loader(tmp_path_factory: pytest.TempPathFactory, text: str | bytes) -> None:
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    problems(tmp_path_factory.getbasetemp(), raw)


@given(st.data())
def test_no_damage_to_a_good_game_file_breaks_the_loader(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    damaged_file_is_checked(tmp_path_factory, data, "games/003-lucky-ladies.toml")


@given(st.data())
def test_no_damage_to_a_good_layout_file_breaks_its_checks(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    damaged_file_is_checked(tmp_path_factory, data, "layouts/double-action-with-21-3.toml")


def damaged_file_is_checked(factory: pytest.TempPathFactory, data: st.DataObject, name: str) -> None:
    """A value anywhere in the file is replaced by another: it loads, or it says what is wrong."""
    raw = tomllib.loads((shipped().folder / name).read_text())
    value: Any = raw
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(value[key], dict | list) or not value[key] or data.draw(st.booleans()):
            value[key] = data.draw(values)
            break
        value = value[key]
    path = factory.getbasetemp() / "damaged.toml"
    path.write_text(to_toml(raw), encoding="utf-8", errors="surrogatepass")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(BadFile):
        show_check([str(path)], as_json=False)


def to_toml(raw: dict[str, Any]) -> str:
    """Writes plain values as inline TOML."""
    return "\n".join(f"{key_text(key)} = {value_text(value)}" for key, value in raw.items())


def key_text(key: str) -> str:
    return value_text(str(key))


def value_text(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "{ " + ", ".join(f"{key_text(key)} = {value_text(part)}" for key, part in value.items()) + " }"
        case list():
            return "[" + ", ".join(value_text(part) for part in value) + "]"
        case str():
            return '"' + "".join(f"\\U{ord(letter):08X}" for letter in value) + '"'
        case int():
            return hex(value) if value >= 0 else str(max(value, -(10**4000)))  # repr() ends at 4300 digits
        case _:
            return repr(value)
