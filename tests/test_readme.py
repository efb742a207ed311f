"""The examples of the README and of docs/simulating.md run, and print what the pages show."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README, SIMULATING = (ROOT / name for name in ("README.md", "docs/simulating.md"))


def examples(page: Path) -> list[tuple[str, str]]:
    """Each command in the console blocks, with the output shown below it."""
    pairs = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            pairs.append((command, output))
    return pairs


def test_the_readme_has_the_two_commands_and_at_least_three_examples() -> None:
    text = README.read_text()
    assert "make run" in text
    assert "make test" in text
    assert len(examples(README)) >= 3


@pytest.mark.parametrize("page", [README, SIMULATING], ids=lambda page: page.name)
def test_the_examples_run_in_order_and_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert examples(page)
    for command, output in examples(page):
        result = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, (command, result.stderr)
        if output:
            assert tidy(result.stdout) == tidy(output), command


def tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]
