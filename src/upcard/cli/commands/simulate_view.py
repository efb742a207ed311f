"""What `upcard simulate` shows: a table for people, JSON and CSV for programs. Every figure names its denominator."""

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.cli.output import Cell, Form, write_data, write_lines, write_table
from upcard.odds.meters import QUANTILES, MeterModel, meter_line
from upcard.sim.compare import TOTAL, ExactComparison
from upcard.sim.distribution import distribution_of
from upcard.sim.figures import Figure, Statistics, Totals, WagerStatistics
from upcard.sim.jackpots import SimulatedMeter
from upcard.sim.lockstep import kernel_name
from upcard.sim.run import Run
from upcard.units import dollars


@dataclass(frozen=True, kw_only=True)
class SimulationReport:
    run: Run
    statistics: Statistics
    comparisons: tuple[ExactComparison, ...]
    meters: tuple[SimulatedMeter, ...]
    notices: tuple[str, ...]
    bankroll: int | None
    horizon: int
    threads: int
    cluster: str | None
    seconds: float
    merged: int

    @property
    def speed(self) -> float:
        """Rounds per second of wall time."""
        return self.run.state.rounds / self.seconds if self.seconds > 0 and not self.merged else 0.0

    def compared(self, wager: str) -> ExactComparison | None:
        return next((comparison for comparison in self.comparisons if comparison.wager == wager), None)


PLUS_MINUS = "± is the larger half of a 95% interval."
DENOMINATORS = {
    "mean": "net of the wager over its initial stakes; doubles and splits change the net, not the stake",
    "sd": "of one round in which the wager was made, in units of that round's initial stake on it",
    "hit_rate": "paid events over times made; for main wagers, hands won over hands played",
    "per_100_rounds": "dollars over 100 rounds of the table, whether the wager was made in them or not",
    "total": "all wagers of a round together; mean over all initial stakes",
    "by_count": "true count before the deal, running count over decks left, rounded down; the ends hold all beyond",
}


def show_simulation(report: SimulationReport, form: Form) -> None:
    if not write_data(form, lambda: _as_dict(report), lambda: list(_csv_rows(report))):
        _show_tables(report)


def _as_dict(report: SimulationReport) -> dict[str, object]:
    run, compiled, total = report.run, report.run.compiled, report.statistics.total
    player = compiled.player
    blocks = run.sums.blocks
    return {
        "game": compiled.terms.game,
        "layout": compiled.terms.layout,
        "decks": compiled.terms.decks,
        "seats": compiled.spots,
        "rounds": run.state.rounds,
        "seed": run.seed,
        "threads": report.threads,
        "kernel": kernel_name(compiled.program, run.block),
        "cluster": report.cluster,
        "seconds": report.seconds,
        "rounds_per_second": report.speed,
        "fresh": compiled.fresh,
        "stopped": run.stopped or None,
        "chart": compiled.chart.title,
        "count": player.count.name if player.count else None,
        "flat_after": player.flat_after,
        "wagers": [_wager(report, wager) for wager in report.statistics.wagers],
        "total": _total(report, total),
        "jackpots": [
            {
                "jackpot": meter.jackpot,
                "wager": meter.wager,
                "plan": meter.plan,
                "hits": meter.hits,
                "rounds_between_hits": meter.rounds_between_hits,
                "opening_meter": None if meter.opening is None else meter.opening / 100,
                "expected_meter": None if meter.expected is None else meter.expected / 100,
                "expected_rounds_between_hits": meter.expected_rounds_between_hits,
                "meter_distribution": None if meter.model is None else _meter_distribution(meter.model),
            }
            for meter in report.meters
        ],
        "distribution": {"rounds": run.block, "blocks": sum(blocks.values()), **_dollars(distribution_of(blocks))}
        if blocks
        else None,
        "denominators": DENOMINATORS,
        "notices": list(report.notices),
    }


