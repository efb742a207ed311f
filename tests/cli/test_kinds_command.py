"""`upcard kinds NAME`: what each event means, with hands that are it and hands that nearly are."""

import importlib.metadata
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.cli_runner import upcard
from support.own_games import LIBRARY

from upcard.catalog import Catalog, catalog_kinds
from upcard.catalog.kind_file import NO_EVENT, example_complaints
from upcard.odds.price import price
from upcard.wagers import DealKind, Kind, Role

CATALOG = Catalog(None, (LIBRARY,))


FILES = [*sorted((CATALOG.folder / "kinds").glob("*.toml")), *sorted((LIBRARY / "kinds").glob("*.toml"))]
HIDDEN = {"bust-with-8": "bust-with-8-or-more", "matched-20": "queen-of-hearts-pair"}  # no hand counts as the first


@pytest.mark.parametrize("file", FILES, ids=[path.stem for path in FILES])
def test_every_event_of_every_kind_is_shown_with_its_definition_an_example_and_a_near_miss(file: Path) -> None:
    shown = upcard("kinds", str(file), "--json").json
    for entry in shown if isinstance(shown, list) else [shown]:
        kind = CATALOG.kind(entry["name"])
        assert [row["event"] for row in entry["definitions"]] == list(kind.events)
        for row in entry["definitions"]:
            check_row(kind, row)


def check_row(kind: Kind, row: dict[str, Any]) -> None:
    assert row["condition"] not in ("", "written in Python")
    if not row["examples"]:
        assert HIDDEN[row["event"]] in kind.events
        return
    assert row["near_misses"], row
    cards = len(kind.reads) if isinstance(kind, DealKind) else None
    assert list(example_complaints({row["event"]: row["examples"]}, kind.events, cards, kind)) == []
    for miss in row["near_misses"]:
        hand, _, event = miss.removesuffix(")").rpartition(" (")
        assert event != row["event"]
        listed = {NO_EVENT if event == "no event" else event: [hand]}
        assert list(example_complaints(listed, kind.events, cards, kind)) == []


TENS = DealKind(
    name="python-tens",
    title="Two tens",
    reads=(Role.FIRST, Role.SECOND),
    classifier=lambda ranks, suits, _: {
        "two-tens": [(ranks.at(Role.FIRST, 9) & ranks.at(Role.SECOND, 9), suits.every)]
    },
)


def packaged(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    """As if installed packages named these kinds."""
    module = ModuleType("own_wagers")
    module.__dict__.update(TENS=TENS, NOT_A_KIND=3)
    monkeypatch.setitem(sys.modules, "own_wagers", module)
    found = [EntryPoint(name, value, catalog_kinds.ENTRY_POINTS) for name, value in points]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found if group == "upcard.kinds" else [])


def test_a_kind_in_python_comes_from_a_package_and_is_priced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    packaged(monkeypatch, ("python-tens", "own_wagers:TENS"))
    (tmp_path / "paytables").mkdir()
    (tmp_path / "paytables" / "tens.toml").write_text(
        'wager = "python-tens"\nbasis = "to 1"\ndecks = 6\n[[paytable]]\nname = "Tens"\npays = { two-tens = 150 }\n'
    )
    catalog = Catalog(None, (tmp_path,))
    assert catalog.problems() == ()
    (line,) = price(catalog.paytable("Tens"), 6).lines
    assert line.combinations == 24 * 23
    shown = upcard("kinds", "python-tens", "--catalog", str(tmp_path))
    assert (shown.code, "written in Python" in shown.out) == (0, True)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("own_wagers:NONE", "cannot be loaded"),
        ("no_such_package:TENS", "cannot be loaded"),
        ("own_wagers:NOT_A_KIND", "is not a wager kind named tens"),
        ("own_wagers:TENS", "is not a wager kind named tens"),
    ],
)
def test_a_package_that_brings_no_kind_is_refused_in_one_sentence(
    value: str, sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packaged(monkeypatch, ("tens", value))
    result = upcard("kinds", "tens", "--catalog", str(tmp_path))
    assert (result.code, sentence in result.err) == (2, True)
