"""The service dies in the middle of anything, the disk fails or is full: nobody loses a cent, an answer or a seat."""

import os
from pathlib import Path

import pytest
from service.crash_simulation import CrashSimulation
from service.random_commands import LAYOUTS

CRASHES = 168
LIVES = 600 if os.environ.get("UPCARD_SOAK") else 12  # 100,000 and 2,000 crashes


@pytest.mark.parametrize("seed", range(LIVES))
def test_a_crash_anywhere_loses_nothing(seed: int, empty_file: Path, tmp_path: Path) -> None:
    names = [list(LAYOUTS)[(seed + number) % len(LAYOUTS)] for number in range(2 + seed % 3)]
    tables = {name: LAYOUTS[name] for name in names}
    simulation = CrashSimulation(seed, tables, empty_file, tmp_path)
    with simulation.naming_seed():
        simulation.live(CRASHES)
        simulation.end()
