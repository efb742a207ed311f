"""`upcard strategy`: the options."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyOptions:
    game: Annotated[str | None, typer.Option(help="The game, by slug or filing number.")] = None
    layout: Annotated[
        str | None, typer.Option(help="Play by this layout's rules: its readings and settings; a name or a file.")
    ] = None
    decks: Annotated[int | None, typer.Option(help="Number of decks (default: the game's usual number).")] = None
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, such as soft17=stand; repeatable."),
    ] = field(default_factory=list)
    shoe: Annotated[
        str, typer.Option(metavar="COUNTS", help="The cards left, 13 numbers from ace to king or 10 from ace to ten.")
    ] = ""
    without: Annotated[str, typer.Option(metavar="CARDS", help='Cards already out of the shoe, such as "5 5 Th".')] = ""
    costs: Annotated[bool, typer.Option("--costs", help="Show what each deviation from the chart costs instead.")] = (
        False
    )


@expand_options
def strategy(options: StrategyOptions, output: OutputOptions) -> None:
    """Compute the best total-dependent strategy chart from the rules."""
    from upcard.cli.commands.strategy_view import show_strategy
    from upcard.cli.layout_lookup import find_layout
    from upcard.odds.main.question import MainQuestion

    question = MainQuestion(
        game=options.game,
        layout=None if options.layout is None else find_layout(options.layout),
        decks=options.decks,
        settings=tuple(options.settings),
        shoe=options.shoe,
        without=options.without,
    )
    show_strategy(question, output.form, costs=options.costs)
