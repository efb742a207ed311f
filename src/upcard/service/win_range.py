"""The range in which a sum of many wagers ends, where some of them rarely pay a lot.

Most of the sum is normal: main wagers, and every pay that is small beside the deviation. Larger pays are jumps that
come like a Poisson process, each with how often it is expected; a normal curve of the same deviation would be too wide.
The distribution of both together is computed from its characteristic function.
"""

from collections.abc import Mapping
from math import ceil, pi, sqrt

LEVEL = 0.95
_SMALL = 0.2  # deviations: smaller jumps are part of the normal curve
_NEGLIGIBLE = 2e-4  # expected jumps, all together, that cannot move the ends of the range
_BINS = 16  # per deviation: jumps of about one size are taken together
_MOST_POINTS = 1 << 14
_HALVINGS = 48


def central_range(mean: float, variance: float, jumps: Mapping[float, float]) -> tuple[float, float]:
    """The range that leaves out equal chances below and above.

    `variance` is that of the whole sum. `jumps` says by how much rare results differ from the usual one, and how often
    each is expected.
    """
    import numpy as np

    core, large = _split(variance, jumps)
    if core <= 0:
        return mean, mean
    deviation = sqrt(core)
    start = mean - sum(jump * times for jump, times in large.items())  # the mean of days without large jumps
    common = _without_negligible(large, deviation)
    sizes, times = np.array([*common, 0.0]), np.array([*common.values(), 0.0])
    reach = 9 * sqrt(core + float((times * sizes**2).sum())) + 3 * float(np.abs(sizes).max())
    centre = float((times * sizes).sum())
    step = pi / (reach + abs(centre))
    points = min(ceil(6.5 / deviation / step), _MOST_POINTS)
    at = step * (np.arange(points) + 0.5)
    exponent = -0.5 * (at * deviation) ** 2 + (np.exp(1j * np.outer(at, sizes)) - 1) @ times
    transform = np.exp(exponent - 1j * at * centre)

    def quantile(chance: float) -> float:
        low, high = -reach, reach
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            below = 0.5 - step / pi * float(((np.exp(-1j * at * middle) * transform).imag / at).sum())
            low, high = (middle, high) if below < chance else (low, middle)
        return start + centre + (low + high) / 2

    return quantile((1 - LEVEL) / 2), quantile((1 + LEVEL) / 2)


def _split(variance: float, jumps: Mapping[float, float]) -> tuple[float, dict[float, float]]:
    """The variance of the normal part, and the jumps that are too large for it."""
    core, large = variance, dict[float, float]()
    for jump in sorted(jumps, key=abs, reverse=True):
        rest = core - jumps[jump] * jump**2
        if rest <= 0 or abs(jump) <= _SMALL * sqrt(rest):
            break
        core, large[jump] = rest, jumps[jump]
    return core, large


def _without_negligible(large: Mapping[float, float], deviation: float) -> dict[float, float]:
    """The jumps in bins, without the largest ones that are expected in no such day."""
    binned: dict[float, float] = {}
    left_out = 0.0
    for jump in sorted(large, key=abs, reverse=True):
        left_out += large[jump]
        if left_out > _NEGLIGIBLE:
            size = round(jump / deviation * _BINS) / _BINS * deviation
            binned[size] = binned.get(size, 0.0) + large[jump]
    return binned
