"""`upcard simulate`: the options."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from upcard.cli.options import OutputOptions, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateOptions:
    """The table, the player, the run and what is shown of it, as typed."""

    game: Annotated[str, typer.Argument(metavar="GAME", help="A game: its slug, its filing's number or its name.")]
    rounds: Annotated[
        str | None, typer.Option(help="Rounds in all, like 1e8; left out: 1e7, or what --target-stderr takes.")
    ] = None
    seats: Annotated[int, typer.Option(help="Spots the player plays, from the first on.")] = 1
    seed: Annotated[int | None, typer.Option(help="The same seed and rounds give the same integers.")] = None
    layout: Annotated[str | None, typer.Option(help="One of the game's layouts; left out: its usual one.")] = None
    decks: Annotated[int | None, typer.Option(help="Number of decks; left out: the layout's.")] = None
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="KEY=VALUE", help="Another rule, like soft17=stand; repeatable."),
    ] = field(default_factory=list)
    suit: Annotated[str | None, typer.Option(help="The operator's suit, for suit-specific awards.")] = None
    strategy: Annotated[
        str, typer.Option(metavar="FILE", help="The chart: best (computed from the rules), usual, or a file.")
    ] = "best"
    player: Annotated[
        str | None, typer.Option(metavar="FILE.toml", help="How the player bets; options here come on top.")
    ] = None
    wager: Annotated[
        list[str],
        typer.Option(metavar="NAME=RULE", help='NAME=$10, NAME=off, "NAME=from 2" or "NAME=$5 from 2"; repeatable.'),
    ] = field(default_factory=list)
    main_only: Annotated[bool, typer.Option("--main-only", help="No side wagers but those given by --wager.")] = False
    count: Annotated[
        str | None, typer.Option(metavar="NAME|TAGS", help="Tally by true count: hilo, ko, halves ... or tags A to 10.")
    ] = None
    ramp: Annotated[
        str | None, typer.Option(metavar="COUNT:TIMES...", help='The bet by true count, like "1:2 2:4 3:8".')
    ] = None
    insurance: Annotated[str | None, typer.Option(help="never, always, or from a true count like 3.")] = None
    flat_after: Annotated[
        int | None,
        typer.Option(metavar="N", help="Flat betting: held to the shoe's first wagers after N rounds of it."),
    ] = None
    fresh: Annotated[bool, typer.Option("--fresh", help="A new shoe for each round.")] = False
    compare: Annotated[bool, typer.Option("--compare", help="Beside the exact values, with z-scores.")] = False
    target_stderr: Annotated[
        str | None, typer.Option(metavar="PERCENT", help="Play until the main wager's error is this small, like 0.01%.")
    ] = None
    target_wager: Annotated[str | None, typer.Option(metavar="NAME", help="Another wager for --target-stderr.")] = None
    bankroll: Annotated[str | None, typer.Option(help="Risk of ruin of this bankroll, like $5,000.")] = None
    distribution: Annotated[
        int | None, typer.Option(metavar="N", help="The distribution of results after N rounds.")
    ] = None
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Convergence and distribution as .svg, .png, .html or .json.")
    ] = None
    threads: Annotated[int | None, typer.Option(help="Threads, or workers of --cluster local; left out: all.")] = None
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, tcp://...; or local, to start one.")
    ] = None
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the run, to top it up or merge it.")] = None
    top_up: Annotated[
        str | None, typer.Option(metavar="FILE", help="Go on with a kept run up to --rounds, and keep it there.")
    ] = None
    merge: Annotated[
        list[str], typer.Option(metavar="FILE", help="Show kept runs of several seeds as one; repeatable.")
    ] = field(default_factory=list)


@expand_options
def simulate(options: SimulateOptions, output: OutputOptions) -> None:
    """Play a game by the million, every wager on: edges with intervals, for every wager."""
    from upcard.cli.commands.simulate_run import run_simulation

    code = run_simulation(options, output.form)
    if code:
        raise typer.Exit(code)
