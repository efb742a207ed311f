"""How each event changes a round. Rules are not checked here."""

from collections.abc import Callable
from typing import Any

from upcard.engine import events as e
from upcard.engine.round import Hand, HandDecision, Phase, Round, Spot
from upcard.frozen import replace


def evolve(state: Round, event: e.Event) -> Round:
    return EFFECTS[type(event)](state, event)


def fold(state: Round, events: tuple[e.Event, ...]) -> Round:
    for event in events:
        state = evolve(state, event)
    return state


def _placed(state: Round, event: e.WagerPlaced) -> Round:
    spot = state.spot(event.spot) or Spot(number=event.spot, player=event.player, wagers={})
    changed = replace(spot, wagers={**spot.wagers, event.wager: event.amount})
    others = [other for other in state.spots if other.number != event.spot]
    return replace(state, spots=tuple(sorted([*others, changed], key=lambda spot: spot.number)))


def _cleared(state: Round, event: e.WagersCleared) -> Round:
    spots = []
    for spot in state.spots:
        if spot.number == event.spot:
            remaining = {name: amount for name, amount in spot.wagers.items() if name not in event.wagers}
            spot = replace(spot, wagers=remaining)
        if spot.wagers:
            spots.append(spot)
    return replace(state, spots=tuple(spots))


def _closed(state: Round, event: e.BettingClosed) -> Round:
    return replace(state, phase=Phase.DEALING, main_wagers=event.main_wagers)


def _card(state: Round, event: e.CardDealt) -> Round:
    spot = _spot(state, event.spot)
    if not spot.hands:
        stakes = {name: amount for name, amount in spot.wagers.items() if name in state.main_wagers}
        hand = Hand(cards=(event.card,), stakes=stakes)
        return _with_spot(
            state, replace(spot, hands=(hand,), first_cards=hand.cards), cards_dealt=state.cards_dealt + 1
        )
    hand = spot.hands[event.hand]
    changed = replace(hand, cards=(*hand.cards, event.card), wants_card=False, done=hand.done or bool(hand.doubled))
    if state.phase is Phase.DEALING:
        dealt = replace(spot, hands=(changed,), first_cards=changed.cards)
        return _with_spot(state, dealt, cards_dealt=state.cards_dealt + 1)
    return _with_hand(state, spot, event.hand, changed, cards_dealt=state.cards_dealt + 1)


def _dealer_card(state: Round, event: e.DealerCardDealt) -> Round:
    return replace(state, dealer=(*state.dealer, event.card), cards_dealt=state.cards_dealt + 1)


def _hole(state: Round, event: e.HoleCardDealt) -> Round:
    dealer = state.dealer if event.card is None else (*state.dealer, event.card)
    unknown = event.card is None
    return replace(state, dealer=dealer, hole_down=True, hole_unknown=unknown, cards_dealt=state.cards_dealt + 1)


def _deal_completed(state: Round, _event: e.DealCompleted) -> Round:
    return replace(state, phase=Phase.PEEK)


def _offered(state: Round, _event: e.InsuranceOffered) -> Round:
    return replace(state, phase=Phase.INSURANCE)


def _insured(state: Round, event: e.Insured) -> Round:
    spot = _spot(state, event.spot)
    return _with_spot(state, replace(spot, insurance=dict(event.amounts), insurance_answered=True))


def _declined(state: Round, event: e.InsuranceDeclined) -> Round:
    return _with_spot(state, replace(_spot(state, event.spot), insurance_answered=True))


def _insurance_closed(state: Round, _event: e.InsuranceClosed) -> Round:
    return replace(state, phase=Phase.PEEK)


def _peeked(state: Round, event: e.DealerPeeked) -> Round:
    return replace(state, peeked=event.blackjack)


def _late_opened(state: Round, _event: e.LateWagersOpened) -> Round:
    return replace(state, phase=Phase.LATE_WAGERS)


def _late_closed(state: Round, _event: e.LateWagersClosed) -> Round:
    return replace(state, phase=Phase.PLAY)


def _late_closed_before_peek(state: Round, _event: e.LateWagersClosedBeforePeek) -> Round:
    return replace(state, phase=Phase.PEEK)