def _dollars(spread: dict[str, float]) -> dict[str, float]:
    return {name: value if name == "ahead" else value / 100 for name, value in spread.items()}


def _wager(report: SimulationReport, wager: WagerStatistics) -> dict[str, object]:
    data: dict[str, object] = {
        "wager": wager.wager,
        "paytable": wager.paytable or None,
        **_figure(wager.figure),
        "hits": wager.hits,
        "hit_rate": wager.hit_rate,
        "per_100_rounds": wager.figure.net / report.statistics.total.rounds if report.statistics.total.rounds else 0.0,
        "correlation_with_main": wager.correlation,
    }
    compared = report.compared(wager.wager)
    if compared is not None:
        data |= {"exact": compared.exact, "difference": compared.difference, "z": compared.z}
    if wager.with_main:
        data["with_main"] = wager.with_main
    if wager.by_count:
        data["by_count"] = [{"true_count": true, **_figure(figure)} for true, figure in wager.by_count.items()]
    return data


def _figure(figure: Figure) -> dict[str, Cell]:
    low, high = figure.interval
    return {
        "mean": figure.mean,
        "stderr": figure.stderr,
        "low": low,
        "high": high,
        "sd": figure.sd,
        "made": figure.made,
        "staked": figure.staked / 100,
        "net": figure.net / 100,
    }


def _total(report: SimulationReport, total: Totals) -> dict[str, object]:
    data: dict[str, object] = {
        **_figure(total.figure),
        "mean_a_round": total.mean / 100,
        "stderr_a_round": total.stderr / 100,
        "sd_a_round": total.sd / 100,
        "per_100_rounds": total.mean,
        "action": total.action / 100,
        "net_over_action": total.net / total.action if total.action else 0.0,
        "n0": total.n_zero,
        "meters": "empty" if report.meters else None,
    }
    compared = report.compared(TOTAL)
    if compared is not None:
        data |= {"exact": compared.exact, "difference": compared.difference, "z": compared.z}
    if report.bankroll is not None:
        forever = total.risk_of_ruin(report.bankroll)
        within = total.risk_of_ruin(report.bankroll, report.horizon)
        data |= {
            "bankroll": report.bankroll / 100,
            "risk_of_ruin": forever.value,
            "risk_of_ruin_interval": [forever.least, forever.most],
            "horizon": report.horizon,
            "risk_within_horizon": within.value,
            "risk_within_horizon_interval": [within.least, within.most],
        }
    if total.by_count:
        data["by_count"] = [{"true_count": true, **_figure(figure)} for true, figure in total.by_count.items()]
    return data


def _csv_rows(report: SimulationReport) -> Iterator[dict[str, Cell]]:
    """A row for each wager and for all together, and for each of them at each true count."""
    everything = [(wager.wager, wager.paytable, wager.figure, wager.by_count) for wager in report.statistics.wagers]
    total = report.statistics.total
    for name, paytable, figure, by_count in [*everything, (TOTAL, "", total.figure, total.by_count)]:
        for true, part in ((None, figure), *by_count.items()):
            row: dict[str, Cell] = {"wager": name, "paytable": paytable, "true_count": true}
            row |= _figure(part)
            compared = report.compared(name) if true is None else None
            if report.comparisons:
                row |= {
                    "exact": compared.exact if compared else None,
                    "difference": compared.difference if compared else None,
                    "z": compared.z if compared else None,
                }
            yield row


def _show_tables(report: SimulationReport) -> None:
    run, compiled = report.run, report.run.compiled
    spots = f"{compiled.spots} spots" if compiled.spots > 1 else "1 spot"
    shoe = "a new shoe each round" if compiled.fresh else f"cut card after {compiled.program.game.cut} cards"
    title = f"{compiled.table.layout.title}: {run.state.rounds:,} rounds, {spots}, {shoe}"
    rows = [_row(report, wager) for wager in report.statistics.wagers]
    rows.append(_total_row(report))
    write_table(title, rows, right=[name for name in rows[0] if name != "wager"], drop=["sd", "made", "per 100 rounds"])
    _show_hits(report)
    _show_by_count(report)
    write_lines(*_lines(report))


