"""The wagers on a felt, followed event by event until their round is over; for the sums of a gaming day."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from upcard.engine.round import Result
from upcard.service.manual_dealing import EVEN, INSURE
from upcard.service.wire_models import EventSent
from upcard.workers.hold import EVEN_MONEY, INSURANCE, MAIN

RELEVANT_EVENTS = ("wager-placed", "wagers-cleared", "betting-closed", "insured", "entry-taken-back", "round-over")
RELEVANT = (*(f'"event":"{name}"' for name in RELEVANT_EVENTS), f'"result":"{Result.EVEN_MONEY.value}"')


@dataclass
class DayFelt:
    """The wagers on the felt now, and whose they are."""

    players: dict[int, str] = field(default_factory=dict)  # by spot
    _stakes: dict[tuple[int, str], int] = field(default_factory=dict)  # by spot and wager
    _main: frozenset[str] = frozenset()
    _insured: list[tuple[int, str, int]] = field(default_factory=list)  # spot, insurance or even money, stake

    def copy(self) -> "DayFelt":
        return DayFelt(
            players=dict(self.players), _stakes=dict(self._stakes), _main=self._main, _insured=list(self._insured)
        )

    def add(self, event: EventSent) -> None:
        """Adds an event; `clear` comes after the round's last."""
        match event["event"]:
            case "wager-placed":
                self._stakes[event["spot"], event["wager"]] = event["amount"]
                self.players[event["spot"]] = event["player"]
            case "wagers-cleared":
                for wager in event["wagers"]:
                    self._stakes.pop((event["spot"], wager), None)
            case "betting-closed":
                self._main = frozenset(event["main_wagers"])
            case "insured":
                self._insured.append((event["spot"], INSURANCE, sum(event["amounts"].values())))
            case "decided" if event.get("result") == Result.EVEN_MONEY.value:
                spot = event["spot"]
                stakes = [stake for (at, wager), stake in self._stakes.items() if at == spot and wager in self._main]
                self._insured.append((spot, EVEN_MONEY, sum(stakes)))
            case "entry-taken-back" if event["entry"]["do"] in (INSURE, EVEN):
                self._insured.pop()

    def clear(self) -> None:
        self.players, self._stakes, self._insured = {}, {}, []

    def stakes(self) -> dict[int, Mapping[str, int]]:
        """The stakes by spot and wager; wagers that win and lose as one are one."""
        spots: dict[int, Counter[str]] = {}
        for (spot, wager), stake in self._stakes.items():
            spots.setdefault(spot, Counter())[MAIN if wager in self._main else wager] += stake
        for spot, wager, stake in self._insured:
            spots[spot][wager] += stake
        return dict(spots)
