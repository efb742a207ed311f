"""`upcard odds LAYOUT`: all wagers of a layout together."""

from fractions import Fraction

from upcard.catalog.layout import Layout
from upcard.catalog.opening_meters import opening_meters
from upcard.cli.catalog_in_use import catalog_in_use, chart_in_use
from upcard.cli.commands.odds_options import OddsOptions
from upcard.cli.compile_notice import announce_compiling
from upcard.cli.output import Cell, Form, counted, write_lines, write_table, write_texts
from upcard.engine.terms import Terms
from upcard.odds.layout_odds import ROUNDS, LayoutOdds, layout_odds
from upcard.odds.main.jit import note_compiled
from upcard.odds.main.rules import from_game
from upcard.odds.several_spots import SeveralSpots, Simulated, TwoSpots
from upcard.pit import open_table, orders
from upcard.pit.table import order
from upcard.pit.terms import derive
from upcard.problems import BadRequest, UnknownName
from upcard.sim.charts import chart_named
from upcard.sim.covariance import MAIN, covariances
from upcard.sim.covariance import ROUNDS as SIMULATED_ROUNDS
from upcard.sim.spread import bet_spread
from upcard.strategy.chart import Chart, named
from upcard.strategy.player import Player
from upcard.units import dollars, money

_KERNELS = ("kernel", "result_kernel")


def show_layout_odds(layout: Layout, options: OddsOptions, form: Form) -> None:
    """Edge, deviation and correlations of every wager, of the whole round, and the most it can cost."""
    allowed = OddsOptions(chart=options.chart, meter=options.meter)
    if options != allowed:
        raise BadRequest("upcard odds LAYOUT takes --chart, --meter, --json and --csv only")
    announce_compiling(form, *_KERNELS)
    table, _ = order(open_table(catalog_in_use(), layout), orders.Seat("player", 1))
    terms = derive(table)
    spread = bet_spread(terms, Player())
    (stakes,) = spread.bets
    meters = _meters(layout, options.meter)
    chart = None if options.chart is None else named(chart_in_use(options.chart))
    simulated = _simulated(layout, terms, chart) if layout.spots > 1 else None
    answer = layout_odds(terms, layout.spots, stakes=stakes, meters=meters, chart=chart, simulated=simulated)
    note_compiled(*_KERNELS)
    if not write_texts(form, answer.as_json, answer.as_csv):
        _show(layout, answer)


def _simulated(layout: Layout, terms: Terms, chart: Chart | None) -> Simulated:
    """What two spots have in common that is not computed exactly, played by the chart or the best one by totals."""
    played = chart or chart_named("best", from_game(terms.rules), layout.decks)
    found = covariances(catalog_in_use(), layout, played)

    def of_pair(one: str, other: str) -> tuple[float, float]:
        pair = _simulated_name(terms, one), _simulated_name(terms, other)
        return found.two_spots[pair], found.two_spot_errors[pair]

    return of_pair


def _simulated_name(terms: Terms, wager: str) -> str:
    return MAIN if terms.wagers[wager].is_main else wager


def _meters(layout: Layout, given: list[str]) -> dict[str, Fraction]:
    """The meters as they open, or as given; in dollars."""
    meters = {meter.meter: Fraction(meter.amount, 100) for meter in opening_meters(catalog_in_use(), layout)}
    for text in given:
        name, _, amount = text.rpartition("=")
        if not meters:
            raise BadRequest(f"{layout.slug} has no meter, so --meter does not apply")
        if not name and len(meters) > 1:
            raise BadRequest(f"say which meter, like --meter {next(iter(meters))}={amount}; {_names(meters)}")
        meter = next((known for known in meters if known.lower() == (name or known).lower()), None)
        if meter is None:
            raise UnknownName(what="jackpot", name=name, known=meters, hint=_names(meters))
        try:
            meters[meter] = Fraction(money(amount if amount.startswith("$") else f"${amount}"), 100)
        except ValueError as error:
            raise BadRequest(f"--meter: {error}") from None
    return meters


def _names(meters: dict[str, Fraction]) -> str:
    return f"the layout's meters are {', '.join(meters)}"


