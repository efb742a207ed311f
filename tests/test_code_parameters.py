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
LISTS = {codes.__name__: codes for codes in Code.__subclasses__()}

CodeUse = tuple[int, str, set[str | None]]  # line, code, parameter names (None among them if some are unpacked)


def codes_in_calls(tree: ast.AST) -> Iterator[CodeUse]:
    """Calls like PitRefused(PitRefusal.SPOT_FREE, spot=3)."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(args=[ast.Attribute(value=ast.Name(id=name), attr=member)]) if name in LISTS:
                yield node.lineno, LISTS[name][member].value, {keyword.arg for keyword in node.keywords}


def codes_in_dicts(tree: ast.AST) -> Iterator[CodeUse]:
    """Values like {"code": "void/floor", "note": why}."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            names = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            code = node.values[names.index("code")] if "code" in names else None
            if isinstance(code, ast.Constant):
                yield node.lineno, str(code.value), {None if name is None else str(name) for name in names} - {"code"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_code_has_the_parameters_that_its_sentence_names(path: Path) -> None:
    tree = ast.parse(path.read_text())
    for line, code, names in (*codes_in_calls(tree), *codes_in_dicts(tree)):
        assert code in sentences(), f"{path.name}:{line}: {code} has no sentence"
        assert None in names or names >= parameters(code), f"{path.name}:{line}: {code}"


def test_codes_are_found_in_the_sources() -> None:
    uses = [use for path in SOURCES for use in codes_in_calls(ast.parse(path.read_text()))]
    assert {code for _, code, _ in uses} >= {"NOT_NOW", "SPOT_FREE", "TABLE_UNKNOWN", "TABLE_STOPPED", "NAME_TAKEN"}
    assert len(LISTS) >= 6
