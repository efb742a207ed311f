"""A player's rounds with their cards, and statistics by game and wager; read from the rounds' slips and records."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, cast

from typing_extensions import TypedDict

from upcard.service.dealt_hands import DealtHands
from upcard.service.queries import Queries
from upcard.service.wire_models import SlipSent

PAGE = 200  # rows per query
SCANNED = 2000  # rounds at most that one page of filtered rounds looks at
CURVE_POINTS = 200

Result = Literal["won", "lost", "push"]


class HandShown(TypedDict):
    """A hand of the player."""

    spot: int
    cards: list[str]


class RoundShort(TypedDict):
    """A round of the player: cards, time and money in cents."""

    table: str
    game: str
    round: int
    at: str
    staked: int
    back: int
    dealer: list[str]
    hands: list[HandShown]
    net: dict[str, int]  # by wager


class RoundPage(TypedDict):
    """Rounds, newest first."""

    rounds: list[RoundShort]
    before: str  # where the next page begins; empty if there is none


class GameTotals(TypedDict):
    """A player's rounds of one game."""

    game: str
    rounds: int
    staked: int
    back: int


class WagerTotals(TypedDict):
    """A player's wagers of one name in one game."""

    game: str
    wager: str
    times: int
    won: int  # how many of them
    staked: int
    back: int
    best: int  # the largest win


class Statistics(TypedDict):
    """A player's results since a moment, or ever; money in cents."""

    since: str
    rounds: int
    staked: int
    back: int
    won: int  # rounds
    best: int  # round
    worst: int
    games: list[GameTotals]
    wagers: list[WagerTotals]
    curve: list[int]  # the result after every so many rounds, oldest first; the last is the total


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFilter:
    """Which rounds to list; empty: all."""

    game: str = ""
    wager: str = ""
    result: Result | None = None

    def fits(self, row: "_PlayedRow") -> bool:
        net = row.back - row.staked
        result = "won" if net > 0 else "lost" if net < 0 else "push"
        return (
            self.game in ("", row.game)
            and (not self.wager or any(slip["wager"] == self.wager for slip in row.slips))
            and self.result in (None, result)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlayedRow:
    table: str
    round: int
    at: str
    staked: int
    back: int
    game: str
    first: int
    last: int
    slips: list[SlipSent] = field(repr=False)  # of the player


def round_page(queries: Queries, player: str, wanted: RoundFilter, *, before: str, most: int) -> RoundPage:
    """A player's rounds that fit the filter, newest first."""
    rounds: list[RoundShort] = []
    last = ""
    for number, row in enumerate(_rows(queries, player, before=before), start=1):
        if len(rounds) == most or number > SCANNED:
            return {"rounds": rounds, "before": last}
        last = row.at
        if wanted.fits(row):
            rounds.append(_short(queries, player, row))
    return {"rounds": rounds, "before": ""}


def statistics(queries: Queries, player: str, *, since: str = "") -> Statistics:
    """A player's results since a moment."""
    games: dict[str, GameTotals] = {}
    wagers: dict[tuple[str, str], WagerTotals] = {}
    nets: list[int] = []
    for row in _rows(queries, player, since=since):
        nets.append(row.back - row.staked)
        game = games.setdefault(row.game, {"game": row.game, "rounds": 0, "staked": 0, "back": 0})
        game["rounds"] += 1
        game["staked"] += row.staked
        game["back"] += row.back
        for slip in row.slips:
            _count(wagers, row.game, slip)
    return {
        "since": since,
        "rounds": len(nets),
        "staked": sum(game["staked"] for game in games.values()),
        "back": sum(game["back"] for game in games.values()),
        "won": sum(net > 0 for net in nets),
        "best": max(nets, default=0),
        "worst": min(nets, default=0),
        "games": sorted(games.values(), key=lambda game: -game["rounds"]),
        "wagers": sorted(wagers.values(), key=lambda wager: (wager["game"], -wager["times"], wager["wager"])),
        "curve": _curve(nets[::-1]),
    }


def _count(wagers: dict[tuple[str, str], WagerTotals], game: str, slip: SlipSent) -> None:
    new: WagerTotals = {
        "game": game,
        "wager": slip["wager"],
        "times": 0,
        "won": 0,
        "staked": 0,
        "back": 0,
        "best": 0,
    }
    totals = wagers.setdefault((game, slip["wager"]), new)
    net = slip["paid"] + slip["returned"] - slip["stake"]
    totals["times"] += 1
    totals["won"] += net > 0
    totals["staked"] += slip["stake"]
    totals["back"] += slip["paid"] + slip["returned"]
    totals["best"] = max(totals["best"], net)


def _curve(nets: list[int]) -> list[int]:
    """The running total, at no more points than a graph can show."""
    totals, total = [0], 0
    for net in nets:
        total += net
        totals.append(total)
    step = max(1, -(-len(totals) // CURVE_POINTS))
    points = totals[::step]
    return points if (len(totals) - 1) % step == 0 else [*points, totals[-1]]


def _rows(queries: Queries, player: str, *, before: str = "~", since: str = "") -> Iterator[_PlayedRow]:
    """A player's rounds, newest first, read page by page."""
    while page := queries.slips_of(player, before=before, since=since, most=PAGE):
        for row in page:
            slips = cast("list[SlipSent]", row["slips"])
            yield _PlayedRow(
                table=row["table_name"],
                round=row["round"],
                at=row["at"],
                staked=row["staked"],
                back=row["back"],
                game=_game_of(queries, row["rules"]),
                first=row["first"],
                last=row["last"],
                slips=[slip for slip in slips if slip["player"] == player],
            )
        before = page[-1]["at"]


def _short(queries: Queries, player: str, row: _PlayedRow) -> RoundShort:
    dealt = DealtHands()
    spots: set[int] = set()
    for record in queries.records(row.table, since=row.first - 1, most=row.last - row.first + 1):
        for event in record["events"]:
            dealt.add(event)
            if event["event"] == "wager-placed" and event["player"] == player:
                spots.add(event["spot"])
    net: dict[str, int] = {}
    for slip in row.slips:
        net[slip["wager"]] = net.get(slip["wager"], 0) + slip["paid"] + slip["returned"] - slip["stake"]
    return {
        "table": row.table,
        "game": row.game,
        "round": row.round,
        "at": row.at,
        "staked": row.staked,
        "back": row.back,
        "dealer": dealt.dealer,
        "hands": [{"spot": spot, "cards": hand} for spot in sorted(spots) for hand in dealt.hands.get(spot, [])],
        "net": net,
    }


@lru_cache(maxsize=512)
def _game_of(queries: Queries, rules: str) -> str:
    ruleset = queries.ruleset(rules)
    return "" if ruleset is None else ruleset.game.slug
