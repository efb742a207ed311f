"""Hints: turns a player's decision into a question for the solver, and the solver's answer into a hint."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from upcard.cards import card_text
from upcard.engine.round import Round
from upcard.engine.terms import Terms
from upcard.odds.main.hint_question import HintQuestion, hint_question
from upcard.service.live_table import LiveTable
from upcard.wagers import DealerHandKind


class ActionWorth(BaseModel):
    """An action and its expected value, as a fraction of the hand's wagers and in cents."""

    do: str
    worth: float
    cents: float


class Hint(BaseModel):
    """The value of every action, best first. For insurance without a blackjack, only the insurance counts."""

    number: int  # of the table's last record when it was asked
    spot: int
    hand: int
    cards: list[str]
    up: str
    stake: int
    insurance: bool
    actions: list[ActionWorth]
    ahead: float  # the best action's lead over the next, as a fraction of the wagers
    left_out: list[str]  # side wagers of the spot that depend on the hand but are not counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision that a player has to make at a spot."""

    question: HintQuestion
    hand: int
    spot: int
    number: int  # of the table's last record
    state: Round
    terms: Terms

    def hint(self, worths: Mapping[str, float]) -> Hint:
        """The hint, from the value of each action."""
        seat = self.state.spot(self.spot)
        if seat is None:
            raise ValueError(f"spot {self.spot} is not in play")
        hand = seat.hands[self.hand]
        stake = sum(hand.stakes.values())
        best = sorted(worths.items(), key=lambda item: -item[1])
        kinds = {name: self.terms.wagers[name].kind for name in seat.wagers}
        return Hint(
            number=self.number,
            spot=self.spot,
            hand=self.hand,
            cards=[card_text(card) for card in hand.cards],
            up=card_text(self.state.dealer[0]),
            stake=stake,
            insurance=self.question.is_insurance,
            actions=[ActionWorth(do=name, worth=worth, cents=worth * stake) for name, worth in best],
            ahead=best[0][1] - best[1][1] if len(best) > 1 else 0.0,
            left_out=[
                name
                for name, kind in kinds.items()
                if (isinstance(kind, DealerHandKind) and kind.lost_on_player_total is not None)
                or self.terms.wagers[name].lost_with_hand
            ],
        )


def decision_at(live: LiveTable, spot: int) -> Decision | None:
    """The decision to make at a spot now, if there is one."""
    state, terms = live.table.round, live.table.terms
    pending = None if state is None or terms is None else hint_question(state, terms, spot)
    if state is None or terms is None or pending is None:
        return None
    question, hand = pending
    return Decision(question=question, hand=hand, spot=spot, number=live.version, state=state, terms=terms)
