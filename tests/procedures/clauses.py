"""Parses docs/procedures.md: the clauses, and the rounds and tests that show each."""

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
        return tuple(ROUNDS / name for name in self.shown_by if name.endswith(".round"))

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(name for name in self.shown_by if not name.endswith(".round"))


@cache
def rows() -> tuple[Clause, ...]:
    """Every row of every table of the page, in order."""
    clauses_read = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        match = _ROW.fullmatch(line)
        if match is None or match["id"] in ("clause", "reading"):
            continue
        shown_by = tuple(re.findall(r"`([^`]+)`", match["shown"]))
        clauses_read.append(Clause(match["id"], match["about"] or "reading", match["words"], shown_by))
    return tuple(clauses_read)


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
