"""Models of equipment: the layout names them, the operator lists the approved ones, and Upcard invents none."""

from pathlib import Path

import pytest
from support.cli_runner import upcard

from upcard.catalog import shipped
from upcard.catalog.game_checks import layout_notices
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.load import load_model
from upcard.problems import BadFile, UnknownName

LAYOUTS = shipped().folder / "layouts"
LISTS = """
[approved_models]
"automatic shuffler" = ["Riffle 9", "Riffle 12"]
"jackpot system" = ["System A"]
"""


def layout_file(folder: Path, *, shuffler: str = "", system: str = "") -> str:
    """The layout of 003 with these models."""
    text = (LAYOUTS / "lucky-ladies.toml").read_text()
    models = f'shuffler_model = "{shuffler}"\njackpot_system_model = "{system}"\n'
    path = folder / "layout.toml"
    path.write_text(text.replace("posted_minimum", f"{models}posted_minimum", 1))
    return str(path)


def jurisdiction_file(folder: Path, lists: str = LISTS) -> str:
    """The shipped file of Washington, with an operator's lists."""
    path = folder / "washington.toml"
    text = (shipped().folder / "jurisdictions" / "washington.toml").read_text()
    path.write_text(text.replace("[[limits]]", f"{lists}\n[[limits]]", 1))
    return str(path)


def test_no_shipped_layout_claims_a_model_and_no_shipped_list_approves_one() -> None:
    assert {(layout.shuffler_model, layout.jackpot_system_model) for layout in shipped().layouts.values()} == {("", "")}
    assert [jurisdiction.approved_models for jurisdiction in shipped().jurisdictions.values()] == [{}, {}]


def test_a_layout_that_names_no_model_gets_a_notice_with_what_the_filing_says() -> None:
    notices = {slug: list(layout_notices(shipped(), layout)) for slug, layout in shipped().layouts.items()}
    told = {slug: [text for text in texts if "name the model" in text] for slug, texts in notices.items()}
    assert {slug for slug, texts in told.items() if texts} == {
        *("the-brook", "lucky-ladies", "lucky-ladies-progressive", "lucky-ladies-six-games"),
    }
    assert told["the-brook"] == [
        "name the model of the automatic shuffler in shuffler_model (the filing says: Scientific Games); "
        "the jurisdiction's file lists no approved_models for it",
        "name the model of the jackpot system in jackpot_system_model (the filing says: Galaxy Bonus Jackpot digital "
        "system); the jurisdiction's file lists no approved_models for it",
    ]


def test_without_a_list_a_named_model_is_accepted_with_a_notice(tmp_path: Path) -> None:
    result = upcard("check", layout_file(tmp_path, shuffler="Riffle 9", system="System A"), "--json")
    assert result.code == 0
    assert result.json["problems"] == []
    sentences = [notice["sentence"] for notice in result.json["notices"]]
    assert (
        "the jurisdiction's file lists no approved_models, so nobody has checked the automatic shuffler 'Riffle 9'"
        in sentences
    )


def test_with_a_list_check_takes_an_approved_model_without_a_notice(tmp_path: Path) -> None:
    layout = layout_file(tmp_path, shuffler="Riffle 9", system="System A")
    result = upcard("check", layout, "--jurisdiction", jurisdiction_file(tmp_path), "--json")
    assert result.code == 0
    assert not any("approved_models" in notice["sentence"] for notice in result.json["notices"])


def test_with_a_list_check_refuses_every_other_model(tmp_path: Path) -> None:
    layout = layout_file(tmp_path, shuffler="Rifle 9")
    result = upcard("check", layout, "--jurisdiction", jurisdiction_file(tmp_path))
    assert result.code == 2
    assert result.err.splitlines() == [
        f"upcard: {layout}: shuffler_model, line 9, column 19: 'Rifle 9' is not an approved automatic shuffler; did "
        "you mean Riffle 9 or Riffle 12?",
        f"upcard: {layout}: jackpot_system_model, line 10, column 25: name the model of the jackpot system; the "
        "approved models are System A",
    ]


def test_a_model_unlike_all_approved_ones_is_answered_with_the_list(tmp_path: Path) -> None:
    layout = layout_file(tmp_path, shuffler="Deckmaster", system="System A")
    result = upcard("check", layout, "--jurisdiction", jurisdiction_file(tmp_path))
    assert (
        "'Deckmaster' is not an approved automatic shuffler; the approved models are Riffle 9, Riffle 12" in result.err
    )


@pytest.mark.parametrize(
    ("lists", "sentence"),
    [
        ('approved_models = { "automatic shuffler" = [] }', "this list is empty"),
        ('approved_models = { "shuffler" = ["X"] }', "'shuffler' is not one of"),
        ('approved_models = { "automatic shuffler" = "X" }', "this must be a list"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(tmp_path: Path, lists: str, sentence: str) -> None:
    path = jurisdiction_file(tmp_path, lists)
    with pytest.raises(BadFile, match=sentence):
        load_model(Path(path), Jurisdiction)


def test_a_file_for_an_unknown_jurisdiction_is_refused_with_the_nearest(tmp_path: Path) -> None:
    jurisdiction = load_model(Path(jurisdiction_file(tmp_path)), Jurisdiction)
    with pytest.raises(UnknownName, match="did you mean washington"):
        shipped().with_jurisdiction(jurisdiction.model_copy(update={"slug": "washingtn"}))
    layout = str(LAYOUTS / "lucky-ladies.toml")
    result = upcard("check", layout, "--jurisdiction", layout)
    assert (result.code, result.err) == (2, f"upcard: {layout}: this is not a jurisdiction file\n")
