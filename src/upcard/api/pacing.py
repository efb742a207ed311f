"""The pace of a feed: what happens after a quiet while is sent at once, what happens often is sent together."""

import asyncio
from contextlib import suppress


class Pace:
    """Waits for the next thing to send; belongs to the event loop."""

    def __init__(self, least: float, longest: float) -> None:
        """`least`: seconds between two sends; `longest`: seconds to wait if nothing happens."""
        self.least, self.longest = least, longest
        self._happened = asyncio.Event()
        self._last = 0.0

    def wake(self) -> None:
        """Something happened."""
        self._happened.set()

    async def wait(self) -> bool:
        """Returns when it is time to send; False if nothing happened for the longest time."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._last + self.least - loop.time()))
        with suppress(TimeoutError):
            async with asyncio.timeout(self.longest):
                await self._happened.wait()
        happened = self._happened.is_set()
        self._happened.clear()
        self._last = loop.time()
        return happened
