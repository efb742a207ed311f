"""The dealer: answers every card a round waits for, from a shoe or from a script, and tells what happened.

This is the one place that remembers something between calls: the table, and where in the cards we are.
"""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from upcard.cards import DECK, Card
from upcard.cards.shoe import KEY_BYTES, Shoe, Shuffle, new_shoe
from upcard.engine import commands as c
from upcard.engine.awaiting import DealerCard, PlayerCard, awaiting
from upcard.engine.events import Event
from upcard.engine.refusal import CommandRefused, cards_on_table
from upcard.engine.round import Round
from upcard.engine.terms import Terms
from upcard.pit import orders as o
from upcard.pit.events import TableEvent
from upcard.pit.table import PitRefusal, PitRefused, Table, order, play
from upcard.pit.terms import margins

Happened = Event | TableEvent


class Cards(Protocol):
    """Where cards come from."""

    def draw(self) -> Card | None:
        """The next card, or None when there is none."""

    def refill(self, discards: Sequence[Card]) -> None:
        """Shuffles the discards in (R33)."""


class Script:
    """Cards written down beforehand."""

    def __init__(self, cards: Sequence[Card] = ()) -> None:
        self.cards = list(cards)

    def draw(self) -> Card | None:
        """The next card written."""
        return self.cards.pop(0) if self.cards else None

    def refill(self, discards: Sequence[Card]) -> None:
        """A script is never refilled: the cards after a shuffle are written too."""


def table_shoe(table: Table, *, key: bytes | None = None, nonce: bytes = b"", cut: int | None = None) -> Shoe:
    """A shoe for a table: key from the operating system unless given, cut in the middle unless a player says where."""
    allowed = margins(table.catalog.game(table.layout.game), table.layout.decks)
    shuffle = Shuffle(
        key=secrets.token_bytes(KEY_BYTES) if key is None else key,
        nonce=nonce,
        cut=allowed.middle if cut is None else cut,
    )
    return new_shoe(table.layout.decks, shuffle, allowed)


@dataclass(eq=False, slots=True)
class Dealer:
    """Deals at one table."""

    table: Table
    cards: Cards
    last: tuple[Round, Terms] | None = None  # the round that was played last

    def say(self, command: c.Command | o.Order) -> tuple[Happened, ...]:
        """Carries a command out and deals every card that is then due; a refusal changes nothing."""
        if isinstance(command, o.Order):
            self.table, said = order(self.table, command)
            return said
        self.table, played, finished = play(self.table, command)
        self.last, happened = finished or self.last, [*played]
        while (table := self.table).round is not None and table.terms is not None:
            if not isinstance(awaiting(table.round, table.terms), PlayerCard | DealerCard):
                break
            dealt = self._deal()
            if not dealt:
                break  # no card is written down: somebody will say which one came
            happened += dealt
        return tuple(happened)

    def _deal(self) -> tuple[Happened, ...]:
        said: tuple[Happened, ...] = ()
        if not self.table.shoe_cards:
            self.table, said = order(self.table, o.ReturnDiscards())
            self.cards.refill(_discards(self.table))
        card = self.cards.draw()
        if card is None and not self._is_dealt_unseen():
            return said
        try:
            self.table, happened, finished = play(self.table, c.DealCard(card))
        except (CommandRefused, PitRefused) as refused:  # of what was written, not of what was said
            raise PitRefused(PitRefusal.CARD_IMPOSSIBLE, why=refused.coded) from None
        self.last = finished or self.last
        return (*said, *happened)

    def _is_dealt_unseen(self) -> bool:
        """By hand the hole card goes face down, and nobody has anything to say of it."""
        table = self.table
        if not table.dealt_by_hand or table.round is None or table.terms is None:
            return False
        return awaiting(table.round, table.terms) == DealerCard("hole")


def _discards(table: Table) -> list[Card]:
    lying = Counter(cards_on_table(table.round)) if table.round else Counter[int]()
    return [one for one in DECK for _ in range(table.layout.decks - lying[one])]
