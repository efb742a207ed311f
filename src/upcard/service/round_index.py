"""Derives the rows of rounds, players' rounds and shoes from a stream's events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from upcard.ledger.journal import canonical
from upcard.service.records import Row
from upcard.service.wire_models import EventSent, without_slip


@dataclass
class RoundIndex:
    """The rounds and shoes of a stream so far."""

    rounds: list[dict[str, Any]] = field(default_factory=list)
    players: list[dict[str, Any]] = field(default_factory=list)
    shoes: dict[int, dict[str, Any]] = field(default_factory=dict)
    rules: str = ""
    slips: list[EventSent] = field(default_factory=list)  # of the round in progress
    shoe: int = 0
    round: int = 0
    first: int = 0
    running: bool = False


def update_index(index: RoundIndex, table: str, row: Row, events: list[EventSent]) -> None:
    """Adds a record's events to the index."""
    for event in events:
        match event["event"]:
            case "slip":
                index.slips.append(event)
            case "slip-reversed":
                index.slips = without_slip(index.slips, event)
            case "table-opened":
                index.rules = event["rules"]
            case "rules-changed":
                index.rules = event["rules"]
            case "table-reset":
                index.first, index.rules = row["number"], event["rules"]
            case "shoe-promised":
                index.shoes[event["shoe"]] = {"commitment": event["commitment"], "key": None, "rules": None}
            case "shoe-committed":
                index.shoe = event["shoe"]
                index.shoes[index.shoe] = {"commitment": event["commitment"], "key": None, "rules": None}
            case "shoe-begun":
                index.shoes[event["shoe"]]["rules"] = event["rules"]
            case "shoe-placed":
                index.shoe = event["shoe"]
                index.shoes[index.shoe] = {"commitment": "", "key": None, "rules": event["rules"]}
            case "shoe-revealed":
                index.shoes[event["shoe"]]["key"] = event["key"]
            case "round-begun":
                index.round, index.first, index.running = event["round"], row["number"], True
            case "round-over":
                index.running = False
                if event["void"] is not None:
                    index.slips = []  # they were reversed
                index.rounds.append(
                    {
                        "table_name": table,
                        "round": event["round"],
                        "format": row["format"],
                        "shoe": index.shoe,
                        "at": row["at"],
                        "day": row["day"],
                        "first": index.first,
                        "last": row["number"],
                        "rules": index.rules,
                        "void": None if event["void"] is None else canonical(event["void"]),
                        "slips": canonical(index.slips),
                    }
                )
                for player, (staked, back) in sums_of(index.slips).items():
                    index.players.append(
                        {
                            "player": player,
                            "at": row["at"],
                            "table_name": table,
                            "round": event["round"],
                            "staked": staked,
                            "returned": back,
                        }
                    )
                index.slips = []


def sums_of(slips: Iterable[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """By player: what they staked, and what they got back."""
    sums: dict[str, tuple[int, int]] = {}
    for slip in slips:
        staked, back = sums.get(slip["player"], (0, 0))
        sums[slip["player"]] = (staked + slip["stake"], back + slip["returned"] + slip["paid"])
    return sums
