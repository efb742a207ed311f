"""How the command line shows things: a table for people, JSON and CSV for programs."""

import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from io import TextIOWrapper
from typing import TYPE_CHECKING, Literal, TextIO

from upcard.serialize import Cell as Cell
from upcard.serialize import csv_text, json_text

if TYPE_CHECKING:
    from rich.console import Console


class Form(Enum):
    PEOPLE = "people"
    JSON = "json"
    CSV = "csv"


def write_data(form: Form, data: Callable[[], object], rows: Callable[[], Sequence[Mapping[str, Cell]]]) -> bool:
    """Prints JSON or CSV; False: the output is for people, and nothing was printed yet."""
    return write_texts(form, lambda: json_text(data()), lambda: csv_text(rows()))


def write_texts(form: Form, as_json: Callable[[], str], as_csv: Callable[[], str]) -> bool:
    """The same, with texts that are ready to print."""
    if form is not Form.PEOPLE:
        _for_programs().write(as_json() if form is Form.JSON else as_csv())
    return form is not Form.PEOPLE


def write_json(value: object) -> None:
    _for_programs().write(json_text(value))


def write_table(
    title: str,
    rows: Sequence[Mapping[str, Cell]],
    *,
    right: Sequence[str] = (),
    drop: Sequence[str] = (),
) -> None:
    """Prints rows as a table; into a pipe or a file, as wide as it needs to be.

    Numbers are never broken. Where the terminal is too narrow, columns to `drop` go, the first first.
    """
    if not rows:
        write_lines(title)
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    names = _columns_that_fit(rows, drop)
    table = Table(title=Text(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for name in names:
        side: Literal["left", "right"] = "right" if name in right else "left"
        table.add_column(Text(name), justify=side, overflow="fold", no_wrap=_is_unbroken(rows, name))
    for row in rows:
        table.add_row(*(Text(_cell(row[name])) for name in names))
    console().print(table)


def fits(rows: Sequence[Mapping[str, Cell]], names: Sequence[str], *, words: int = 18) -> bool:
    """Whether these columns fit the terminal; a column of text needs at least `words` characters."""
    if not rows:
        return True
    needs = [_longest(rows, name) if _is_unbroken(rows, name) else min(_longest(rows, name), words) for name in names]
    return sum(needs) + 2 * len(needs) + 2 <= console().width


def _columns_that_fit(rows: Sequence[Mapping[str, Cell]], drop: Sequence[str]) -> list[str]:
    names = list(rows[0]) if rows else []
    for name in drop:
        if fits(rows, names):
            break
        names = [column for column in names if column != name]
    return names


def _is_unbroken(rows: Sequence[Mapping[str, Cell]], name: str) -> bool:
    """Numbers and short names are never wrapped."""
    return _longest(rows, name) <= 24 and not any(" " in _cell(row[name]) for row in rows)


def _longest(rows: Sequence[Mapping[str, Cell]], name: str) -> int:
    return max(max(map(len, name.split()), default=0), *(len(_cell(row[name])) for row in rows))


def _cell(value: Cell) -> str:
    return "" if value is None else str(value)


def write_lines(*lines: str) -> None:
    from rich.text import Text

    terminal = console()
    for line in lines:
        terminal.print(Text(line))


def console() -> "Console":
    """The terminal; a pipe gets full-width lines."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 240, highlight=False)


def write_plain(*lines: str) -> None:
    """Prints the lines of a file unwrapped, however narrow the terminal."""
    stream = _for_programs()
    for line in lines:
        stream.write(f"{line}\n")


def _for_programs() -> TextIO:
    """Standard output in UTF-8, whatever the terminal's encoding."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdout


def counted(count: int, thing: str, things: str = "") -> str:
    """ "1 deck", "6 decks"; `things` is a plural that does not end in a plain s."""
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def percentage(value: Fraction | float, places: int = 4) -> str:
    return f"{float(value * 100):.{places}f}%"
