"""What a round waits for: wagers, a card, an answer or a decision. The engine draws no cards; a command deals them."""

from dataclasses import dataclass
from typing import assert_never

from upcard.cards import ACE, rank_of
from upcard.cards.hand import total
from upcard.codes import Coded, phrases
from upcard.engine.round import Hand, Phase, Round
from upcard.engine.terms import Terms
from upcard.wagers import DealerHandKind


@dataclass(frozen=True, slots=True)
class Wagers:
    """Players may bet until the dealer closes betting."""

    late: bool = False
    before_peek: bool = False  # R9

    @property
    def coded(self) -> Coded:
        """The form that is stored and sent."""
        if not self.late:
            return {"code": "awaiting/wagers"}
        return {"code": "awaiting/wagers-before-the-peek" if self.before_peek else "awaiting/late-wagers"}


@dataclass(frozen=True, slots=True)
class PlayerCard:
    spot: int
    hand: int

    @property
    def coded(self) -> Coded:
        return {"code": "awaiting/player-card", "spot": self.spot, "hand": self.hand}


@dataclass(frozen=True, slots=True)
class DealerCard:
    """A card for the dealer: `up`, `hole`, `draw`, or `reveal` for a hole card that the engine does not know yet."""

    which: str

    @property
    def coded(self) -> Coded:
        return {"code": f"awaiting/{_DEALER_CARDS[self.which]}"}


@dataclass(frozen=True, slots=True)
class InsuranceAnswers:
    """These spots have not answered on insurance; if there are none, the dealer has to close it."""

    spots: tuple[int, ...]

    @property
    def coded(self) -> Coded:
        return {"code": "awaiting/insurance" if self.spots else "awaiting/close-of-insurance"}


@dataclass(frozen=True, slots=True)
class PeekAnswer:
    """The dealer must say whether an unknown hole card makes a blackjack."""

    @property
    def coded(self) -> Coded:
        return {"code": "awaiting/peek"}


@dataclass(frozen=True, slots=True)
class PlayerDecision:
    spot: int
    hand: int

    @property
    def coded(self) -> Coded:
        return {"code": "awaiting/decision", "spot": self.spot, "hand": self.hand}


@dataclass(frozen=True, slots=True)
class Nothing:
    """The round waits for nothing."""

    @property
    def coded(self) -> Coded:
        return {"code": "awaiting/nothing"}


_DEALER_CARDS = {"up": "up-card", "hole": "hole-card", "draw": "dealer-card", "reveal": "hole-card-reveal"}
phrases(
    {
        "awaiting/wagers": "wagers",
        "awaiting/late-wagers": "wagers made after the peek",
        "awaiting/wagers-before-the-peek": "wagers made before the peek",
        "awaiting/player-card": "a card to spot {spot}",
        "awaiting/up-card": "the dealer's up card",
        "awaiting/hole-card": "the dealer's hole card",
        "awaiting/dealer-card": "a card to the dealer",
        "awaiting/hole-card-reveal": "the hole card to be turned over",
        "awaiting/insurance": "insurance decisions",
        "awaiting/close-of-insurance": "the dealer to close insurance",
        "awaiting/peek": "the peek",
        "awaiting/decision": "spot {spot} to play",
        "awaiting/nothing": "nothing: the round is over",
    }
)

HOLE_CARD, REVEAL = DealerCard("hole"), DealerCard("reveal")
_UP_CARD, _DRAW, _NOTHING, _WAGERS = DealerCard("up"), DealerCard("draw"), Nothing(), Wagers()

Awaiting = Wagers | PlayerCard | DealerCard | InsuranceAnswers | PeekAnswer | PlayerDecision | Nothing


_last: tuple[Round, Terms, Awaiting] | None = None  # the last answer: one round is asked about several times in a row


def awaiting(state: Round, terms: Terms) -> Awaiting:
    global _last
    last = _last  # read once: several threads ask
    if last is not None and last[0] is state and last[1] is terms:
        return last[2]
    answer: Awaiting
    match state.phase:
        case Phase.BETTING:
            answer = _WAGERS
        case Phase.DEALING:
            answer = _next_in_deal(state)
        case Phase.INSURANCE:
            answer = InsuranceAnswers(tuple(spot.number for spot in state.spots if not spot.insurance_answered))
        case Phase.PEEK:
            answer = PeekAnswer()
        case Phase.LATE_WAGERS:
            answer = Wagers(late=True, before_peek=terms.late_wagers_before_peek)
        case Phase.PLAY:
            answer = _next_in_play(state)
        case Phase.DEALER:
            answer = _next_for_dealer(state, terms)
        case Phase.OVER:
            answer = _NOTHING
        case _:
            assert_never(state.phase)
    _last = state, terms, answer
    return answer


def may_still_insure(state: Round, terms: Terms) -> frozenset[int]:
    """While insurance is open: the spots that declined it and may change their minds. Nobody waits for them."""
    if terms.decline_is_final:
        return frozenset()
    return frozenset(spot.number for spot in state.spots if spot.declined_insurance)


def deal_is_complete(state: Round) -> bool:
    """Whether every spot and the dealer have two cards."""
    return state.cards_dealt == 2 * (len(state.spots) + 1)


def dealer_must_draw(state: Round, terms: Terms) -> bool:
    """Whether the rules make the dealer draw, if the dealer's hand is needed at all."""
    points, soft = total(state.dealer)
    if state.hits_until_hard and soft:
        return True
    if terms.rules.soft17 != "stand" and soft and points == 17:
        return True
    return points < 17


def dealer_is_needed(state: Round, terms: Terms) -> bool:
    """Whether an undecided hand, or a wager on the dealer's hand, depends on the draw (R5, R6, R11)."""
    for spot in state.spots:
        if any(hand.is_live for hand in spot.hands):
            return True
        for name in spot.wagers:
            wager = terms.wagers[name]
            kind = wager.kind
            if wager.lost_with_hand:
                continue  # the spot has no hand left
            if isinstance(kind, DealerHandKind) and kind.lost_on_player_total not in spot.total_points:
                return True
    return False


def may_split_aces_again(hand: Hand, hands: int, terms: Terms) -> bool:
    """Whether a split ace that drew an ace may be split again (002)."""
    return (
        terms.rules.resplit_aces
        and hands < terms.rules.hands
        and len(hand.cards) == 2
        and all(rank_of(card) == ACE for card in hand.cards)
    )


def _next_in_deal(state: Round) -> Awaiting:
    """Left to right, one card each, the dealer last; the dealer's first card is face up, the second face down."""
    turn, position = divmod(state.cards_dealt, len(state.spots) + 1)
    if position < len(state.spots):
        return PlayerCard(state.spots[position].number, 0)
    return _UP_CARD if turn == 0 else HOLE_CARD


def _next_in_play(state: Round) -> Awaiting:
    active = state.active
    if active is None:
        return _NOTHING
    spot, number = state.spots[active[0]], active[1]
    hand = spot.hands[number]
    if len(hand.cards) == 1 or hand.wants_card:
        return PlayerCard(spot.number, number)
    return PlayerDecision(spot.number, number)


def _next_for_dealer(state: Round, terms: Terms) -> Awaiting:
    if not state.revealed:
        return REVEAL
    if dealer_is_needed(state, terms) and dealer_must_draw(state, terms):
        return _DRAW
    return _NOTHING
