"""What anybody needs to verify a finished shoe: its key, the players' numbers, the cut, and every card as it was dealt.

Read from the table's public records, and only when the key is revealed. Names of players are not in it, except beside
the numbers that they gave for the shuffle."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from upcard.catalog.ruleset import Ruleset
from upcard.pit import open_table
from upcard.pit.terms import derive, margins
from upcard.service import schema
from upcard.service.dealt_hands import UNSEEN, DealtHands
from upcard.service.queries import Queries
from upcard.service.query_models import CardsOfRound, ShoeEvidence, StoredShoe

_TAKEN_AWAY = ("bust", "surrender")  # the cards of these hands go to the discards at once


def shoe_evidence(queries: Queries, table: str, number: int) -> ShoeEvidence | None:
    """The evidence of a shoe that is over; None if there is no such shoe."""
    row = queries.stored_shoe(table, number)
    if row is None or row["key"] is None:
        return None
    return evidence_so_far(queries, table, number, row, row["key"])


def evidence_so_far(queries: Queries, table: str, number: int, row: StoredShoe, key: str) -> ShoeEvidence:
    """The evidence of a shoe with this key, also while it is in play; then it is secret."""
    evidence: ShoeEvidence = {
        "shoe": number,
        "layout": "",
        "decks": 0,
        "least_cut": 0,
        "most_cut": 0,
        "commitment": row["commitment"],
        "promise": "",
        "key": key,
        "nonce": "",
        "cut": None,
        "rounds": [],
        "refills": [],
    }
    rules = None if row["rules"] is None else queries.ruleset(row["rules"])
    if rules is not None:  # else it was never begun
        _add_rules(evidence, rules)
        _add_cards(evidence, queries, table, _card_keepers(rules))
    return evidence


def _add_rules(evidence: ShoeEvidence, rules: Ruleset) -> None:
    layout = rules.layout
    allowed = margins(rules.game, layout.decks)
    evidence["layout"], evidence["decks"] = layout.slug, layout.decks
    evidence["least_cut"], evidence["most_cut"] = allowed.least, allowed.most


def _card_keepers(rules: Ruleset) -> frozenset[str]:
    """The side wagers that keep a hand's cards on the table until they are decided."""
    terms = derive(open_table(rules.catalog, rules.layout, behaviour=rules.behaviour))
    return frozenset(name for name, wager in terms.wagers.items() if wager.keeps_cards and not wager.is_main)


def _add_cards(evidence: ShoeEvidence, queries: Queries, table: str, keepers: Collection[str]) -> None:
    number = evidence["shoe"]
    cards = _Cards(keepers)
    in_play = False
    for event in _events_around(queries, table, number):
        match event["event"]:
            case "shoe-promised" if event["shoe"] == number:
                evidence["promise"] = event["commitment"]
            case "shoe-begun":
                in_play = event["shoe"] == number
                if in_play:
                    evidence["nonce"], evidence["cut"] = event["nonce"], event["cut"]
            case "shoe-revealed" if event["shoe"] == number:
                break
            case _ if in_play:
                cards.add(event)
    evidence["rounds"], evidence["refills"] = cards.rounds, cards.refills


def _events_around(queries: Queries, table: str, number: int) -> Iterator[Any]:
    """The events of a shoe and of the one before it, which has the promise."""
    rounds = schema.rounds
    earlier = sa.select(rounds.c.last).where(rounds.c.table_name == table, rounds.c.shoe < number - 1)
    since = queries.number_of(earlier.order_by(rounds.c.round.desc()).limit(1)) or 0
    while records := queries.records(table, since=since):
        for record in records:
            yield from record["events"]
        since = records[-1]["number"]


@dataclass
class _Cards:
    """The cards of a shoe, round by round, and those on the table when the discards were shuffled in."""

    keepers: Collection[str]
    rounds: list[CardsOfRound] = field(default_factory=list)
    refills: list[list[str]] = field(default_factory=list)
    round: DealtHands = field(default_factory=DealtHands)
    undecided: set[tuple[int, str]] = field(default_factory=set)
    taken_away: set[tuple[int, int]] = field(default_factory=set)
    hole: int = -1  # its place in the round
    refills_before: int = 0  # how many there were when the round began

    def add(self, event: Any) -> None:
        match event["event"]:
            case "round-begun":
                self.rounds.append({"round": event["round"], "cards": []})
                self.round, self.undecided, self.taken_away = DealtHands(), set(), set()
                self.refills_before = len(self.refills)
            case "wager-placed" if event["wager"] in self.keepers:
                self.undecided.add((event["spot"], event["wager"]))
            case "wagers-cleared":
                self.undecided -= {(event["spot"], wager) for wager in event["wagers"]}
            case "card-dealt" | "dealer-card-dealt":
                self.rounds[-1]["cards"].append(event["card"])
            case "hole-card-dealt":
                self.hole = len(self.rounds[-1]["cards"])
                self.rounds[-1]["cards"].append(UNSEEN)
            case "hole-revealed":
                self._turn_over(event["card"])
            case "hand-split":
                spot, hand = event["spot"], event["hand"]
                self.taken_away = {(other, at + (other == spot and at > hand)) for other, at in self.taken_away}
            case "decided" if "wager" in event:
                self.undecided.discard((event["spot"], event["wager"]))
            case "decided" if event.get("result") in _TAKEN_AWAY:
                self.taken_away.add((event["spot"], event["hand"]))
            case "discards-returned":
                self.refills.append(list(self._on_table()))
        self.round.add(event)

    def _turn_over(self, card: str) -> None:
        self.rounds[-1]["cards"][self.hole] = card
        for on_table in self.refills[self.refills_before :]:
            on_table[:] = [card if other == UNSEEN else other for other in on_table]

    def _on_table(self) -> Iterator[str]:
        keeping = {spot for spot, _ in self.undecided}
        yield from self.round.dealer
        for spot, hands in sorted(self.round.hands.items()):
            for place, hand in enumerate(hands):
                if spot in keeping or (spot, place) not in self.taken_away:
                    yield from hand
