"""`upcard controls` for layouts: every plan, three formats, and nothing in it that the files do not say."""

import json
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.cli_runner import upcard

from upcard.api import access
from upcard.catalog import shipped
from upcard.ledger.jackpots.terms import trigger_of
from upcard.people import Role

PLANS = {
    "the-brook": "daily-accrual",
    "lucky-ladies-jackpot": "posted",
    "lucky-ladies": "bonus",
    "lucky-ladies-progressive": "progressive",
}
PROGRESSIVE = shipped().folder / "layouts" / "lucky-ladies-progressive.toml"
WASHINGTON = shipped().folder / "jurisdictions" / "washington.toml"


def sheet(*words: str) -> dict[str, Any]:
    result = upcard("controls", *words, "--json")
    assert (result.code, result.err) == (0, "")
    parsed: dict[str, Any] = result.json
    return parsed


def text(*words: str) -> str:
    result = upcard("controls", *words)
    assert (result.code, result.err) == (0, "")
    return result.out


def edited(source: Path, folder: Path, *changes: tuple[str, str]) -> str:
    """A copy of a catalog file with some of its text changed."""
    content = source.read_text()
    for old, new in changes:
        assert old in content
        content = content.replace(old, new)
    copy = folder / source.name
    copy.write_text(content)
    return str(copy)


@pytest.mark.parametrize("slug", list(shipped().layouts))
def test_every_layout_has_a_sheet_in_every_format(slug: str, tmp_path: Path) -> None:
    layout = shipped().layout(slug)
    for suffix in ("md", "html", "json"):
        path = tmp_path / f"sheet.{suffix}"
        result = upcard("controls", slug, "--out", str(path))
        assert (result.code, result.out) == (0, f"{path}: the internal controls of {slug}\n")
    assert (tmp_path / "sheet.md").read_text() == text(slug)
    assert json.loads((tmp_path / "sheet.json").read_text()) == sheet(slug)
    page = ET.parse(tmp_path / "sheet.html").getroot()
    headings = [heading.text for heading in page.findall("body/h2")]
    named = [heading for heading in headings if heading and " on " in heading]
    assert [heading.partition(" on ")[2] for heading in named] == [settings.wager for settings in layout.jackpot]
    assert ("There is no jackpot here." in text(slug)) == (not layout.jackpot)


@pytest.mark.parametrize(("slug", "plan"), PLANS.items())
def test_the_hands_that_win_have_their_exact_chances_and_shares(slug: str, plan: str) -> None:
    layout = shipped().layout(slug)
    for line in sheet(slug)["jackpots"]:
        trigger = trigger_of(shipped(), layout, line["wager"])
        assert line["plan"] == plan
        assert [
            (award["event"], Fraction(award["share"]), Fraction(award["probability"])) for award in line["awards"]
        ] == [(award.event, award.share, award.probability) for award in trigger.lines]
        shown = text(slug)
        assert all(
            f"| {award['title']} |" in shown and f"| {award['probability']} |" in shown for award in line["awards"]
        )


def test_the_sheet_of_a_daily_accrual() -> None:
    (line,) = sheet("the-brook")["jackpots"]
    assert (line["funded_by"], line["accrues"], line["opens_at"]) == ("house", "1/10", {"Bonus Jackpot": 1250_00})
    assert line["stops"] == ["SUSPENDED", "BEING_VERIFIED", "off/shuffled-by-hand"]
    assert line["sharing"]["reading"] == "R18"
    shown = text("the-brook")
    assert "grows by 10% of the wagers on it of the previous gaming day" in shown
    assert "R18: they divide it equally." in shown
    assert "every win must be verified by a second person" in shown
    assert "No wager is taken while the shoe is shuffled by hand." in shown


def test_the_sheet_of_posted_values() -> None:
    (line,) = sheet("lucky-ladies-jackpot")["jackpots"]
    assert line["opens_at"] == {"MEGA": 10_000_00, "MAJOR": 5_000_00, "MINOR": 1_000_00}
    assert (line["stakes"], line["hours_between_changes"]) == ([500, 1000], 24)
    assert line["awards"][0]["by_stake"] == {"500": "1/2", "1000": "1/1"}
    shown = text("lucky-ladies-jackpot")
    assert "posted at most once in 24 hours" in shown
    assert "50% for $5, 100% for $10" in shown


def test_the_sheet_of_a_bonus() -> None:
    shown = text("lucky-ladies")
    assert "Every display carries this notice: Bonus Jackpot prizes are paid by the casino" in shown
    assert "a win of $500 or more must be verified by a second person before payment" in shown
    assert {line["funded_by"] for line in sheet("lucky-ladies")["jackpots"]} == {"house"}


