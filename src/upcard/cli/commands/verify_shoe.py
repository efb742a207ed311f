"""`upcard verify-shoe`: the options."""

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from upcard.cli.options import Json, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeOptions:
    """A shoe's record, part by part; what is given here goes before the file."""

    layout: Annotated[str | None, typer.Option(help="The table's layout.")] = None
    key: Annotated[str | None, typer.Option(help="The key that was revealed, in hex.")] = None
    nonce: Annotated[str, typer.Option(help="The players' nonce, in hex.")] = ""
    cut: Annotated[int | None, typer.Option(help="Where the shoe was cut, in cards from the front.")] = None
    commitment: Annotated[str | None, typer.Option(help="What was published before the shoe, in hex.")] = None
    dealt: Annotated[str, typer.Option(metavar="CARDS", help="Cards as they came out, to compare.")] = ""


@expand_options
def verify_shoe(
    file: Annotated[str | None, typer.Argument(metavar="[FILE.json]", help="The record of a shoe.")] = None,
    *,
    shoe: ShoeOptions,
    as_json: Json = False,
) -> None:
    """Make the order of a finished shoe again and check it against what was promised and dealt."""
    from upcard.cli.commands.verify_shoe_view import show_shoe

    parts = {name: value for name, value in asdict(shoe).items() if value not in (None, "")}
    show_shoe(file, parts, as_json=as_json)
