"""The words and symbols of a condition, each with its column."""

import re
from dataclasses import dataclass

MOST_LETTERS = 2_000  # of a condition
_TOKEN = re.compile(r"\s*(?:(?P<word>[A-Za-z0-9][A-Za-z0-9+\-]*)|(?P<symbol><=|>=|!=|[(),/=<>]))")


class ConditionError(ValueError):
    """A condition that cannot be read; the column counts from 1."""

    def __init__(self, sentence: str, column: int) -> None:
        super().__init__(sentence)
        self.sentence, self.column = sentence, column


@dataclass(frozen=True, slots=True)
class Token:
    text: str  # empty at the end
    column: int

    @property
    def shown(self) -> str:
        return repr(self.text) if self.text else "the end"


def read_tokens(text: str) -> list[Token]:
    """The tokens of a condition, and the end."""
    if len(text) > MOST_LETTERS:
        raise ConditionError(f"a condition may have at most {MOST_LETTERS:,} letters: name its parts with let", 1)
    tokens, place = [], 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        if match is None:
            spaces = len(text[place:]) - len(text[place:].lstrip())
            raise ConditionError(f"{text[place + spaces]!r} has no meaning here", place + spaces + 1)
        kind = "word" if match["word"] else "symbol"
        tokens.append(Token(match[kind], match.start(kind) + 1))
        place = match.end()
    return [*tokens, Token("", len(text.rstrip()) + 1)]
