"""A chart: one letter for each total, or pair, against each up card.

H hit, S stand, D double or else hit, Ds double or else stand, P split, Rh Rs Rp surrender or else hit, stand, split.
A pair that cannot be split plays as its total; a hard 4 plays as a hard 5. Up cards and pairs go by value, ace 1 to
ten 10. A chart is a CSV file: a header `hand,2,3,...,10,A`, one row for each hand, and comments after #.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from pathlib import Path

from upcard.problems import BadFile, BadRequest, Problem, UnknownName

UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
HARD = tuple(f"hard {total}" for total in range(5, 22))
SOFT = tuple(f"soft {total}" for total in range(12, 22))
PAIRS = tuple(f"pair {name}" for name in UPS)
ROWS = (*HARD, *SOFT, *PAIRS)


class Letter(Enum):
    """What to do; the second letter of three of them says what to do where the first is not allowed."""

    HIT = "H"
    STAND = "S"
    DOUBLE_OR_HIT = "D"
    DOUBLE_OR_STAND = "Ds"
    SPLIT = "P"
    SURRENDER_OR_HIT = "Rh"
    SURRENDER_OR_STAND = "Rs"
    SURRENDER_OR_SPLIT = "Rp"

    @property
    def surrenders(self) -> bool:
        """Whether it surrenders where allowed."""
        return self.value.startswith("R")

    @property
    def doubles(self) -> bool:
        """Whether it doubles where allowed."""
        return self.value.startswith("D")

    @property
    def splits(self) -> bool:
        """Whether it splits, at once or where surrender is not allowed."""
        return self in (Letter.SPLIT, Letter.SURRENDER_OR_SPLIT)

    @property
    def stands(self) -> bool:
        """Whether it stands where neither doubling nor surrender is allowed."""
        return self in (Letter.STAND, Letter.DOUBLE_OR_STAND, Letter.SURRENDER_OR_STAND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Letters by row and up card, complete."""

    title: str
    cells: Mapping[str, tuple[Letter, ...]]  # by row, in the order of UPS

    def letter(self, row: str, up_value: int) -> Letter:
        """The letter of a row against an up card of this value, ace 1 to ten 10."""
        return self.cells[row][(up_value - 2) % 10]

    def look_up(self, total: int, *, soft: bool, up_value: int, pair_value: int | None = None) -> Letter:
        """The letter for a hand; `pair_value` only where it may be split."""
        if pair_value is not None:
            return self.letter(pair_row(pair_value), up_value)
        return self.letter(total_row(total, soft=soft), up_value)

    @property
    def surrenders(self) -> bool:
        """Whether any hand is surrendered where that is allowed."""
        return any(letter.surrenders for letters in self.cells.values() for letter in letters)

    def dump(self) -> str:
        """The chart as CSV text."""
        lines = [f"# {line}" for line in self.title.splitlines()]
        lines.append(",".join(("hand", *UPS)))
        lines += [",".join((row, *(letter.value for letter in self.cells[row]))) for row in ROWS]
        return "\n".join(lines) + "\n"


def total_row(total: int, *, soft: bool) -> str:
    """The row of a total; a hard 4, two twos that cannot be split, plays as a hard 5."""
    return f"soft {total}" if soft else f"hard {max(total, 5)}"


def pair_row(value: int) -> str:
    """The row of a pair by value."""
    return "pair A" if value == 1 else f"pair {value}"


def load(path: Path) -> Chart:
    """Loads a chart file; a refusal lists all its problems."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadRequest(f"{path} is not a text file") from None
    except OSError as error:
        raise BadRequest(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    return parse(text, file=str(path))


SHIPPED = {  # names of charts that come with the program, and their files
    "usual": "h17-4-8-decks.csv",
    "usual-surrender": "h17-4-8-decks-late-surrender.csv",
    "typical": "typical.csv",
    "never-bust": "never-bust.csv",
    "mimic-the-dealer": "mimic-the-dealer.csv",
}


def named(name: str) -> Chart:
    """A chart by its name among those that come with the program, or else by its file."""
    file = SHIPPED.get(name.lower())
    if file is not None:
        return parse((files("upcard.strategy") / "charts" / file).read_text(encoding="utf-8"), file=file)
    if not Path(name).exists() and Path(name).suffix == "":
        raise UnknownName(what="chart", name=name, known=("best", *SHIPPED), hint=CHART_NAMES)
    return load(Path(name))


def usual() -> Chart:
    """The usual chart for 4-8 decks when the dealer hits soft 17, without surrender."""
    return named("usual")


def surrender_notice(name: str, chart: Chart, *, offered: bool) -> list[str]:
    """A notice for a player whose chart leaves out surrender where the rules offer it."""
    if not offered or chart.surrenders:
        return []
    instead = "; usual-surrender does" if name.lower() == "usual" else ""
    return [f"the chart {name} never surrenders, although surrender is offered{instead}"]


CHART_NAMES = f"the charts are best, {', '.join(SHIPPED)}, or a file"


def parse(text: str, *, file: str) -> Chart:
    comments = [line[1:].strip() for line in text.splitlines() if line.startswith("#")]
    rows = list(csv.reader(line for line in text.splitlines() if line.strip() and not line.startswith("#")))
    problems = list(_header_problems(file, rows))
    cells: dict[str, tuple[Letter, ...]] = {}
    for row in rows[1:] if not problems else []:
        name = " ".join(row[0].lower().split()).replace("pair a", "pair A")
        problems += _row_problems(file, name, row, cells)
        cells[name] = tuple(_LETTERS.get(cell.strip().lower(), Letter.HIT) for cell in row[1:])
    if not problems:
        problems = [Problem(file=file, place=row, sentence="this row is missing") for row in ROWS if row not in cells]
    if problems:
        raise BadFile(problems)
    return Chart(title="\n".join(comments), cells={row: cells[row] for row in ROWS})


def _header_problems(file: str, rows: list[list[str]]) -> Iterable[Problem]:
    columns = ["hand", *UPS]
    if not rows or [cell.strip() for cell in rows[0]] != columns:
        yield Problem(file=file, place="header", sentence=f"a chart must begin with {','.join(columns)}")


def _row_problems(file: str, name: str, row: list[str], rows_before: Mapping[str, object]) -> Iterable[Problem]:
    if name not in ROWS:
        yield Problem(file=file, place=name, sentence=str(UnknownName(what="row", name=name, known=ROWS)))
    if name in rows_before:
        yield Problem(file=file, place=name, sentence="this row is given twice")
    if len(row) != len(UPS) + 1:
        yield Problem(file=file, place=name, sentence=f"a row must have {len(UPS)} letters, not {len(row) - 1}")
    for cell in row[1:]:
        letter = _LETTERS.get(cell.strip().lower())
        if letter is None:
            letters = " ".join(letter.value for letter in Letter)
            yield Problem(file=file, place=name, sentence=f"{cell.strip()!r} is not one of {letters}")
        elif letter.splits and not name.startswith("pair"):
            yield Problem(file=file, place=name, sentence="only a pair can be split")


_LETTERS = {letter.value.lower(): letter for letter in Letter}
