"""Links to a finished round that its player shares: whoever has the link sees the cards and slips, and no names.

A link is a token of the operator's key over the table, the round and the spots of who shared it, so nothing is stored
and no other round can be seen with it. A new operator's key ends the links."""

import hmac
from collections.abc import Collection
from typing import Any

from typing_extensions import TypedDict

from upcard.ledger.keyring import Keyring
from upcard.service.event_models import Event
from upcard.service.queries import Queries
from upcard.service.query_models import RoundSent

SHOWN = frozenset(  # events of a round that a stranger may see
    {
        "round-begun",
        "wager-placed",
        "wagers-cleared",
        "betting-closed",
        "card-dealt",
        "dealer-card-dealt",
        "hole-card-dealt",
        "deal-completed",
        "insurance-offered",
        "insured",
        "insurance-declined",
        "insurance-closed",
        "dealer-peeked",
        "late-wagers-opened",
        "late-wagers-closed",
        "play-began",
        "hand-hit",
        "hand-stayed",
        "hand-doubled",
        "hand-split",
        "dealer-turn-began",
        "hole-revealed",
        "decided",
        "slip",
        "slip-reversed",
        "round-finished",
        "round-over",
    }
)
PLAYER = "player"  # stands for whoever shared the round


class Replay(TypedDict):
    """A shared round. The names of players are replaced: "player" shared it, the others have none."""

    table: str
    game: str
    round: int
    at: str
    events: list[Event]
    titles: dict[str, dict[str, str]]  # by wager and event


class ReplayLink(TypedDict):
    """What a link to a shared round contains."""

    token: str


def replay_token(keyring: Keyring, queries: Queries, player: str, table: str, number: int) -> str | None:
    """The token of a round that a player has played; None if they have not."""
    finished = queries.round(table, number)
    spots = set() if finished is None else _spots_of(finished, player)
    return _signed(keyring, table, number, spots) if spots else None


def replay(keyring: Keyring, queries: Queries, table: str, number: int, token: str) -> Replay | None:
    """A shared round; None if the token is not one of this round."""
    spots = {int(spot) for spot in token.partition(".")[0].split("-") if spot.isdigit()}
    if not hmac.compare_digest(_signed(keyring, table, number, spots), token):
        return None
    finished = queries.round(table, number)
    if finished is None:
        return None
    ruleset = queries.ruleset(finished["rules"])
    events = [event for record in finished["records"] for event in record["events"] if event["event"] in SHOWN]
    return {
        "table": table,
        "game": "" if ruleset is None else ruleset.game.slug,
        "round": number,
        "at": finished["at"],
        "events": [_without_names(event, spots) for event in events],
        "titles": finished["titles"],
    }


def _spots_of(finished: RoundSent, player: str) -> set[int]:
    events: list[Any] = [event for record in finished["records"] for event in record["events"]]
    return {event["spot"] for event in events if event["event"] == "wager-placed" and event["player"] == player}


def _signed(keyring: Keyring, table: str, number: int, spots: Collection[int]) -> str:
    listed = "-".join(str(spot) for spot in sorted(spots))
    return f"{listed}.{keyring.token(f'replay {table} {number} {listed}')[:40]}"


def _without_names(event: Any, spots: Collection[int]) -> Any:
    if "player" not in event:
        return event
    return {**event, "player": PLAYER if event["spot"] in spots else ""}
