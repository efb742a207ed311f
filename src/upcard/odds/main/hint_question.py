"""A decision on the felt as a question for the solver: the cards the player can see, and the actions open to them.

Only the cards face up on the felt count as seen. The hole card, the order of the shoe and the discards are ignored: a
hint does not count cards. Every unseen card is equally likely, so the answer is exact for a player who knows no more.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from upcard.cards import rank_of
from upcard.engine import commands as c
from upcard.engine import legal
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, awaiting
from upcard.engine.offered_choices import Choice
from upcard.engine.round import Round, Spot
from upcard.engine.terms import Terms
from upcard.odds.main.rules import MainRules, from_game
from upcard.problems import BadRequest
from upcard.units import Odds

STAY, HIT, DOUBLE, SPLIT, SURRENDER = "stay", "hit", "double", "split", "surrender"
INSURE, DECLINE, EVEN_MONEY = "insure", "decline-insurance", "even-money"

_ORDERS: Mapping[type, str] = {
    c.Stay: STAY,
    c.Hit: HIT,
    c.Double: DOUBLE,
    c.Split: SPLIT,
    c.Surrender: SURRENDER,
    c.Insure: INSURE,
    c.DeclineInsurance: DECLINE,
    c.TakeEvenMoney: EVEN_MONEY,
}
_EVEN = Odds.parse("1:1")


@dataclass(frozen=True, slots=True, kw_only=True)
class HintQuestion:
    """Asks what each of these actions is worth. Ranks are 0 (ace) to 12 (king)."""

    shoe: tuple[int, ...]  # by rank: the unseen cards, the hand and the up card
    rules: MainRules
    hand: tuple[int, ...]
    up: int
    actions: tuple[str, ...]
    gives_back: Fraction  # part of a surrendered wager
    insured: Fraction  # the largest insurance, in wagers
    even_money: Fraction  # what it pays, in wagers

    @property
    def is_insurance(self) -> bool:
        """Whether it is asked before the peek, about insurance alone."""
        return DECLINE in self.actions


def hint_question(state: Round, terms: Terms, spot: int) -> tuple[HintQuestion, int] | None:
    """The question a spot faces now, and which of its hands it is about; None if it faces none."""
    seat, waits = state.spot(spot), awaiting(state, terms)
    if seat is None:
        return None
    match waits:
        case InsuranceAnswers(spots) if spot in spots:
            turn = 0
        case PlayerDecision(number, hand) if number == spot:
            turn = hand
        case _:
            return None
    choices = {
        _ORDERS[choice.order]: choice
        for choice in legal(state, terms)
        if choice.spot == spot and choice.order in _ORDERS
    }
    return _question(state, terms, seat, turn, choices), turn


def _question(state: Round, terms: Terms, seat: Spot, turn: int, choices: Mapping[str, Choice]) -> HintQuestion:
    rules, hand = terms.rules, seat.hands[turn]
    if rules.win != _EVEN:
        raise BadRequest(f"hints are only available where a winning hand pays even money; here it pays {rules.win}")
    hands = rules.hands - len(seat.hands) + 1  # that this one may still become
    amounts = choices[INSURE].amounts if INSURE in choices else ()
    return HintQuestion(
        shoe=_not_aside(state, terms.decks, seat.number, turn),
        rules=replace(from_game(rules), hands=max(2, hands)),
        hand=tuple(sorted(map(rank_of, hand.cards))),
        up=rank_of(state.dealer[0]),
        actions=tuple(choices),
        gives_back=rules.surrender_returns,
        insured=Fraction(sum(allowed.most for _, allowed in amounts), sum(hand.stakes.values())),
        even_money=Fraction(0) if rules.even_money is None else rules.even_money.net,
    )


def _not_aside(state: Round, decks: int, number: int, turn: int) -> tuple[int, ...]:
    """The decks without the cards of all other hands on the felt."""
    other_hands = Counter(
        rank_of(card)
        for spot in state.spots
        for index, hand in enumerate(spot.hands)
        if (spot.number, index) != (number, turn)
        for card in hand.cards
    )
    return tuple(4 * decks - other_hands[rank] for rank in range(13))
