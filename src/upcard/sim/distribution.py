"""The distribution of what blocks of rounds won or lost."""

from collections.abc import Mapping
from math import sqrt

import numpy as np


def distribution_of(blocks: Mapping[int, int]) -> dict[str, float]:
    """Mean, standard deviation and quantiles, in cents, of what blocks of rounds won or lost."""
    if not blocks:
        return {}
    values = np.array(sorted(blocks), dtype=np.float64)
    counts = np.array([blocks[int(value)] for value in values], dtype=np.float64)
    reached = np.cumsum(counts) / counts.sum()
    mean = float((values * counts).sum() / counts.sum())
    figures = {"mean": mean, "sd": sqrt(float((counts * (values - mean) ** 2).sum() / counts.sum()))}
    for percent in (1, 5, 25, 50, 75, 95, 99):
        figures[f"p{percent}"] = float(values[int(np.searchsorted(reached, percent / 100))])
    figures["least"], figures["most"] = float(values[0]), float(values[-1])
    figures["ahead"] = float(counts[values > 0].sum() / counts.sum())
    return figures
