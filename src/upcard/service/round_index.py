"""What the events of a stream tell of its rounds, its players and its shoes: the rows that must stand beside them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from upcard.ledger.journal import canonical
from upcard.service.records import Row


@dataclass
class RoundIndex:
    """What the events of a stream say of its rounds and shoes."""

    rounds: list[dict[str, Any]] = field(default_factory=list)
    players: list[dict[str, Any]] = field(default_factory=list)
    shoes: dict[int, dict[str, Any]] = field(default_factory=dict)
    rules: str = ""
    slips: list[dict[str, Any]] = field(default_factory=list)  # of the round that runs
    shoe: int = 0
    round: int = 0
    first: int = 0
    running: bool = False


def read_events(told: RoundIndex, table: str, row: Row, events: list[dict[str, Any]]) -> None:
    """What a record's events say of rounds and shoes."""
    for event in events:
        match event["event"]:
            case "slip":
                told.slips.append(event)
            case "table-opened":
                told.rules = event["rules"]
            case "rules-changed":
                told.rules = event["rules"]
            case "table-reset":
                told.first, told.rules = row["number"], event["rules"]
            case "shoe-committed":
                told.shoe = event["shoe"]
                told.shoes[told.shoe] = {"commitment": event["commitment"], "key": None, "rules": None}
            case "shoe-begun":
                told.shoes[event["shoe"]]["rules"] = event["rules"]
            case "shoe-placed":
                told.shoe = event["shoe"]
                told.shoes[told.shoe] = {"commitment": "", "key": None, "rules": event["rules"]}
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
                        "format": row["format"],
                        "shoe": told.shoe,
                        "at": row["at"],
                        "day": row["day"],
                        "first": told.first,
                        "last": row["number"],
                        "rules": told.rules,
                        "void": None if event["void"] is None else canonical(event["void"]),
                        "slips": canonical(told.slips),
                    }
                )
                for player, (staked, back) in sums_of(told.slips).items():
                    told.players.append(
                        {
                            "player": player,
                            "at": row["at"],
                            "table_name": table,
                            "round": event["round"],
                            "staked": staked,
                            "returned": back,
                        }
                    )
                told.slips = []


def sums_of(slips: Iterable[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """What each player staked, and what he got back."""
    sums: dict[str, tuple[int, int]] = {}
    for slip in slips:
        staked, back = sums.get(slip["player"], (0, 0))
        sums[slip["player"]] = (staked + slip["stake"], back + slip["returned"] + slip["paid"])
    return sums
