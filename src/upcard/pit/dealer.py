"""The dealer: deals every card a round waits for, from a shoe or from a script, and returns what happened.

This is the only object with state between calls: the table, and the position in the cards.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from upcard.cards import DECK, Card
from upcard.cards.shoe import KEY_BYTES, Shoe, Shuffle, new_shoe
from upcard.engine import commands as c
from upcard.engine.awaiting import HOLE_CARD, DealerCard, PlayerCard, awaiting
from upcard.engine.command_rules import CommandRefused
from upcard.engine.events import Event
from upcard.engine.round import Round
from upcard.engine.terms import Terms
from upcard.pit import orders as o
from upcard.pit.events import TableEvent
from upcard.pit.refusals import PitRefusal, PitRefused
from upcard.pit.table import Table, order, play
from upcard.pit.terms import margins

Happened = Event | TableEvent


class Cards(Protocol):
    """Where cards come from."""

    def draw(self) -> Card | None:
        """The next card, or None when there is none."""

    def refill(self, discards: Sequence[Card]) -> None:
        """Shuffles the discards in (R33)."""


class Script:
    """Cards given in advance."""

    def __init__(self, cards: Sequence[Card] = ()) -> None:
        self.cards = list(cards)

    def draw(self) -> Card | None:
        return self.cards.pop(0) if self.cards else None

    def refill(self, discards: Sequence[Card]) -> None:
        """Does nothing: the cards after a shuffle are in the script too."""


def table_shoe(table: Table, *, key: bytes | None = None, nonce: bytes = b"", cut: int | None = None) -> Shoe:
    """A shoe for a table: random key unless given, cut in the middle unless a player chose where."""
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
        """Carries out a command and deals every card that is then due; a refusal changes nothing."""
        if isinstance(command, o.Order):
            self.table, table_events = order(self.table, command)
            return table_events
        self.table, played, finished = play(self.table, command)
        self.last, happened = finished or self.last, [*played]
        while (table := self.table).round is not None and table.terms is not None:
            if not isinstance(awaiting(table.round, table.terms), PlayerCard | DealerCard):
                break
            dealt_events = self._deal()
            if not dealt_events:
                break  # the script has ended: the next card will be entered
            happened += dealt_events
        return tuple(happened)

    def _deal(self) -> tuple[Happened, ...]:
        table_events: tuple[Happened, ...] = ()
        if not self.table.shoe_cards:
            self.table, table_events = order(self.table, o.ReturnDiscards())
            self.cards.refill(_discards(self.table))
        card = self.cards.draw()
        if card is None and not self._is_dealt_unseen():
            return table_events
        try:
            self.table, happened, finished = play(self.table, c.DealCard(card))
        except (CommandRefused, PitRefused) as refused:  # the script is wrong, not the command
            raise PitRefused(PitRefusal.CARD_IMPOSSIBLE, why=refused.coded) from None
        self.last = finished or self.last
        return (*table_events, *happened)

    def _is_dealt_unseen(self) -> bool:
        """Whether the hole card of a hand-dealt game is due: it is dealt face down, without being entered."""
        table = self.table
        if not table.dealt_by_hand or table.round is None or table.terms is None:
            return False
        return awaiting(table.round, table.terms) == HOLE_CARD


def _discards(table: Table) -> list[Card]:
    """Every card that is not on the table, just after the discards were returned."""
    return [card for card in DECK for _ in range(table.layout.decks - table.came_out.get(card, 0))]