def _row(report: SimulationReport, wager: WagerStatistics) -> dict[str, Cell]:
    rounds = report.statistics.total.rounds or 1
    row = _cells(wager.figure) | {
        "hit rate": f"{100 * wager.hit_rate:.4f}%",
        "per 100 rounds": _money(wager.figure.net / rounds * 100),
    }
    return {"wager": wager.wager} | row | _exact_cells(report, wager.wager)


def _total_row(report: SimulationReport) -> dict[str, Cell]:
    total = report.statistics.total
    row = _cells(total.figure) | {"hit rate": "", "per 100 rounds": _money(100 * total.mean)}
    return {"wager": "all together"} | row | _exact_cells(report, TOTAL)


def _exact_cells(report: SimulationReport, wager: str) -> dict[str, Cell]:
    if not report.comparisons:
        return {}
    comparison = report.compared(wager)
    if comparison is None or comparison.exact is None or comparison.difference is None:
        return {"exact": "", "difference": "", "z": ""}
    z = "" if comparison.z is None else f"{comparison.z:+.2f}"
    return {"exact": f"{100 * comparison.exact:+.4f}%", "difference": f"{100 * comparison.difference:+.4f}%", "z": z}


def _cells(figure: Figure) -> dict[str, Cell]:
    low, high = figure.interval
    return {
        "made": f"{figure.made:,}",
        "mean": f"{100 * figure.mean:+.4f}%",
        "std error": f"{100 * figure.stderr:.4f}%",
        "95% from": f"{100 * low:+.4f}%",
        "to": f"{100 * high:+.4f}%",
        "sd": f"{figure.sd:.4f}",
    }


