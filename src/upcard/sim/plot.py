"""Charts of a run as Vega-Lite: the convergence of the mean, and the distribution of results over blocks of rounds."""

import json
from collections.abc import Mapping
from math import erf, sqrt
from pathlib import Path

import numpy as np

from upcard.problems import BadRequest
from upcard.sim.distribution import distribution_of
from upcard.sim.figures import Z95, Totals
from upcard.sim.run import Run
from upcard.sim.sums import RunState

SUFFIXES = (".svg", ".png", ".html", ".json")
_POINTS = 200
_BARS = 60
_INK, _SHADE = "#1f5f4a", "#7fb8a0"


def check(path: Path) -> None:
    """Refuses an unsupported file name before anything is played."""
    if path.suffix.lower() not in SUFFIXES:
        raise BadRequest(f"--plot writes .svg, .png, .html or .json, not {path.name!r}")
    if not path.parent.is_dir():
        raise BadRequest(f"--plot: there is no folder {path.parent}")


def write(path: Path, run: Run, total: Totals) -> None:
    """Draws a run in the format of the file name."""
    import vl_convert

    spec = _picture(run, total)
    match path.suffix.lower():
        case ".svg":
            path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
        case ".png":
            path.write_bytes(vl_convert.vegalite_to_png(spec, scale=2))
        case ".html":
            path.write_text(vl_convert.vegalite_to_html(spec, bundle=True), encoding="utf-8")
        case _:
            path.write_text(json.dumps(spec, indent=1), encoding="utf-8")


def _picture(run: Run, total: Totals) -> dict[str, object]:
    """The Vega-Lite specification: convergence, and the distribution if the run kept one."""
    panels = [_convergence(run.state, total)]
    if blocks := run.sums.blocks:
        panels.append(_distribution(blocks, run.block))
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": f"{run.compiled.table.layout.title}: {run.state.rounds:,} rounds",
        "hconcat": panels,
        "config": {"view": {"stroke": None}, "font": "sans-serif", "axis": {"grid": True, "gridColor": "#eeeeee"}},
    }


def _convergence(state: RunState, total: Totals) -> dict[str, object]:
    """The mean of all wagers after each chunk, with its 95% interval."""
    rounds = net = 0
    stake = total.staked / total.rounds if total.rounds else 1.0
    points = []
    for number in sorted(state.series):
        chunk_rounds, cents = state.series[number]
        rounds, net = rounds + chunk_rounds, net + cents
        mean, margin = net / rounds / stake, Z95 * total.sd / sqrt(rounds) / stake
        points.append(
            {"rounds": rounds, "mean": 100 * mean, "low": 100 * (mean - margin), "high": 100 * (mean + margin)}
        )
    sampled = points[:: max(len(points) // _POINTS, 1)]
    x_axis = {"field": "rounds", "type": "quantitative", "title": "rounds", "axis": {"format": "~s"}}
    scale = {"zero": False}
    return {
        "width": 420,
        "height": 260,
        "data": {"values": sampled if sampled and sampled[-1] == points[-1] else [*sampled, *points[-1:]]},
        "layer": [
            {
                "mark": {"type": "area", "color": _SHADE, "opacity": 0.4},
                "encoding": {
                    "x": x_axis,
                    "y": {"field": "low", "type": "quantitative", "scale": scale, "title": "net, % of the stakes"},
                    "y2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "line", "color": _INK, "point": len(points) == 1},
                "encoding": {"x": x_axis, "y": {"field": "mean", "type": "quantitative", "scale": scale}},
            },
        ],
    }


def _distribution(blocks: Mapping[int, int], block: int) -> dict[str, object]:
    """The results of blocks of rounds, and the normal curve of the same mean and standard deviation."""
    spread = distribution_of(blocks)
    values = np.array(list(blocks), dtype=np.float64) / 100
    counts = np.array(list(blocks.values()), dtype=np.float64)
    mean, sd = spread["mean"] / 100, max(spread["sd"] / 100, 0.005)
    low, high = max(values.min(), mean - 5 * sd), min(values.max(), mean + 6 * sd)
    heights, edges = np.histogram(values, bins=_BARS, range=(low, max(high, low + 0.01)), weights=counts)
    bars = [
        {
            "from": float(low_edge),
            "to": float(high_edge),
            "share": float(height / counts.sum()),
            "bell": _below((high_edge - mean) / sd) - _below((low_edge - mean) / sd),
        }
        for low_edge, high_edge, height in zip(edges, edges[1:], heights, strict=False)
    ]
    x_axis = {"field": "from", "type": "quantitative", "title": f"dollars after {block:,} rounds", "bin": "binned"}
    return {
        "width": 420,
        "height": 260,
        "data": {"values": bars},
        "layer": [
            {
                "mark": {"type": "bar", "color": _SHADE},
                "encoding": {
                    "x": x_axis,
                    "x2": {"field": "to"},
                    "y": {"field": "share", "type": "quantitative", "title": "share", "axis": {"format": "%"}},
                },
            },
            {
                "mark": {"type": "line", "color": _INK},
                "encoding": {
                    "x": {"field": "from", "type": "quantitative"},
                    "y": {"field": "bell", "type": "quantitative"},
                },
            },
        ],
    }


def _below(deviations: float) -> float:
    return (1 + erf(deviations / sqrt(2))) / 2
