"""The service dies at every single write of a life, and nobody loses a cent or an answer."""

import os
from pathlib import Path

import pytest
from service.crowd import LAYOUTS
from service.simulator import Life

CRASHES = 250
LIVES = 400 if os.environ.get("UPCARD_SOAK") else 8  # 100,000 and 2,000 crashes


@pytest.mark.parametrize("seed", range(LIVES))
def test_a_crash_at_every_write_loses_nothing(seed: int, empty_file: Path, tmp_path: Path) -> None:
    tables = {name: LAYOUTS[name] for name in list(LAYOUTS)[seed % 2 : seed % 2 + 2 + seed % 3]}
    life = Life(seed, tables, empty_file, tmp_path)
    with life.told():
        life.live(CRASHES)
        life.end()
