"""docs/procedures.md, read: the clauses and what shows them."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "procedures.md"
ROUNDS = ROOT / "tests" / "rounds"

_ROW = re.compile(r"\| (?P<id>\S+) \| (?:(?P<about>\w+) \| )?(?P<words>[^|]+) \| (?P<shown>[^|]+) \|")
_CLAUSE = re.compile(r"\d{3}-[A-Z]\d+")


@dataclass(frozen=True)
class Clause:
    id: str
    about: str  # play, table, felt or people; reading for the rows about readings
    words: str
    shown_by: tuple[str, ...]

    @property
    def filing(self) -> str:
        return self.id[:3]

    @property
    def rounds(self) -> tuple[Path, ...]:
        return tuple(ROUNDS / one for one in self.shown_by if one.endswith(".round"))

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(one for one in self.shown_by if not one.endswith(".round"))


@cache
def rows() -> tuple[Clause, ...]:
    """Every row of every table of the page, in order."""
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        match = _ROW.fullmatch(line)
        if match is None or match["id"] in ("clause", "reading"):
            continue
        shown = tuple(re.findall(r"`([^`]+)`", match["shown"]))
        found.append(Clause(match["id"], match["about"] or "reading", match["words"], shown))
    return tuple(found)


def clauses() -> tuple[Clause, ...]:
    return tuple(row for row in rows() if _CLAUSE.fullmatch(row.id))


def clauses_of(path: Path) -> set[str]:
    """The clauses a golden round is named after."""
    filing, *parts = path.stem.split("-")
    named = []
    for part in parts:
        if not re.fullmatch(r"[A-Z]\d+", part):
            break
        named.append(f"{filing}-{part}")
    return set(named)