def _play(state: Round, _event: e.PlayBegan) -> Round:
    return replace(state, phase=Phase.PLAY)


def _hit(state: Round, event: e.HandHit) -> Round:
    spot = _spot(state, event.spot)
    return _with_hand(state, spot, event.hand, replace(spot.hands[event.hand], wants_card=True))


def _stayed(state: Round, event: e.HandStayed) -> Round:
    spot = _spot(state, event.spot)
    return _with_hand(state, spot, event.hand, replace(spot.hands[event.hand], done=True))


def _doubled(state: Round, event: e.HandDoubled) -> Round:
    spot = _spot(state, event.spot)
    hand = replace(spot.hands[event.hand], doubled=dict(event.amounts), wants_card=True)
    return _with_hand(state, spot, event.hand, hand)


def _split(state: Round, event: e.HandSplit) -> Round:
    spot = _spot(state, event.spot)
    hand = spot.hands[event.hand]
    halves = (Hand(cards=(card,), stakes=hand.stakes, split=True) for card in hand.cards)
    hands = (*spot.hands[: event.hand], *halves, *spot.hands[event.hand + 1 :])
    return _with_spot(state, replace(spot, hands=hands))


def _dealers_turn(state: Round, _event: e.DealersTurn) -> Round:
    return replace(state, phase=Phase.DEALER)


def _revealed(state: Round, event: e.HoleRevealed) -> Round:
    dealer = (*state.dealer, event.card) if state.hole_unknown else state.dealer
    return replace(state, dealer=dealer, hole_down=False, hole_unknown=False, revealed=True)


def _until_hard(state: Round, _event: e.SoftSeventeenReached) -> Round:
    return replace(state, hits_until_hard=True)


def _decided(state: Round, event: e.Decided) -> Round:
    decision = event.decision
    if isinstance(decision, HandDecision):
        spot = _spot(state, decision.spot)
        hand = replace(spot.hands[decision.hand], result=decision.result, done=True)
        return _with_hand(state, spot, decision.hand, hand, decisions=(*state.decisions, decision))
    return replace(state, decisions=(*state.decisions, decision))


def _finished(state: Round, _event: e.RoundFinished) -> Round:
    return replace(state, phase=Phase.OVER)


EFFECTS: dict[type, Callable[[Round, Any], Round]] = {
    e.WagerPlaced: _placed,
    e.WagersCleared: _cleared,
    e.BettingClosed: _closed,
    e.CardDealt: _card,
    e.DealerCardDealt: _dealer_card,
    e.HoleCardDealt: _hole,
    e.DealCompleted: _deal_completed,
    e.InsuranceOffered: _offered,
    e.Insured: _insured,
    e.InsuranceDeclined: _declined,
    e.InsuranceClosed: _insurance_closed,
    e.DealerPeeked: _peeked,
    e.LateWagersOpened: _late_opened,
    e.LateWagersClosed: _late_closed,
    e.LateWagersClosedBeforePeek: _late_closed_before_peek,
    e.PlayBegan: _play,
    e.HandHit: _hit,
    e.HandStayed: _stayed,
    e.HandDoubled: _doubled,
    e.HandSplit: _split,
    e.DealersTurn: _dealers_turn,
    e.HoleRevealed: _revealed,
    e.SoftSeventeenReached: _until_hard,
    e.Decided: _decided,
    e.RoundFinished: _finished,
}


def _spot(state: Round, number: int) -> Spot:
    spot = state.spot(number)
    if spot is None:
        raise ValueError(f"an event names spot {number}, which is not in play")
    return spot


def _with_spot(state: Round, changed: Spot, **changes: Any) -> Round:
    spots = tuple([changed if spot.number == changed.number else spot for spot in state.spots])
    return replace(state, spots=spots, **changes)


def _with_hand(state: Round, spot: Spot, number: int, hand: Hand, **changes: Any) -> Round:
    hands = (*spot.hands[:number], hand, *spot.hands[number + 1 :])
    return _with_spot(state, replace(spot, hands=hands), **changes)
