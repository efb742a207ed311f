"""What each thing that may be done with a hand on the felt is worth, in its wager: by composition, exactly.

A hand is played on as its composition asks (CDZ-, as everywhere here); a hand of a split is looked at by itself.
"""

from fractions import Fraction

import numpy as np

from upcard.odds.main import hint_question as q
from upcard.odds.main.hand_tables import key_of
from upcard.odds.main.hint_question import HintQuestion
from upcard.odds.main.play import best_draws, optimum
from upcard.odds.main.position import ACE, TEN, Position
from upcard.odds.main.rank_shoe import RankShoe, full_shoe
from upcard.odds.main.rules import MainRules
from upcard.odds.main.solve import solve

ActionValues = dict[str, float]

_PLAIN = MainRules(
    soft17="hit",
    blackjack=Fraction(3, 2),
    insurance=Fraction(2),
    das=True,
    double="any",
    hands=2,
    resplit_aces=False,
    hit_split_aces=False,
    split="value",
    surrender="none",
    hole="peek",
)


def action_values(question: HintQuestion) -> ActionValues:
    """The worth of every action asked about; refuses a shoe that may not last the round."""
    shoe = RankShoe(question.shoe)
    if question.is_insurance:
        return _insurance(question, shoe)
    return _hand(question, solve(shoe, question.rules).position)


def _insurance(question: HintQuestion, shoe: RankShoe) -> ActionValues:
    """Of a blackjack the whole hand counts; of any other only the insurance, for the hand is played out later."""
    left = shoe.without((*question.hand, question.up))
    blackjack = sum(left.ranks[TEN:]) / left.cards
    natural = {min(rank, TEN) for rank in question.hand} == {ACE, TEN}
    declined = float(question.rules.blackjack) * (1 - blackjack) if natural else 0.0
    insurance = float(question.insured) * (blackjack * (float(question.rules.insurance) + 1) - 1)
    found = {q.DECLINE: declined, q.INSURE: declined + insurance, q.EVEN_MONEY: float(question.even_money)}
    return {action: found[action] for action in question.actions}


def _hand(question: HintQuestion, at: Position) -> ActionValues:
    values = [min(rank, TEN) for rank in question.hand]
    hand = int(np.flatnonzero(at.hands.keys == sum(map(key_of, values)))[0])
    up = min(question.up, TEN)
    stand, hit, double = best_draws(at)
    found: ActionValues = {}
    for action in question.actions:
        match action:
            case q.STAY:
                found[action] = float(stand[hand, up])
            case q.HIT:
                found[action] = float(hit[hand, up])
            case q.DOUBLE:
                found[action] = float(double[hand, up])
            case q.SURRENDER:
                found[action] = float(question.gives_back) - 1
            case q.SPLIT:
                found[action] = _split(question, at, values[0], up)
    return found


def _split(question: HintQuestion, at: Position, value: int, up: int) -> float:
    """With the pair's own rank, where the printed one counts: a king is as good as a ten, but not for splitting."""
    rank = question.hand[0]
    if value == TEN and at.rules.split == "rank":
        own = at.shoe.ranks[rank] - (rank == question.up)
    else:
        own = int(at.shoe.values[value]) - (value == up)
    weights, _ = at.pair_weights(value, up, own, at.shoe.cards - 1)
    hands, _ = optimum(at).play.split_hands
    return float((weights * hands[up, value, : len(weights)]).sum())


def warm_up() -> None:
    """Has everything compiled that an answer needs, or read in: some seconds, but once on a machine a moment."""
    at = solve(full_shoe(1), _PLAIN).position
    best_draws(at)
    optimum(at).play.split_hands  # noqa: B018 - worked out when it is looked at
    at.pair_weights(TEN, ACE, 16, 51)
