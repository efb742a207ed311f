"""The cards of a round as its events tell them: the dealer's, and those of each hand."""

from dataclasses import dataclass, field
from typing import Any

UNSEEN = "?"  # a hole card that was not turned over


@dataclass
class DealtHands:
    """The hands of one round so far."""

    dealer: list[str] = field(default_factory=list)
    hands: dict[int, list[list[str]]] = field(default_factory=dict)  # by spot

    def add(self, event: Any) -> None:
        match event["event"]:
            case "wager-placed":
                self.hands.setdefault(event["spot"], [[]])
            case "card-dealt":
                self.hands[event["spot"]][event["hand"]].append(event["card"])
            case "dealer-card-dealt":
                self.dealer.append(event["card"])
            case "hole-card-dealt":
                self.dealer.append(UNSEEN)
            case "hole-revealed":
                self.dealer[self.dealer.index(UNSEEN)] = event["card"]
            case "hand-split":
                hands, place = self.hands[event["spot"]], event["hand"]
                hands[place : place + 1] = [[card] for card in hands[place]]
            case _:
                return
