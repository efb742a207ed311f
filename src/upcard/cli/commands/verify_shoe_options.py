"""`upcard verify-shoe`: the options."""

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from upcard.cli.options import Json, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeOptions:
    """A shoe's record, part by part; these override the file."""

    layout: Annotated[str | None, typer.Option(help="The table's layout.")] = None
    key: Annotated[str | None, typer.Option(help="The key revealed after the shoe, in hex.")] = None
    nonce: Annotated[str, typer.Option(help="The players' nonce, in hex.")] = ""
    cut: Annotated[int | None, typer.Option(help="Where the shoe was cut, in cards from the front.")] = None
    commitment: Annotated[str | None, typer.Option(help="The hash published before the shoe, in hex.")] = None
    promise: Annotated[
        str | None, typer.Option(help="The hash that was promised when the shoe before began, in hex.")
    ] = None
    refills: Annotated[
        list[str] | None,
        typer.Option(
            "--refill",
            metavar="CARDS",
            help="The cards on the table when the discards were shuffled in, the hole card too; once per refill.",
        ),
    ] = None
    dealt: Annotated[
        str,
        typer.Option(
            metavar="CARDS",
            help="The cards in the order they were dealt, to compare; ? for a hole card that was never turned over.",
        ),
    ] = ""


@expand_options
def verify_shoe(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE.json", help="The record of a shoe; options given here override it.")
    ] = None,
    *,
    shoe: ShoeOptions,
    as_json: Json = False,
) -> None:
    """Recompute the card order of a finished shoe, and compare it with the published hashes and the cards dealt."""
    from upcard.cli.commands.verify_shoe_run import show_shoe

    parts = {name: value for name, value in asdict(shoe).items() if value not in (None, "", [])}
    show_shoe(file, parts, as_json=as_json)
