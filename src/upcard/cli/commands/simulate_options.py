"""`upcard simulate`: the options."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from upcard.cli.options import GameOption, OutputOptions, expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateOptions:
    """The table, the player, the run and what is shown of it, as typed."""

    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game's slug, filing number or name, or a file of a game or a layout."),
    ] = None
    game: GameOption = None
    rounds: Annotated[
        str | None, typer.Option(help="Total rounds, such as 1e8 (default: 1e7, or what --target-stderr needs).")
    ] = None
    seats: Annotated[int, typer.Option(help="Number of spots to play, starting at spot 1.")] = 1
    seed: Annotated[int | None, typer.Option(help="Random seed: the same seed and rounds give the same results.")] = (
        None
    )
    layout: Annotated[
        str | None, typer.Option(help="One of the game's layouts, or a file of one (default: its usual one).")
    ] = None
    decks: Annotated[int | None, typer.Option(help="Number of decks (default: the layout's).")] = None
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, such as soft17=stand; repeatable."),
    ] = field(default_factory=list)
    suit: Annotated[str | None, typer.Option(help="The operator's suit, for awards that name one suit.")] = None
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Strategy chart: best (computed from the rules), usual, usual-surrender, typical, never-bust, "
            "mimic-the-dealer, or a file.",
        ),
    ] = "best"
    player: Annotated[
        str | None,
        typer.Option(metavar="FILE.toml", help="A file that says how the player bets; options given here override it."),
    ] = None
    wager: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=RULE",
            help='NAME=$10, NAME=off, or by true count "NAME=from 2", "NAME=$5 from 2"; repeatable.',
        ),
    ] = field(default_factory=list)
    main_only: Annotated[
        bool, typer.Option("--main-only", help="Make no side wagers except those named with --wager.")
    ] = False
    count: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|TAGS", help="Report by true count: hilo, ko, halves ..., or ten tags from ace to ten."
        ),
    ] = None
    ramp: Annotated[
        str | None,
        typer.Option(
            metavar="COUNT:TIMES...", help='Bet spread by true count: "1:2 2:4 3:8" bets double from +1, and so on.'
        ),
    ] = None
    insurance: Annotated[
        str | None, typer.Option(help="When to insure: never, always, or from a true count such as 3.")
    ] = None
    flat_after: Annotated[
        int | None,
        typer.Option(metavar="N", help="Flat betting: after N rounds of a shoe, repeat the wagers of its first round."),
    ] = None
    fresh: Annotated[bool, typer.Option("--fresh", help="Use a new shoe for every round.")] = False
    compare: Annotated[bool, typer.Option("--compare", help="Compare with the exact values and show z-scores.")] = False
    target_stderr: Annotated[
        str | None,
        typer.Option(metavar="PERCENT", help="Stop once the main wager's standard error is this small, such as 0.01%."),
    ] = None
    target_wager: Annotated[
        str | None, typer.Option(metavar="NAME", help="Apply --target-stderr to this wager instead.")
    ] = None
    bankroll: Annotated[
        str | None, typer.Option(help="Also show the risk of ruin for this bankroll, such as $5,000.")
    ] = None
    horizon: Annotated[
        str | None,
        typer.Option(metavar="N", help="With --bankroll: also the risk within N rounds (default: 10,000)."),
    ] = None
    distribution: Annotated[
        int | None, typer.Option(metavar="N", help="Also show how results after N rounds are distributed.")
    ] = None
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Plot convergence and distribution to a .svg, .png, .html or .json file."),
    ] = None
    threads: Annotated[
        int | None, typer.Option(help="Threads, or workers with --cluster local (default: one per core).")
    ] = None
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run on a Dask scheduler: tcp://..., or `local` to start one.")
    ] = None
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Save the run, to continue or merge it later.")] = (
        None
    )
    top_up: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Continue a saved run up to --rounds, and save it again; nothing else is needed."
        ),
    ] = None
    merge: Annotated[
        list[str], typer.Option(metavar="FILE", help="Show saved runs with different seeds as one; repeatable.")
    ] = field(default_factory=list)


@expand_options
def simulate(options: SimulateOptions, output: OutputOptions) -> None:
    """Simulate millions of rounds; show every wager's edge with its confidence interval."""
    from upcard.cli.commands.simulate_run import run_simulation

    code = run_simulation(options, output.form)
    if code:
        raise typer.Exit(code)
