"""`upcard init-house`: the options."""

from typing import Annotated

import typer

from upcard.cli.options import Json, Key


def init_house(
    plan: Annotated[
        str | None, typer.Argument(metavar="FILE", help="The plan of the house; --example prints one.")
    ] = None,
    example: Annotated[bool, typer.Option("--example", help="Print a plan to start from.")] = False,
    links: Annotated[
        str | None, typer.Option("--links", metavar="HTML", help="Write a page with everybody's link and its QR code.")
    ] = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Set up a new house from a plan: its name, gaming day, people, first tables and money for jackpots."""
    from upcard.cli.commands.init_house_run import set_up_house

    set_up_house(plan, example=example, links=links, key=key, as_json=as_json)
