"""Options that several commands share, and a way to declare a command's options as a dataclass."""

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

from upcard.cli.output import Form

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Jurisdiction = Annotated[
    str | None,
    typer.Option(
        "--jurisdiction", metavar="FILE", help="The operator's own file for a jurisdiction, instead of the shipped one."
    ),
]
Book = Annotated[str, typer.Argument(metavar="BOOK", help="The book: a file, or postgresql://...")]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="FILE", help="The operator's key file (default for a book file: BOOK.key)."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    as_json: Json = False
    as_csv: Csv = False

    @property
    def form(self) -> Form:
        """JSON wins when both are given."""
        if self.as_json:
            return Form.JSON
        return Form.CSV if self.as_csv else Form.PEOPLE


def expand_options(command: Callable[..., None]) -> Callable[..., None]:
    """Lets a command take dataclasses: Typer sees a parameter for every field, the command gets the objects."""
    declared = signature(command).parameters.values()
    groups: dict[str, Any] = {
        parameter.name: parameter.annotation for parameter in declared if is_dataclass(parameter.annotation)
    }

    @wraps(command)
    def called_by_typer(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    expanded = [option for parameter in declared for option in _expanded(parameter)]
    called_by_typer.__signature__ = Signature(expanded)  # type: ignore[attr-defined]  # how inspect is told
    return called_by_typer


def _expanded(parameter: Parameter) -> list[Parameter]:
    if not is_dataclass(parameter.annotation):
        return [parameter.replace(kind=Parameter.KEYWORD_ONLY)]
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=_default(field), annotation=field.type)
        for field in fields(parameter.annotation)
    ]


def _default(field: "Field[Any]") -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return Parameter.empty if field.default is MISSING else field.default