def test_the_sheet_of_a_progressive() -> None:
    line = sheet("lucky-ladies-progressive")["jackpots"][0]
    assert (line["funded_by"], line["rate"], line["reserve_rate"]) == ("players", "3/20", "1/20")
    assert (line["cap"], line["largest_contribution"], line["sensor"]) == (100_000_00, 20, 1)
    shown = text("lucky-ladies-progressive")
    assert "15% of each wager goes to the displayed meter and 5% to the reserve" in shown
    assert "deposited in the escrow account within 7 days" in shown
    assert "lowered for these reasons only: malfunction, to cap, gross receipts, seed." in shown


def test_another_value_in_the_layouts_file_changes_the_sheet(tmp_path: Path) -> None:
    path = edited(PROGRESSIVE, tmp_path, ('cap = "$100,000"', 'cap = "$75,000"'), ('rate = "15%"', 'rate = "12.5%"'))
    changed = sheet(path)["jackpots"][0]
    assert (changed["cap"], changed["rate"]) == (75_000_00, "1/8")
    shown = text(path)
    assert "above $75,000 goes to the overflow" in shown
    assert "12.5% of each wager goes to the displayed meter" in shown
    assert "$100,000" not in shown


def test_a_jackpots_own_suit_is_on_the_sheet(tmp_path: Path) -> None:
    path = edited(PROGRESSIVE, tmp_path, ("sensor = 1", 'sensor = 1\nsuit = "spades"'))
    assert [line["suit"] for line in sheet(path)["jackpots"]] == ["spades", "hearts"]
    assert "Suit-specific hands must be of spades." in text(path)
    assert sheet(path)["jackpots"][0]["awards"] != sheet("lucky-ladies-progressive")["jackpots"][0]["awards"]


def test_a_promotion_and_the_owners_consent_are_on_the_sheet(tmp_path: Path) -> None:
    promotion = '''
[[promotion]]
wager = "Lucky Ladies"
event = "queen-of-hearts-pair"
award = "$100"
since = 2026-01-01
until = 2026-12-31
consent = "letter of 2 January 2026"

[[jackpot]]
wager = "Lucky Ladies Jackpot"'''
    path = edited(PROGRESSIVE, tmp_path, ('\n[[jackpot]]\nwager = "Lucky Ladies Jackpot"', promotion))
    assert sheet(path)["tables"][0]["promotions"][0]["consent"] == "letter of 2 January 2026"
    assert "Queen of Hearts Pair pays $100 more, from the house, from 2026-01-01 to 2026-12-31" in text(path)


def test_another_reading_changes_how_winners_share(tmp_path: Path) -> None:
    path = edited(
        PROGRESSIVE,
        tmp_path,
        ('[[wager]]\nname = "Blackjack"', '[readings]\nR14 = "seat-order"\n\n[[wager]]\nname = "Blackjack"'),
    )
    assert sheet(path)["jackpots"][0]["sharing"]["winners"] == "seat-order"
    assert "settled in seat order, each from what is left." in text(path)


def test_another_law_changes_who_must_verify_and_when_to_deposit(tmp_path: Path) -> None:
    law = edited(
        WASHINGTON,
        tmp_path,
        ('second_person_from = "$500"', 'second_person_from = "$1,200"'),
        ("escrow_deposit_days = 7", "escrow_deposit_days = 3"),
    )
    shown = text("lucky-ladies-progressive", "--jurisdiction", law)
    assert "a win of $1,200 or more must be verified by a second person" in shown
    assert "deposited in the escrow account within 3 days" in shown
    assert {
        entry["second_person_from"] for entry in sheet("lucky-ladies", "--jurisdiction", law)["jackpots"][0]["laws"]
    } == {1_200_00}


def test_the_approved_models_of_the_operator_are_on_the_sheet(tmp_path: Path) -> None:
    lists = '[approved_models]\n"automatic shuffler" = ["Riffle 9"]\n"jackpot system" = ["System A"]\n\n'
    law = edited(WASHINGTON, tmp_path, ("[[limits]]\nsince = 2009", f"{lists}[[limits]]\nsince = 2009"))
    models = 'shuffler_model = "Riffle 9"\njackpot_system_model = "System A"\nposted_minimum'
    layout = edited(PROGRESSIVE, tmp_path, ("posted_minimum", models))
    assert "| automatic shuffler | Riffle 9, on the operator's list of approved models |" in text(
        layout, "--jurisdiction", law
    )
    refused = upcard("controls", "lucky-ladies", "--jurisdiction", law)
    assert refused.code == 2
    assert "lucky-ladies: shuffler_model: name the model of the automatic shuffler" in refused.err


