"""Hints: what is asked of a player now, as a question about its exact worth, and the answer made of it."""

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
    """One thing that may be done: its worth as a part of the hand's wagers, and in cents."""

    do: str
    worth: float
    cents: float


class Hint(BaseModel):
    """What every action is worth, the best first; of insurance on a hand that is no blackjack only itself counts."""

    number: int  # of the table's record it was asked after
    spot: int
    hand: int
    cards: list[str]
    up: str
    stake: int
    insurance: bool
    actions: list[ActionWorth]
    ahead: float  # of the best before the next, as a part of the wagers
    left_out: list[str]  # side wagers of the spot that hang on the hand, and are not counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a player has to decide at a spot."""

    question: HintQuestion
    hand: int
    spot: int
    number: int  # of the table's last record
    state: Round
    terms: Terms

    def hint(self, worths: Mapping[str, float]) -> Hint:
        """The answer, from what each action is worth."""
        seat = self.state.spot(self.spot)
        if seat is None:
            raise ValueError(f"spot {self.spot} is not in play")
        hand = seat.hands[self.hand]
        stake = sum(hand.stakes.values())
        best = sorted(worths.items(), key=lambda one: -one[1])
        kinds = {name: self.terms.wagers[name].kind for name in seat.wagers}
        return Hint(
            number=self.number,
            spot=self.spot,
            hand=self.hand,
            cards=[card_text(one) for one in hand.cards],
            up=card_text(self.state.dealer[0]),
            stake=stake,
            insurance=self.question.is_insurance,
            actions=[ActionWorth(do=name, worth=worth, cents=worth * stake) for name, worth in best],
            ahead=best[0][1] - best[1][1] if len(best) > 1 else 0.0,
            left_out=[
                name
                for name, kind in kinds.items()
                if isinstance(kind, DealerHandKind) and kind.lost_on_player_total is not None
            ],
        )


def decision_at(live: LiveTable, spot: int) -> Decision | None:
    """What is asked of a spot now; None: nothing."""
    state, terms = live.table.round, live.table.terms
    asked = None if state is None or terms is None else hint_question(state, terms, spot)
    if state is None or terms is None or asked is None:
        return None
    question, hand = asked
    return Decision(question=question, hand=hand, spot=spot, number=live.version, state=state, terms=terms)
