"""A document: sections of statements, facts and tables. The same one is written as Markdown and as HTML."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statements:
    """Sentences, each an item of a list."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. Columns in `right` are aligned to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()


Block = Statements | Grid


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its blocks; level 2 is a chapter, level 3 a part of one."""

    heading: str
    level: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    sections: tuple[Section, ...]


def section(heading: str, *blocks: Block, level: int = 2) -> Section:
    """A section without the blocks that are empty."""
    return Section(heading, level, tuple(block for block in blocks if not _is_empty(block)))


def facts(rows: Sequence[tuple[str, str]]) -> Grid:
    """Names and values; those without a value are left out."""
    return Grid(("what", "value"), tuple((name, value) for name, value in rows if value))


def _is_empty(block: Block) -> bool:
    return not (block.sentences if isinstance(block, Statements) else block.rows)


def on_one_line(text: str) -> str:
    """A text without line breaks and control characters, which people can type into a reason."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
