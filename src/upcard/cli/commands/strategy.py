"""`upcard strategy`: the options."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyOptions:
    game: Annotated[str | None, typer.Option(help="main: the game, by slug or number.")] = None
    decks: Annotated[int | None, typer.Option(help="Number of decks; left out: the game's usual one.")] = None
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="KEY=VALUE", help="main: another rule, like soft17=stand; repeatable."),
    ] = field(default_factory=list)
    shoe: Annotated[
        str, typer.Option(metavar="COUNTS", help="main: cards of each rank, ace to king (13) or ace to ten (10).")
    ] = ""
    without: Annotated[str, typer.Option(metavar="CARDS", help='Cards gone from the shoe, like "5 5 Th".')] = ""
    costs: Annotated[bool, typer.Option("--costs", help="What each deviation costs instead.")] = False


@expand_options
def strategy(options: StrategyOptions, output: OutputOptions) -> None:
    """The best chart by totals, computed from the rules."""
    from upcard.cli.commands.strategy_view import show_strategy
    from upcard.odds.main.question import MainQuestion

    question = MainQuestion(
        game=options.game,
        decks=options.decks,
        settings=tuple(options.settings),
        shoe=options.shoe,
        without=options.without,
    )
    show_strategy(question, output.form, costs=options.costs)
