"""What each action open to a hand on the felt is worth, as a part of its wager: exact, by composition.

The rest of the hand is played by composition (CDZ-, as everywhere here); a hand of a split is valued by itself.
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
    """The worth of every action in question; refuses a shoe that may run out within the round."""
    shoe = RankShoe(question.shoe)
    if question.is_insurance:
        return _insurance(question, shoe)
    return _hand(question, solve(shoe, question.rules).position)


def _insurance(question: HintQuestion, shoe: RankShoe) -> ActionValues:
    """For a blackjack, the worth of the whole hand; for other hands, of the insurance alone: they are played later."""
    unseen = shoe.without((*question.hand, question.up))
    blackjack = sum(unseen.ranks[TEN:]) / unseen.cards
    natural = {min(rank, TEN) for rank in question.hand} == {ACE, TEN}
    declined = float(question.rules.blackjack) * (1 - blackjack) if natural else 0.0
    insurance = float(question.insured) * (blackjack * (float(question.rules.insurance) + 1) - 1)
    values = {q.DECLINE: declined, q.INSURE: declined + insurance, q.EVEN_MONEY: float(question.even_money)}
    return {action: values[action] for action in question.actions}


def _hand(question: HintQuestion, position: Position) -> ActionValues:
    cards = [min(rank, TEN) for rank in question.hand]
    hand = int(np.flatnonzero(position.hands.keys == sum(map(key_of, cards)))[0])
    up = min(question.up, TEN)
    stand, hit, double = best_draws(position)
    values: ActionValues = {}
    for action in question.actions:
        match action:
            case q.STAY:
                values[action] = float(stand[hand, up])
            case q.HIT:
                values[action] = float(hit[hand, up])
            case q.DOUBLE:
                values[action] = float(double[hand, up])
            case q.SURRENDER:
                values[action] = float(question.gives_back) - 1
            case q.SPLIT:
                values[action] = _split(question, position, cards[0], up)
    return values


def _split(question: HintQuestion, position: Position, value: int, up: int) -> float:
    """By printed rank where the rules ask for it: a king counts as a ten, but does not pair with one."""
    rank = question.hand[0]
    if value == TEN and position.rules.split == "rank":
        of_rank = position.shoe.ranks[rank] - (rank == question.up)
    else:
        of_rank = int(position.shoe.values[value]) - (value == up)
    weights, _ = position.pair_weights(value, up, of_rank, position.shoe.cards - 1)
    hands, _ = optimum(position).play.split_hands
    return float((weights * hands[up, value, : len(weights)]).sum())


def warm_up() -> None:
    """Compiles the kernels a hint needs: seconds the first time on a machine, then read from the cache."""
    position = solve(full_shoe(1), _PLAIN).position
    best_draws(position)
    optimum(position).play.split_hands  # noqa: B018 - computed on access
    position.pair_weights(TEN, ACE, 16, 51)
