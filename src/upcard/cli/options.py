"""Options that several commands share, and a way to declare a command's options as a dataclass."""

import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

from upcard.cli.catalog_in_use import left_out, use_workspaces
from upcard.cli.output import Form
from upcard.problems import BadRequest

Workspaces = Annotated[
    list[str],
    typer.Option("--catalog", metavar="DIR", help="A workspace laid over the shipped catalog; repeatable."),
]
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
Checkpoints = Annotated[
    str | None,
    typer.Option(
        "--checkpoints",
        metavar="DIR",
        help="The folder of checkpoints (default: as in upcard.toml, or KEY.checkpoints).",
    ),
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


GameOption = Annotated[str | None, typer.Option("--game", metavar="GAME", help="The same as GAME.")]


def one_game(argument: str | None, option: str | None) -> str | None:
    """The game, given as an argument or as --game."""
    if argument is not None and option is not None and argument != option:
        raise BadRequest(f"{argument} and --game {option} contradict each other")
    return argument if option is None else option


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


def with_catalog(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `--catalog` to a command; the command asks `catalog_in_use`."""
    declared = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in signature(command).parameters.values()]

    @wraps(command)
    def called_by_typer(*, context_of_command: typer.Context, workspaces: list[str], **values: Any) -> None:
        use_workspaces((*context_of_command.find_root().params["catalog"], *workspaces))
        try:
            command(**values)
        finally:
            for line in left_out():
                print(f"upcard: {line}", file=sys.stderr)

    context = Parameter("context_of_command", Parameter.KEYWORD_ONLY, annotation=typer.Context)
    option = Parameter("workspaces", Parameter.KEYWORD_ONLY, default=[], annotation=Workspaces)
    called_by_typer.__signature__ = Signature([context, *declared, option])  # type: ignore[attr-defined]  # as above
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
