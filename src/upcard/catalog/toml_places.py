"""Where the keys and values of a TOML file stand: their lines and columns. The file must be valid TOML."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]

_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_NAME = re.compile(r"""\"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([\w\-+]+)""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'", flags=re.DOTALL
)
_NEWLINE = re.compile(r"\r?\n")
_RAW_LETTER = re.compile(r"\r\n|.", flags=re.DOTALL)
# A backslash at the end of a line hides the space up to the next letter.
_LETTER = re.compile(
    r"(?:\\[ \t]*\r?\n[ \t\r\n]*)*(?:\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\.|\r\n|.|$)", flags=re.DOTALL
)
_SCALAR = re.compile(r"[^,\]\}\n#]*")


class TomlPlaces:
    """The place of every key: of its value, or of the table that it heads."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._places: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        try:
            self._read_file()
        except (IndexError, AttributeError):  # not valid TOML from here on
            return

    def find(self, *path: str | int) -> tuple[int, int]:
        """The line of a key, or of the nearest table that it is missing from, and the column before its text."""
        while path and path not in self._places:
            path = path[:-1]
        return self._line(self._places.get(path, 0))

    def find_letter(self, path: Path, letter: int) -> tuple[int, int]:
        """The line and the column of a letter of a text, counted from 1, however it is written; 0 is its start."""
        if letter == 0 or path not in self._places:  # also if its name is written with escapes
            line, before = self.find(*path)
            return line, before + 1
        place = self._places[path]
        pattern = _RAW_LETTER if self._text[place - 1] == "'" else _LETTER
        if self._text[place - 3 : place] in ('"""', "'''"):
            place = _after(_NEWLINE, self._text, place)
        for _ in range(letter - 1):
            place = _after(pattern, self._text, place)
        line, before = self._line(place)
        return line, before + 1

    def _line(self, place: int) -> tuple[int, int]:
        line = next(number for number in range(len(self._starts), 0, -1) if self._starts[number - 1] <= place)
        return line, place - self._starts[line - 1]

    def __contains__(self, path: object) -> bool:
        return path in self._places

    def _read_file(self) -> None:
        table: Path = ()
        while True:
            self._skip(_BLANK)
            if self._at >= len(self._text):
                return
            start = self._at
            if self._text[self._at] == "[":
                new_entry = self._text.startswith("[[", self._at)
                self._at += 2 if new_entry else 1
                table = self._table(list(self._names()), new_entry=new_entry)
                for length in range(1, len(table) + 1):
                    self._places.setdefault(table[:length], start)
                self._at = self._text.index("]", self._at) + (2 if new_entry else 1)
            else:
                self._read_pair(table)

    def _table(self, names: list[str], *, new_entry: bool) -> Path:
        path: Path = ()
        for place, name in enumerate(names):
            path = (*path, name)
            if new_entry and place == len(names) - 1:
                self._counts[path] = self._counts.get(path, -1) + 1
            if path in self._counts:
                path = (*path, self._counts[path])
        return path

    def _read_pair(self, table: Path) -> None:
        path = (*table, *self._names())
        self._at = self._text.index("=", self._at) + 1
        self._skip(_SPACE)
        self._read_value(path)

    def _names(self) -> "Iterator[str]":
        """A name, or several joined by dots."""
        while True:
            self._skip(_SPACE)
            match = _NAME.match(self._text, self._at)
            if match is None:
                raise IndexError
            yield match[match.lastindex or 0]
            self._at = match.end()
            self._skip(_SPACE)
            if self._text[self._at] != ".":
                return
            self._at += 1

    def _read_value(self, path: Path) -> None:
        first = self._text[self._at]
        string = _STRING.match(self._text, self._at)
        quotes = 3 if string and self._text.startswith(first * 3, self._at) and string.end() - self._at > 5 else 1
        self._places.setdefault(path, self._at + (quotes if string else 0))
        if string:
            self._at = string.end()
        elif first == "[":
            self._read_items(path, "]")
        elif first == "{":
            self._read_items(path, "}")
        else:
            self._skip(_SCALAR)

    def _read_items(self, path: Path, end: str) -> None:
        self._at += 1
        for number in range(len(self._text)):
            self._skip(_BLANK)
            if self._text[self._at] == end:
                break
            if end == "]":
                self._read_value((*path, number))
            else:
                self._read_pair(path)
            self._skip(_BLANK)
            if self._text[self._at] == ",":
                self._at += 1
        self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._at = _after(pattern, self._text, self._at)


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