def test_who_may_do_what_is_what_the_access_rules_say(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {entry["operation"]: (set(entry["roles"]), entry["needs"]) for entry in sheet("bet-bigger")["permissions"]}
    rules = {name: rule for name, rule in access.RULES.items() if not rule.public}
    assert listed == {
        name: (set(rule.roles), "" if rule.guard is access.Guard.NONE else rule.guard.value)
        for name, rule in rules.items()
    }
    assert "Pay: jackpots, with a code from the authenticator, and a second person's approval." in text("the-brook")
    cashiers_pay = {**access.HOUSE_RULES, "pay-win": access.AccessRule(frozenset({Role.CASHIER}))}
    monkeypatch.setattr(access, "PARTS", {**access.PARTS, "In the house": cashiers_pay})
    assert "Pay: cashier." in text("the-brook")


def test_duties_that_nobody_may_hold_together_are_listed_with_the_reason() -> None:
    assert "- Nobody is both floor and jackpots: the person who sets a jackpot does not approve its payout." in text(
        "the-brook"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("lucky-lady",), "there is no layout 'lucky-lady'; did you mean lucky-ladies"),
        (("xyzzy",), "there is no layout 'xyzzy'; the layouts are bet-bigger"),
        (("",), "there is no layout ''"),
        (("nothing.toml",), "nothing.toml: cannot be read: no such file"),
        (("nothing.db",), "there is no book nothing.db"),
        (("the-brook", "--out", "sheet.pdf"), "--out writes FILE.md, FILE.html or FILE.json, not sheet.pdf"),
        (("the-brook", "--out", "sheet"), "--out writes FILE.md, FILE.html or FILE.json, not sheet"),
        (("the-brook", "--out", "sheet.json", "--json"), "--json prints to the terminal"),
        (("the-brook", "--out", "no/such/folder/sheet.md"), "no such file or directory"),
        (("the-brook", "--key", "house.key"), "--key is for a book"),
        (("the-brook", "--jurisdiction", "nothing.toml"), "nothing.toml: cannot be read"),
        (("nothing.db", "--jurisdiction", str(WASHINGTON)), "--jurisdiction is for a layout"),
        ((), "missing argument 'LAYOUT|BOOK'"),
    ],
)
def test_a_bad_request_is_answered_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = upcard("controls", *words)
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err
    assert len(result.err.splitlines()) == 1


def test_a_layout_file_with_problems_is_refused_with_all_of_them(tmp_path: Path) -> None:
    path = edited(PROGRESSIVE, tmp_path, ('cap = "$100,000"', 'cap = "$1"'))
    result = upcard("controls", path)
    assert result.code == 2
    assert len(result.err.splitlines()) == 2
    place = f"{path}: jackpot Lucky Ladies Jackpot, line 52, column 1"
    assert f"{place}: its cap of $1 is below the $10,000 posted" in result.err


KEYS = {
    "": "format about name date tables jackpots permissions separations staff staff_verified house",
    "tables": "table layout title game filing document regulator reference dated jurisdiction decks shuffler equipment "
    "models rules links promotions notices",
    "tables.models": "equipment model filed approved",
    "jackpots": "jackpot layout wager tables plan title funded_by sensor stakes paytable basis suit opens_at "
    "reseeds_at accrues rate reserve_rate cap largest_contribution hours_between_changes reductions notice awards "
    "sharing stops laws standing",
    "jackpots.awards": "event title meter share by_stake probability",
    "jackpots.sharing": "winners reading question means",
    "jackpots.laws": "since citation confirmed in_force second_person_from deposit_within_days",
    "permissions": "part operation roles needs",
    "separations": "roles why",
}


@pytest.mark.parametrize("slug", PLANS)
def test_the_names_in_the_json_stay_as_they_are(slug: str) -> None:
    """Programs read them: a name is never changed or removed; a new one is added here."""
    whole = sheet(slug)
    assert whole["format"] == 1
    for place, names in KEYS.items():
        values: list[Any] = [whole]
        for step in filter(None, place.split(".")):
            values = [
                part for value in values for part in (value[step] if isinstance(value[step], list) else [value[step]])
            ]
        assert values or (place, slug) == ("tables.models", "lucky-ladies-jackpot")  # which needs no machine
        assert {tuple(value) for value in values} <= {tuple(names.split())}