def _show(layout: Layout, answer: LayoutOdds) -> None:
    covariance = answer.covariance
    rows: list[dict[str, Cell]] = [
        {
            "wager": name,
            "stake": dollars(answer.stakes[name]),
            "house edge": f"{-100 * covariance.means[place]:.4f}%",
            "sd": f"{covariance.deviations[place]:.4f}",
            "at most lost": dollars(answer.exposure.by_wager[name]),
        }
        for place, name in enumerate(covariance.names)
    ]
    shoe = counted(answer.decks, "deck")
    write_table(f"{layout.title}: every wager, {shoe}", rows, right=["stake", "house edge", "sd", "at most lost"])
    matrix: list[dict[str, Cell]] = [
        {"": name, **{other: f"{row[column]:+.4f}" for column, other in enumerate(covariance.names)}}
        for name, row in zip(covariance.names, covariance.correlations, strict=True)
    ]
    write_table("Correlations on one spot, exact", matrix, right=list(covariance.names))
    if answer.two_spots is not None:
        _show_spots(covariance.names, answer.two_spots, answer.several_spots)
    bands: list[dict[str, Cell]] = [
        {"rounds": f"{band.rounds:,}", "from": f"{100 * band.low:+.2f}%", "to": f"{100 * band.high:+.2f}%"}
        for band in map(answer.band, ROUNDS)
    ]
    write_table("The hold of one spot, 95 times out of 100, as a part of all stakes", bands, right=list(bands[0]))
    lost = answer.exposure
    at = ", ".join(f"{name} at ${float(amount):,.2f}" for name, amount in answer.meters.items())
    write_lines(
        f"Whole round         {dollars(answer.stake)} staked, house edge {100 * answer.edge:.4f}%, "
        f"${answer.house_win / 100:.4f} per round and spot",
        f"Standard deviation  ${answer.deviation / 100:.4f} per round and spot; "
        f"${answer.independent_deviation / 100:.4f} if wagers did not depend on each other",
        f"Volatility index    {answer.volatility_index:.4f} (1.645 standard deviations over the stakes)",
        f"Exposure            {dollars(lost.spot)} per spot, {dollars(lost.round)} per round of {answer.spots} spots, "
        f"{dollars(lost.table)} with the meters",
        f"Play                {answer.chart}; every wager at the least the table takes",
        *([f"Meters              {at}"] if at else []),
        "Exposure is an upper limit: every hand split, doubled and won at the largest stakes, every side wager at its",
        "best line, each meter once. Bands assume a full shoe each round and many rounds; few rounds of a rare pay are",
        "skewed.",
        *_spot_notes(answer),
        *([f"{', '.join(answer.late)}: per round, in some of which it cannot be made."] if answer.late else []),
        *(f"Left out: {name}, because {why}" for name, why in covariance.left_out.items()),
    )


def _show_spots(names: tuple[str, ...], between: TwoSpots, together: list[SeveralSpots]) -> None:
    matrix: list[dict[str, Cell]] = []
    for name, row, errors in zip(names, between.correlations, between.correlation_errors, strict=True):
        cells = zip(names, row, errors, strict=True)
        matrix.append({"": name, **{other: f"{value:+.4f}{'*' if error else ' '}" for other, value, error in cells}})
    write_table("Correlations between two spots, exact where not marked *", matrix, right=list(names))
    rows: list[dict[str, Cell]] = [
        {
            "spots": str(spots.spots),
            "stake": dollars(spots.stake),
            "house edge": f"{100 * spots.edge:.4f}%",
            "house win": f"${spots.house_win / 100:.4f}",
            "sd": f"${spots.deviation / 100:.4f}",
            "one standard error": f"${spots.deviation_error / 100:.4f}" if spots.deviation_error else "exact",
            "sd of stakes": f"{100 * spots.deviation / spots.stake:.2f}%",
            "sd if independent": f"${spots.independent_deviation / 100:.4f}",
        }
        for spots in together
    ]
    write_table("Spots together, per round", rows, right=list(rows[0]))


def _spot_notes(answer: LayoutOdds) -> list[str]:
    between = answer.two_spots
    if between is None:
        return []
    notes = ["Two winners on one meter count as if both won it whole."] if answer.meters else []
    if between.exact.all():
        return notes
    error = float(between.correlation_errors.max())
    return [
        f"* simulated, {SIMULATED_ROUNDS:,} rounds from shoes with a cut card"
        f"{', the best chart by totals' if answer.best_play else ''}: one standard error is at most {error:.4f}.",
        *notes,
    ]
