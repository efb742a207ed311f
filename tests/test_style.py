"""Source files stay within the length that docs/style.md allows."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
STYLE = (ROOT / "docs" / "style.md").read_text()
LIMIT = 400
GENERATED = {"web/src/lib/schema.d.ts"}


def source_files() -> list[Path]:
    patterns = (
        ("src/upcard", "py"),
        ("tests", "py"),
        ("bench", "py"),
        ("scripts", "py"),
        ("web/src", "ts"),
        ("web/src", "svelte"),
    )
    return [path for folder, suffix in patterns for path in (ROOT / folder).rglob(f"*.{suffix}")]


def test_source_files_are_short_except_those_that_the_style_names() -> None:
    kernels = next(line for line in STYLE.split("\n- ") if line.startswith("Compiled kernels"))
    exceptions = {f"src/upcard/{name}" for name in re.findall(r"`(\S+kernel\.py)`", kernels)}
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in source_files()}
    too_long = {name for name, lines in lengths.items() if lines > LIMIT} - GENERATED
    assert f"{LIMIT} is the limit" in STYLE
    assert too_long == exceptions
