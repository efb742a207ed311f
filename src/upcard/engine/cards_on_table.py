"""Which cards are on the table, and which in the discards: those may come out of the shoe again (R33)."""

from collections.abc import Iterator

from upcard.engine.round import Result, Round
from upcard.engine.terms import Terms


def cards_on_table(state: Round, terms: Terms) -> Iterator[int]:
    """Every known card on the table.

    A hand that bust or surrendered is in the discards, unless an undecided wager of the spot keeps its cards (003 rule
    3b, 004 rule 7).
    """
    yield from state.dealer
    for spot in state.spots:
        kept = any(_keeps_cards(state, terms, spot.number, name) for name in spot.wagers)
        for hand in spot.hands:
            if kept or hand.result not in (Result.BUST, Result.SURRENDER):
                yield from hand.cards


def copies_on_table(state: Round, terms: Terms, card: int) -> int:
    """How many copies of a card are on the table; exact only where they are as many as there are decks."""
    dealt = state.dealer.count(card) + sum(hand.cards.count(card) for spot in state.spots for hand in spot.hands)
    if dealt < terms.decks:  # nearly always, and quick
        return dealt
    return list(cards_on_table(state, terms)).count(card)


def _keeps_cards(state: Round, terms: Terms, spot: int, name: str) -> bool:
    wager = terms.wagers[name]
    return wager.keeps_cards and not wager.is_main and not state.decided(spot, name)
