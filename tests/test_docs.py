"""Links, file paths, make targets, settings and decisions that the documents name exist."""

import re
from pathlib import Path

import pytest

from upcard.api.settings import Settings

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = ("src", "tests", "docs", "bench", "scripts", "web")
SOURCES = [path for folder in ("src/upcard", "tests", "bench", "scripts") for path in (ROOT / folder).rglob("*.py")]
PYTHON_FILES = {path.name for path in SOURCES}
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")


def prose(page: Path) -> str:
    """The text of a page without its code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)


def heading_anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_repository_path(text: str) -> bool:
    """Whether words in backticks look like a file of this repository: a Python file, or a path below a top folder."""
    return PATH.fullmatch(text) is not None and (text.endswith(".py") or text.partition("/")[0] in FOLDERS)


def exists(path: str) -> bool:
    if "/" not in path and path.endswith(".py"):
        return path in PYTHON_FILES
    return any((base / path).exists() for base in (ROOT, ROOT / "src" / "upcard"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for link in re.findall(r"\]\(([^):]+)\)", prose(page)):
        target, _, anchor = link.partition("#")
        file = page.parent / target if target else page
        assert file.exists(), link
        if anchor:
            assert anchor in heading_anchors(file), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_in_backticks_exist(page: Path) -> None:
    quoted = [text.partition("::")[0] for text in re.findall(r"`([^`\n]+)`", prose(page))]
    missing = [text for text in quoted if is_repository_path(text) and not exists(text)]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_in_backticks_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for words in re.findall(r"`make ([a-z ]+)`", page.read_text()):
        assert set(words.split()) <= targets


def test_decisions_and_pages_cited_in_the_code_exist() -> None:
    numbers = {path.name[:3] for path in (ROOT / "docs" / "decisions").glob("*.md")}
    pages = {str(page.relative_to(ROOT)) for page in PAGES}
    for path in [
        *SOURCES,
        *PAGES,
        *sorted((ROOT / "web" / "src").rglob("*.ts")),
        *(ROOT / "web" / "src").rglob("*.svelte"),
    ]:
        text = path.read_text()
        assert set(re.findall(r"decisions?[ /](\d{3})", text, re.IGNORECASE)) <= numbers, path
        assert set(re.findall(r"\bdocs/[\w/-]+\.md", text)) <= pages, path


def test_every_setting_of_the_server_is_documented() -> None:
    rows = [line for line in (ROOT / "docs" / "operating.md").read_text().splitlines() if line.startswith("| `")]
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert set(Settings.model_fields) == documented


def test_messages_quoted_in_the_operating_guide_are_in_the_code() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    rows = page[page.index("| message |") :].partition("\n\n")[0].splitlines()[2:]
    code = "\n".join(path.read_text() for path in (ROOT / "src" / "upcard").rglob("*.py"))
    for row in rows:
        messages = re.findall(r'"([^"]+)"', row.split("|")[1])
        assert messages, row
        for message in messages:
            assert message in code


def test_buttons_named_in_the_floor_guide_are_on_the_pages() -> None:
    page = (ROOT / "docs" / "floor.md").read_text()
    labels = re.findall(r"(?<!\*)\*([A-Z][^*\n]*)\*(?!\*)", page)
    code = " ".join(" ".join(path.read_text().split()) for path in (ROOT / "web" / "src").rglob("*.svelte"))
    assert len(labels) > 10
    assert [label for label in labels if label not in code] == []
