"""Token buckets by address and by socket; `middleware` and `socket` refuse whoever has none left."""

import time
from collections import OrderedDict
from collections.abc import Callable

Now = Callable[[], float]


class Bucket:
    """A token bucket: `rate` per second on average, `burst` at once."""

    __slots__ = ("at", "burst", "left", "rate")

    def __init__(self, rate: float, burst: float, at: float) -> None:
        self.rate, self.burst, self.left, self.at = rate, burst, burst, at

    def take(self, now: float) -> float:
        """Takes a token and returns 0; if there is none, returns the seconds to wait."""
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left >= 1:
            self.left -= 1
            return 0.0
        return (1 - self.left) / self.rate


class Buckets:
    """A bucket per name; only the most recent ones are kept, to bound memory."""

    def __init__(self, rate: float, burst: float, *, most: int = 10_000, now: Now = time.monotonic) -> None:
        self.rate, self.burst, self.most, self.now = rate, burst, most, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str) -> float:
        """Takes a token from a name's bucket and returns 0; if there is none, returns the seconds to wait."""
        now = self.now()
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket(self.rate, self.burst, now)
            if len(self._buckets) > self.most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(name)
        return bucket.take(now)
