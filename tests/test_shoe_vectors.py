"""The test vectors of shoes that verifiers in every language share: here for the command line, in web/ for the felt."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from support.cli_runner import upcard

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("shoe_vectors.json").read_text())
GENUINE = {vector["name"]: vector for vector in VECTORS["genuine"]}


@pytest.mark.parametrize("name", GENUINE)
def test_a_genuine_shoe_has_the_order_of_its_vector(name: str, tmp_path: Path) -> None:
    vector = GENUINE[name]
    result = upcard("verify-shoe", _file(vector["record"], tmp_path), "--json")
    assert result.code == 0, result.err
    assert hashlib.sha256(result.json["order"].encode()).hexdigest() == vector["order_sha256"]


@pytest.mark.parametrize("number", range(len(VECTORS["tampered"])))
def test_a_changed_shoe_is_rejected(number: int, tmp_path: Path) -> None:
    vector = VECTORS["tampered"][number]
    result = upcard("verify-shoe", _file({**GENUINE[vector["of"]]["record"], **vector["change"]}, tmp_path))
    assert result.code == 2
    assert vector["sentence"] in result.err


def _file(record: dict[str, Any], folder: Path) -> str:
    path = folder / "shoe.json"
    path.write_text(json.dumps(record))
    return str(path)
