"""Errors that a user can cause.

    UpcardError                 every error a user can cause; its text is one clear sentence
    |- BadFile                  a file with problems: all of them, each with its place
    |- UnknownName              a name that is not in the catalog, with the nearest that are
    `- BadRequest               a request that cannot be met as given

Nothing here knows about cards, money or games.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with a file: the place and what is wrong."""

    file: str
    place: str
    sentence: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.place}" if self.place else self.file
        return f"{where}: {self.sentence}"


class UpcardError(Exception):
    """The base of all errors that a user can cause."""


class BadFile(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A file that cannot be used, with every problem found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class BadRequest(UpcardError):  # noqa: N818 - casino English, not a traceback
    """A request that cannot be met as given; the text says why and what would work."""


class UnknownName(UpcardError):  # noqa: N818 - casino English, not a traceback
    """An unknown name, with the nearest known ones."""

    def __init__(self, *, what: str, name: str, known: Iterable[str], hint: str = "") -> None:
        self.what, self.name = what, name
        self.suggestions = nearest(name, known)
        sentence = f"there is no {what} {name!r}"
        if self.suggestions:
            sentence += f"; did you mean {' or '.join(self.suggestions)}?"
        elif hint:
            sentence += f"; {hint}"
        super().__init__(sentence)


def nearest(name: str, names: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names most similar to `name`, best first; empty if none is similar."""
    typed = _bare(name)
    if not typed:
        return ()
    scored = [(_likeness(typed, _bare(candidate)), candidate) for candidate in names]
    likely = sorted((pair for pair in scored if pair[0] >= 0.6), key=lambda pair: (-pair[0], pair[1]))
    return tuple(candidate for _, candidate in likely[:most])


def _likeness(typed: str, candidate: str) -> float:
    """Letters in common, with credit for a name typed only in part (`LL-3` for `PT-BJS-LL-30`)."""
    score = SequenceMatcher(None, typed, candidate).ratio()
    if len(typed) >= 2 and typed in candidate:
        score = max(score, 0.7 + 0.2 * len(typed) / len(candidate))
    return score


def _bare(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
