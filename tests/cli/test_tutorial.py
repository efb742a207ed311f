"""docs/adding-a-game.md, executed: from an empty folder to a dealt round and an audited figure, without Python."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli_runner import upcard

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
_FILE = re.compile(r"(Write|Correct it in|Add to the end of) `([^`]+)`:$")


def steps() -> Iterator[tuple[str, str, str]]:
    """What the tutorial does: `run` a command and what it prints, or `write` or `append` a text to a file."""
    tutorial = PAGE.read_text().split("\n## ")[1]
    for before, form, block in re.findall(r"([^\n]*)\n\n```(console|toml)\n(.*?)```", tutorial, flags=re.DOTALL):
        if form == "toml":
            named = _FILE.search(before)
            assert named, before
            yield "append" if named[1].startswith("Add") else "write", named[2], block
            continue
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield "run", command, output


def test_the_tutorial_goes_from_an_empty_folder_to_a_dealt_round_and_an_audited_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = []
    for step, what, text in steps():
        if step == "run":
            words = shlex.split(what)
            result = upcard(*words[1:])
            assert (words[0], result.code) == ("upcard", 0), (what, result.err)
            if text:
                assert tidy(result.out) == tidy(text), what
            commands.append(words[1])
        else:
            path = Path(what)
            path.write_text(path.read_text() + "\n" + text if step == "append" else text)
    assert commands == ["init", "check", "odds", "audit", "audit", "check", "simulate", "bots", "ledger"]
    zs = [row["z"] for row in compared()]
    assert len(zs) >= 6
    assert all(abs(z) < 4 for z in zs)


def compared() -> list[dict[str, float]]:
    words = "simulate my-bet-bigger --catalog my-house --rounds 1e6 --seed 1 --strategy usual --fresh --compare --json"
    rows = upcard(*words.split()).json["wagers"]
    return [row for row in rows if row["z"] is not None]


def tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]
