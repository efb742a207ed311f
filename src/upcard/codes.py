"""Codes and their sentences.

A refusal, a reason or an announcement is stored and sent as a code with its parameters. Its sentence is built where it
is shown. A code is never renamed, because books contain it; a sentence may be reworded at any time.

A sentence names its parameters in braces, with a format where the value needs one:

    {spot}            the value itself
    {amount:money}    cents as dollars
    {id:quoted}       a text in quotation marks
    {others:or}       a list, "Ante or Blackjack"; {spots:list} has commas, {only:money_or} is a list of amounts
    {held:stakes}     cents by wager, "Ante $5, Top 3 $1"
    {why:coded}       another code with parameters of its own
    {at:moment}       a moment as it is stored

The web client formats the same sentences in `web/src/lib/codes.ts`.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from string import Formatter
from typing import Any, Self

from typing_extensions import TypeAliasType

from upcard.problems import UpcardError
from upcard.units import dollars

Parameter = TypeAliasType(  # of a code, as JSON has it
    "Parameter", "str | int | Sequence[Parameter] | Mapping[str, Parameter] | None"
)
Details = Mapping[str, Parameter]
Coded = dict[str, Parameter]  # a code and its parameters as they are stored: {"code": "NOT_YOUR_TURN", "turn": 2}

_SENTENCES: dict[str, str] = {}


class Code(Enum):
    """A closed list of codes. A member is written as `NAME = "code", "sentence"`."""

    sentence: str

    def __new__(cls, code: str, sentence: str) -> Self:
        """A member whose value is its code; no two lists may share one."""
        member = object.__new__(cls)
        member._value_ = code
        member.sentence = sentence
        phrases({code: sentence})
        return member

    __hash__ = object.__hash__  # there is one of each


class CodedError(UpcardError):
    """An error that is a code and its parameters."""

    def __init__(self, reason: Code, **details: Parameter) -> None:
        self.reason, self.details = reason, details
        super().__init__(reason.value)

    def __str__(self) -> str:
        return sentence(self.reason.value, self.details)

    @property
    def coded(self) -> Coded:
        """As stored, or nested inside another code."""
        return {"code": self.reason.value, **self.details}


def phrases(sentences: Mapping[str, str]) -> None:
    for code, text in sentences.items():
        if code in _SENTENCES:
            raise ValueError(f"the code {code} is in use already")
        _SENTENCES[code] = text


def sentences() -> Mapping[str, str]:
    """Every known code with its sentence."""
    return _SENTENCES


def parameters(code: str) -> set[str]:
    """The parameters a code's sentence names."""
    return {name for _, name, _, _ in Formatter().parse(_SENTENCES[code]) if name}


def sentence(code: str, details: Details) -> str:
    """The sentence of a code; an unknown code, from a later version, is shown as it is."""
    template = _SENTENCES.get(code)
    if template is None:
        return ", ".join((code, *(f"{name} {value}" for name, value in details.items())))
    return _SentenceFormatter().vformat(template, (), details)


def sentence_of(coded: Details) -> str:
    """The sentence of a stored code."""
    return sentence(str(coded["code"]), {name: value for name, value in coded.items() if name != "code"})


class _SentenceFormatter(Formatter):
    """Formats parameters by the names in this file's docstring; one that is missing is shown as "?"."""

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002 - Formatter's own
        value = kwargs.get(str(key))
        return "?" if value is None else value

    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec or value == "?":
            return str(value)
        return "".join(_formatted(value, format_spec))


def _formatted(value: Any, kind: str) -> Iterator[str]:
    match kind:
        case "money":
            yield dollars(value)
        case "quoted":
            yield repr(value)
        case "or":
            yield " or ".join(map(str, value))
        case "list":
            yield ", ".join(map(str, value)) or "none"
        case "money_or":
            yield " or ".join(dollars(amount) for amount in value)
        case "stakes":
            yield ", ".join(f"{wager} {dollars(amount)}" for wager, amount in value.items()) or "none"
        case "coded":
            yield sentence_of(value)
        case "moment":
            yield str(value)[:19].replace("T", " ") + " UTC"
        case _:
            raise ValueError(f"there is no format {kind!r} for a parameter of a sentence")
