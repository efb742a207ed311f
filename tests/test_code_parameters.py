"""Every code that the program raises or stores has a sentence, and comes with the parameters its sentence names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import upcard
import upcard.api.app
import upcard.cli
from upcard.codes import Code, parameters, sentences

SOURCES = sorted(Path(upcard.__file__).parent.rglob("*.py"))
LISTS = {one.__name__: one for one in Code.__subclasses__()}

Given = tuple[int, str, set[str | None]]  # line, code, the names of its parameters; None among them: some are unpacked


def raised(tree: ast.AST) -> Iterator[Given]:
    """Calls like PitRefused(PitRefusal.SPOT_FREE, spot=3)."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(args=[ast.Attribute(value=ast.Name(id=name), attr=member)]) if name in LISTS:
                yield node.lineno, LISTS[name][member].value, {one.arg for one in node.keywords}


def written(tree: ast.AST) -> Iterator[Given]:
    """Values like {"code": "void/floor", "note": why}."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            names = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
            code = node.values[names.index("code")] if "code" in names else None
            if isinstance(code, ast.Constant):
                yield node.lineno, str(code.value), {None if one is None else str(one) for one in names} - {"code"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_code_is_given_what_its_sentence_names(path: Path) -> None:
    tree = ast.parse(path.read_text())
    for line, code, given in (*raised(tree), *written(tree)):
        assert code in sentences(), f"{path.name}:{line}: {code} has no sentence"
        assert None in given or given >= parameters(code), f"{path.name}:{line}: {code}"


def test_the_sources_are_read_as_they_are_written() -> None:
    found = [one for path in SOURCES for one in raised(ast.parse(path.read_text()))]
    assert {code for _, code, _ in found} >= {"NOT_NOW", "SPOT_FREE", "TABLE_UNKNOWN", "TABLE_STOPPED", "NAME_TAKEN"}
    assert len(LISTS) >= 6
