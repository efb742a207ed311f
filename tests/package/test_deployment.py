"""What docs/installing.md gives an operator: the systemd unit is valid, and the alerts ask for metrics that exist."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from upcard.api.metrics import REGISTRY

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="only systemd can verify a unit")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "upcard.service").read_text(encoding="utf-8")
    program = re.search(r"(?m)^ExecStart=(\S+) serve", text)
    assert program is not None
    unit = tmp_path / "upcard.service"
    unit.write_text(text.replace(program[1], str(Path(sys.executable).with_name("upcard"))), encoding="utf-8")
    result = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    about_the_unit = [line for line in result.stderr.splitlines() if "upcard.service" in line]
    assert about_the_unit == []
    unit.write_text(unit.read_text(encoding="utf-8") + "\nNoSuchSetting=1\n", encoding="utf-8")
    result = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert "NoSuchSetting" in result.stderr  # it does look


def test_every_metric_of_the_alerts_exists() -> None:
    exist = {
        f"{family.name}{ending}" for family in REGISTRY.collect() for ending in ("", "_total", "_bucket", "_count")
    }
    asked = set(re.findall(r"\bupcard_\w+", (DEPLOY / "prometheus-alerts.yml").read_text(encoding="utf-8")))
    assert asked
    assert asked <= exist
