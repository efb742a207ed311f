"""A document as Markdown and as HTML: nothing that a person typed can become markup."""

import xml.etree.ElementTree as ET

import pytest

from upcard.reports.document import Document, Grid, Statements, facts, section
from upcard.reports.html import html
from upcard.reports.markdown import markdown

TYPED = [
    "<script>alert('x')</script> & \"more\"",
    "a | b",
    "*not bold* `not code` [no](link) _no emphasis_",
    "one line\nand\x00another\x1b[31m",
    "back\\slash",
]


def document(text: str) -> Document:
    grid = Grid(("what", "amount"), ((text, "$5"),), right=("amount",))
    return Document(text, (section(text, Statements((text,)), grid),))


@pytest.mark.parametrize("text", TYPED)
def test_html_is_well_formed_and_shows_what_was_typed(text: str) -> None:
    page = html(document(text))
    root = ET.fromstring(page)
    shown = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    assert [root.findtext(f"body/{place}") for place in ("h1", "h2", "ul/li", "table/tbody/tr/td")] == [shown] * 4
    assert root.find(".//script") is None
    assert root.findall(".//td")[1].get("class") == "right"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a | b", r"a \| b"),
        ("*bold* `code` [no](link)", r"\*bold\* \`code\` \[no\](link)"),
        ("_no emphasis_ but shuffler_model", r"\_no emphasis\_ but shuffler_model"),
        ("<b>", r"\<b\>"),
        ("back\\slash", r"back\\slash"),
        ("two\nlines", "two lines"),
        ("# heading", r"\# heading"),
        ("- item", r"\- item"),
        ("1. first", r"1\. first"),
        ("21+3 Jackpot", "21+3 Jackpot"),
        ("$1,250.50", "$1,250.50"),
    ],
)
def test_markdown_escapes_what_would_be_markup_and_nothing_else(text: str, written: str) -> None:
    lines = markdown(document(text)).splitlines()
    assert lines == [
        *(f"# {written}", "", f"## {written}", "", f"- {written}"),
        *("", "| what | amount |", "| --- | ---: |", f"| {written} | $5 |"),
    ]


def test_facts_without_a_value_and_empty_blocks_are_left_out() -> None:
    part = section("Part", Statements(()), facts([("cap", ""), ("rate", "15%")]), facts([]))
    assert part.blocks == (Grid(("what", "value"), (("rate", "15%"),)),)
