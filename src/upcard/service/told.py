"""What the events of a stream tell of its rounds, its players and its shoes: the rows that must stand beside them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from upcard.catalog.index import Catalog
from upcard.service.live import rules_seal
from upcard.service.records import Row
from upcard.service.wire import text


@dataclass
class Told:
    """What the events of a stream say of its rounds and shoes."""

    rounds: list[dict[str, Any]] = field(default_factory=list)
    players: list[dict[str, Any]] = field(default_factory=list)
    shoes: dict[int, dict[str, Any]] = field(default_factory=dict)
    layout: str = ""
    shoe: int = 0
    round: int = 0
    first: int = 0
    running: bool = False


def read_events(catalog: Catalog, told: Told, table: str, row: Row, events: list[dict[str, Any]]) -> None:
    """What a record's events say of rounds and shoes."""
    slips = [event for event in events if event["event"] == "slip"]
    for event in events:
        match event["event"]:
            case "table-opened":
                told.layout = event["layout"]
            case "table-reset":
                told.first = row["number"]
            case "shoe-prepared":
                told.shoe = event["shoe"]
                told.shoes[told.shoe] = {"commitment": event["commitment"], "key": None}
            case "shoe-laid":
                told.shoe = event["shoe"]
                told.shoes[told.shoe] = {"commitment": "", "key": None}
            case "shoe-revealed":
                told.shoes[event["shoe"]]["key"] = event["key"]
            case "round-begun":
                told.round, told.first, told.running = event["round"], row["number"], True
            case "round-over":
                told.running = False
                told.rounds.append(
                    {
                        "table_name": table,
                        "round": event["round"],
                        "shoe": told.shoe,
                        "at": row["at"],
                        "day": row["day"],
                        "first": told.first,
                        "last": row["number"],
                        "rules": rules_seal(catalog, told.layout),
                        "void": event["void"],
                        "slips": text(slips),
                    }
                )
                for player, (staked, back) in sums_of(slips).items():
                    told.players.append(
                        {
                            "player": player,
                            "at": row["at"],
                            "table_name": table,
                            "round": event["round"],
                            "staked": staked,
                            "back": back,
                        }
                    )


def sums_of(slips: Iterable[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """What each player staked, and what he got back."""
    sums: dict[str, tuple[int, int]] = {}
    for slip in slips:
        staked, back = sums.get(slip["player"], (0, 0))
        sums[slip["player"]] = (staked + slip["stake"], back + slip["returned"] + slip["paid"])
    return sums
