"""What one seat may see. A face-down hole card is in no view, and neither is anything that would give it away."""

from dataclasses import dataclass

from upcard.cards import Card
from upcard.engine.awaiting import Awaiting, awaiting
from upcard.engine.offered_choices import Choice, legal
from upcard.engine.round import Decision, Phase, Round, Spot
from upcard.engine.terms import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    phase: Phase
    awaiting: Awaiting
    dealer: tuple[Card | None, ...]  # None: a card face down
    spots: tuple[Spot, ...]
    decisions: tuple[Decision, ...]
    choices: tuple[Choice, ...]  # those of the seat that looks


def dealer_cards_shown(state: Round) -> tuple[Card | None, ...]:
    """The dealer's cards that everybody may see; a face-down hole card is None."""
    return (state.dealer[0], None) if state.hole_down else state.dealer


def view(state: Round, terms: Terms, seat: int | None) -> View:
    """The round as seen from `seat`, or from outside the table if it is None."""
    choices = () if seat is None else tuple(choice for choice in legal(state, terms) if choice.spot == seat)
    return View(
        phase=state.phase,
        awaiting=awaiting(state, terms),
        dealer=dealer_cards_shown(state),
        spots=state.spots,
        decisions=state.decisions,
        choices=choices,
    )
