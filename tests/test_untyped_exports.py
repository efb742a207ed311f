"""Every value that one package exports to another has a type: see `support.untyped_exports`."""

from pathlib import Path
from textwrap import dedent

import pytest
from support.untyped_exports import Package

import upcard

# Stored JSON as it was read, of any kind and format; each caller gives it a type in the same line.
STORED = {"upcard.formats.read", "upcard.formats.upcast"}

TYPED = """
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import dataclass
    from typing import Annotated, Any, Literal, TypedDict

    Tree = str | int | Sequence["Tree"] | Mapping[str, "Tree"]

    class Dish(TypedDict):
        name: str
        parts: dict[str, int]

    @dataclass
    class Menu:
        dishes: list[Dish]
        _secret: dict[str, Any]
        kind: Literal["Any"] = "Any"

        def __init__(self, tree: Tree, *names: str, **prices: int) -> None:
            self.tree, self.size = tree, len(names)

        def _hidden(self) -> dict[str, Any]: ...

    def cook(menu: Menu, then: Callable[[object], None], seen: object) -> Annotated[dict[str, Tree], Any]: ...

    def _raw() -> dict[str, Any]: ...
"""

UNTYPED = {
    "a parameter": ("def made(given: dict[str, Any]) -> None: ...", "made"),
    "what a function gives": ("async def made() -> Mapping[str, object] | None: ...", "made"),
    "keywords": ("def made(**given: object) -> None: ...", "made"),
    "several values": ("def made(*given: Any) -> None: ...", "made"),
    "a list of anything": ("def made() -> list[Any]: ...", "made"),
    "just anything": ("def made() -> Any: ...", "made"),
    "a bare dictionary": ("def made() -> dict: ...", "made"),
    "a row of a database": ("def made() -> sa.RowMapping: ...", "made"),
    "a dictionary deep inside": ("def made() -> Callable[[int], list[tuple[str, dict[str, t.Any]]]]: ...", "made"),
    "one type of several": ("def made() -> dict[str, str | object]: ...", "made"),
    "an annotation in quotation marks": ("def made() -> 'dict[str, Any]': ...", "made"),
    "an alias": ("Json = dict[str, Any]\ndef made() -> Json: ...", "made"),
    "an alias of an alias": ("Json = Any\nRow = Mapping[str, Json]\ndef made() -> Sequence[Row]: ...", "made"),
    "an alias of object": ("Value = object\ndef made() -> dict[str, Value]: ...", "made"),
    "an alias that says it is one": ("Json: TypeAlias = 'dict[str, Any]'\ndef made() -> Json: ...", "made"),
    "an overload": ("@overload\ndef made() -> Any: ...\ndef made() -> int: ...", "made"),
    "a definition under a condition": ("if sys:\n    def made() -> Any: ...\nelse:\n    made = None", "made"),
    "a constant": ("made: dict[str, Any] = {}", "made"),
    "a constant that is called for": ("def _raw() -> dict[str, Any]: ...\nmade = _raw()", "made"),
    "a field": ("class made:\n    row: dict[str, Any]", "made.row"),
    "a method": ("class made:\n    def row(self) -> dict[str, Any]: ...", "made.row"),
    "an operator": ("class made:\n    def __getitem__(self, name: str) -> Any: ...", "made.__getitem__"),
    "an annotated attribute": (
        "class made:\n    def _set(self) -> None:\n        self.row: list[Any] = []",
        "made.row",
    ),
    "an attribute set to a parameter": (
        "class made:\n    def _set(self, row: dict[str, Any]) -> None:\n        self.size, self.row = 1, row",
        "made.row",
    ),
    "an attribute that is called for": (
        "def _raw() -> Any: ...\nclass made:\n    def __init__(self) -> None:\n        self.row = _raw()",
        "made.row",
    ),
    "a member of a base": ("class Base:\n    row: dict[str, Any]\nclass made(Base):\n    pass", "Base.row"),
    "a class inside": ("class made:\n    class Inner:\n        row: Any", "made.Inner.row"),
    "a member of what is given": ("class Row:\n    all: Any\ndef made() -> 'list[Row]': ...", "Row.all"),
    "a member of what is called for": ("class Row:\n    all: Any\nmade = Row()", "Row.all"),
}

USES = {
    "by its name": "from house.kitchen.stove import made",
    "under another name": "from house.kitchen.stove import made as done",
    "passed on by another module": "from house.kitchen import made",
    "in its module": "from house.kitchen import stove\nx = stove.made",
    "in its module by its whole name": "import house.kitchen.stove\nx = house.kitchen.stove.made",
    "in its module under another name": "import house.kitchen.stove as oven\nx = oven.made",
    "within a function": "def f():\n    from house.kitchen.stove import made",
}


def house(root: Path, stove: str, hall: str, passed_on: str = "") -> dict[str, set[str]]:
    """The untyped exports of a small package with a kitchen and a hall."""
    kitchen = root / "house" / "kitchen"
    kitchen.mkdir(parents=True)
    for path, text in {
        root / "house" / "__init__.py": "",
        kitchen / "__init__.py": passed_on,
        kitchen / "stove.py": dedent(stove),
        kitchen / "cook.py": "from house.kitchen.stove import *\nfrom house.kitchen import stove\nx = stove.made",
        root / "house" / "hall.py": hall,
    }.items():
        path.write_text(text)
    return Package(root / "house").untyped_exports()


def test_every_package_types_what_others_import_from_it() -> None:
    untyped = Package(Path(upcard.__file__).parent).untyped_exports()
    problems = [
        f"{place} -> {', '.join(sorted(users))}" for place, users in sorted(untyped.items()) if place not in STORED
    ]
    assert not problems, "\n".join(problems)
    assert untyped.keys() >= STORED


@pytest.mark.parametrize(("stove", "place"), UNTYPED.values(), ids=UNTYPED)
def test_an_untyped_value_is_found(stove: str, place: str, tmp_path: Path) -> None:
    assert house(tmp_path, stove, USES["by its name"]) == {f"house.kitchen.stove.{place}": {"hall"}}


@pytest.mark.parametrize("hall", USES.values(), ids=USES)
def test_an_untyped_value_is_found_however_it_is_imported(hall: str, tmp_path: Path) -> None:
    untyped = house(tmp_path, "def made() -> Any: ...", hall, passed_on="from house.kitchen.stove import made")
    assert untyped == {"house.kitchen.stove.made": {"hall"}}


def test_typed_values_and_values_used_in_their_own_package_are_not_reported(tmp_path: Path) -> None:
    assert house(tmp_path, TYPED, "from house.kitchen.stove import Menu, cook") == {}
    assert house(tmp_path / "unused", "def made() -> Any: ...", "from house.kitchen import stove") == {}