def _money(cents: float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def _show_hits(report: SimulationReport) -> None:
    rows: list[dict[str, Cell]] = []
    for wager in _independent_wagers(report):
        for event, hits in wager.hits.items():
            every = f"{wager.tries / hits:,.1f}" if hits else "-"
            rows.append({"wager": wager.wager, "event": event, "hits": f"{hits:,}", "one in": every})
    write_table("Hits", rows, right=["hits", "one in"])


def _show_by_count(report: SimulationReport) -> None:
    total = report.statistics.total
    if not total.by_count:
        return
    rows = []
    for true, figure in total.by_count.items():
        row: dict[str, Cell] = {"true count": f"{true:+d}", "rounds": f"{figure.rounds:,}"}
        for wager in _independent_wagers(report):
            at_count = wager.by_count.get(true)
            row[wager.wager] = "-" if at_count is None else _with_margin(at_count)
        row["all together"] = _with_margin(figure)
        rows.append(row)
    name = report.run.compiled.player.count
    write_table(f"By true count ({name.name if name else ''})", rows, right=list(rows[0]))


def _with_margin(figure: Figure) -> str:
    """A mean with its error, if there are enough rounds to know it."""
    if not figure.is_reliable:
        return f"{100 * figure.mean:+.2f}% (few rounds)"
    return f"{100 * figure.mean:+.2f}% ± {100 * figure.margin:.2f}"


def _independent_wagers(report: SimulationReport) -> list[WagerStatistics]:
    """All wagers except Bet Bigger, which always ends like the main wager."""
    bigger = {wager.name for wager in report.run.compiled.terms.wagers.values() if wager.role == "bigger"}
    return [wager_figures for wager_figures in report.statistics.wagers if wager_figures.wager not in bigger]


def _lines(report: SimulationReport) -> Iterator[str]:
    run, total = report.run, report.statistics.total
    yield (
        f"Per round: {_money(total.mean)} ± {_money(total.figure.margin * total.stake)} on {_money(total.stake)} of "
        f"initial stakes, standard deviation {_money(total.sd)}; {100 * total.net / (total.action or 1):+.4f}% of the "
        "total amount wagered, including doubles, splits and insurance."
    )
    empty = ", with empty meters" if report.meters else ""
    if total.n_zero is not None:
        yield f"N0: after {total.n_zero:,.0f} rounds the expected result equals one standard deviation{empty}."
    yield from _ruin_lines(report, empty)
    yield from _jackpot_lines(report)
    if run.sums.blocks:
        spread = distribution_of(run.sums.blocks)
        money = {name: _money(cents) for name, cents in spread.items()}
        yield (
            f"After {run.block:,} rounds ({sum(run.sums.blocks.values()):,} times): mean {money['mean']}, standard "
            f"deviation {money['sd']}; 5% end below {money['p5']}, half below {money['p50']}, 95% below {money['p95']}"
            f"; {100 * spread['ahead']:.2f}% end ahead{empty}."
        )
    if report.comparisons and not run.compiled.fresh:
        yield "Exact values are for a full shoe: the difference is the cut-card effect plus sampling error."
    yield (
        "Mean: net result over initial stakes. SD: of one round, in initial stakes. Hit rate: wagers paid over wagers "
        f"made; for main wagers, hands won over hands played. {PLUS_MINUS}"
    )
    for notice in report.notices:
        yield f"Notice: {notice}"
    if report.merged:
        yield f"{report.merged} saved runs merged."
    else:
        where = (
            f"cluster {report.cluster}" if report.cluster else f"{report.threads} thread{'s' * (report.threads > 1)}"
        )
        yield (
            f"Seed {run.seed}; {report.seconds:.1f} s, {report.speed / 1e6:.2f} M rounds per second, {where}, "
            f"{kernel_name(run.compiled.program, run.block)} kernel."
        )


def _ruin_lines(report: SimulationReport, empty: str) -> Iterator[str]:
    if report.bankroll is None:
        return
    total = report.statistics.total
    for when, horizon in (("playing forever", None), (f"within {report.horizon:,} rounds", report.horizon)):
        risk = total.risk_of_ruin(report.bankroll, horizon)
        yield (
            f"Risk of ruin with {dollars(report.bankroll)}, {when}: {_percent(risk.value)}, 95% interval "
            f"{_percent(risk.least)} to {_percent(risk.most)}{empty}."
        )
    low, high = total.interval
    if low <= 0 < high:
        yield "The run is too short to say whether the player has an advantage: play more rounds."


def _percent(chance: float) -> str:
    return f"{100 * chance:.2f}%"


def _jackpot_lines(report: SimulationReport) -> Iterator[str]:
    for jackpot in report.meters:
        between = jackpot.rounds_between_hits
        often = "no hit yet" if between is None else f"a hit every {between:,.0f} rounds"
        exact = jackpot.expected_rounds_between_hits
        exactly = "" if exact is None else f", exactly every {exact:,.0f}"
        yield f"Jackpot {jackpot.jackpot} ({jackpot.wager}, {jackpot.plan or 'no plan'}): {often}{exactly}."
        if jackpot.model is not None and jackpot.model.moves:
            yield f"  {meter_line(jackpot.model)}"
    if report.meters:
        yield "The means of jackpot wagers assume empty meters."


def _meter_distribution(model: MeterModel) -> dict[str, object]:
    """The distribution of a meter in dollars, and of the wagers between hits."""
    return {
        "mean": model.mean / 100,
        **{f"p{round(100 * part)}": model.quantile(part) / 100 for part in QUANTILES},
        "at_cap_percent": None if model.at_cap is None else 100 * model.at_cap,
        "wagers_between_hits": {
            "mean": model.wagers_between_hits,
            **{f"p{round(100 * part)}": model.wagers_until_hit(part) for part in QUANTILES},
        },
    }
