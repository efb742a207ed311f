"""`upcard strategy`: the options."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from upcard.cli.options import GameOption, OutputOptions, expand_options, one_game


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyOptions:
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The game, by slug or filing number, or a file.", show_default=False),
    ] = None
    game: GameOption = None
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
    from upcard.cli.catalog_in_use import catalog_in_use
    from upcard.cli.commands.strategy_view import show_strategy
    from upcard.cli.layout_lookup import game_and_layout
    from upcard.odds.main.question import MainQuestion

    game, layout = game_and_layout(one_game(options.name, options.game), options.layout)
    question = MainQuestion(
        catalog=catalog_in_use(),
        game=game,
        layout=layout,
        decks=options.decks,
        settings=tuple(options.settings),
        shoe=options.shoe,
        without=options.without,
    )
    show_strategy(question, output.form, costs=options.costs)
