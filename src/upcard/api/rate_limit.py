"""Limits that keep one guest from troubling the others: token buckets by address, by person and by socket."""

import time
from collections import OrderedDict
from collections.abc import Callable

Now = Callable[[], float]


class Bucket:
    """So many a second in the long run, and some more at once."""

    __slots__ = ("at", "burst", "left", "rate")

    def __init__(self, rate: float, burst: float, at: float) -> None:
        self.rate, self.burst, self.left, self.at = rate, burst, burst, at

    def take(self, now: float) -> float:
        """Takes one; tells how many seconds to wait when there is none."""
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left >= 1:
            self.left -= 1
            return 0.0
        return (1 - self.left) / self.rate


class Buckets:
    """A bucket for each name, the most recent ones only: memory stays bounded."""

    def __init__(self, rate: float, burst: float, *, most: int = 10_000, now: Now = time.monotonic) -> None:
        self.rate, self.burst, self.most, self.now = rate, burst, most, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str) -> float:
        """Takes one of a name's; tells how many seconds to wait when there is none."""
        now = self.now()
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket(self.rate, self.burst, now)
            if len(self._buckets) > self.most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(name)
        return bucket.take(now)
