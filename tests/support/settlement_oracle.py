"""What every stake of a finished round should pay and return, written from the filings.

It shares only the paytables' numbers and the cards on the table with the engine.
"""

from fractions import Fraction
from math import ceil

from support import side_wager_oracle as oracle

from upcard.cards import RANKS, SUIT_NAMES
from upcard.catalog.pays import Fixed, Share
from upcard.catalog.paytable import Paytable
from upcard.engine.round import Hand, Result, Round, Spot
from upcard.engine.terms import Terms, WagerTerms

Money = tuple[int, int]  # paid by the house, returned of the stake
Key = tuple[int, str, int | None]  # spot, wager, hand


def expected(state: Round, terms: Terms) -> dict[Key, Money]:
    """What the house pays and returns on every stake of the round."""
    money: dict[Key, Money] = {}
    for spot in state.spots:
        for name, stake in spot.wagers.items():
            table = terms.wagers[name].paytable
            if table is not None:
                event = side_event(table, terms.wagers[name], spot, state)
                money[spot.number, name, None] = side_money(table, event, stake)
        for number, hand in enumerate(spot.hands):
            paid, returned = hand_money(hand, state)
            for name, base in hand.stakes.items():
                stake_in_play = base + hand.doubled.get(name, 0)
                money[spot.number, name, number] = ceil(paid * stake_in_play), ceil(returned * stake_in_play)
        won = points(state.dealer[:2]) == 21
        for name, stake in spot.insurance.items():
            money[spot.number, f"insurance/{name}", None] = (2 * stake, stake) if won else (0, 0)
    return money


def points(cards: tuple[int, ...]) -> int:
    values = [min(card // 4 + 1, 10) for card in cards]
    low = sum(values)
    return low + 10 if 1 in values and low + 10 <= 21 else low


def hand_money(hand: Hand, state: Round) -> tuple[Fraction, Fraction]:
    """What a unit on a hand is paid, and how much of the unit is returned."""
    mine, dealer = points(hand.cards), points(state.dealer)
    natural = mine == 21 and len(hand.cards) == 2 and not hand.split
    dealer_natural = dealer == 21 and len(state.dealer) == 2
    if hand.result is Result.EVEN_MONEY:
        assert natural
        assert RANKS[state.dealer[0] // 4] == "A"
        return Fraction(1), Fraction(1)
    if hand.result is Result.SURRENDER:
        assert len(hand.cards) == 2
        assert not dealer_natural
        return Fraction(0), Fraction(1, 2)
    if mine > 21:
        return Fraction(0), Fraction(0)
    if dealer_natural:
        return Fraction(0), Fraction(natural)
    if natural:
        return Fraction(3, 2), Fraction(1)
    if dealer > 21 or mine > dealer:
        return Fraction(1), Fraction(1)
    return Fraction(0), Fraction(mine == dealer)


def side_event(table: Paytable, wager: WagerTerms, spot: Spot, state: Round) -> str | None:
    """The first printed line, highest first, that the cards satisfy."""
    dealer = state.dealer
    kind = wager.kind.name if wager.kind else ""
    if kind == "break-bonus":
        if points(dealer) <= 21:
            return None
        return "8-or-more-cards" if len(dealer) >= 8 else f"{len(dealer)}-cards"
    if kind == "bust-bonus":
        return bust_event(spot, dealer)
    roles = {"first": spot.first_cards[0], "second": spot.first_cards[1], "up": dealer[0], "hole": dealer[1]}
    roles_read = {
        "lucky-ladies": "first second",
        "suited-royals": "first second",
        "perfect-pair": "first second",
        "second-action": "first second hole",
        "match-madness": "first second up hole",
        "lucky-ladies-dealer-blackjack": "first second up hole",
        "lucky-ladies-jackpot": "first second up hole",
    }.get(kind, "first second up")
    deal = tuple(oracle.DECK[oracle_index(roles[role])] for role in roles_read.split())
    claims = oracle._claims(kind, SUIT_NAMES[wager.suit])
    return next((event for event in oracle.KINDS[kind].split() if event in table.lines and claims[event](deal)), None)


def oracle_index(card: int) -> int:
    rank, suit = divmod(card, 4)
    named_card = (oracle.RANKS[rank], SUIT_NAMES[suit])
    return oracle.DECK.index(named_card)


def bust_event(spot: Spot, dealer: tuple[int, ...]) -> str | None:
    if points(dealer) <= 21 or any(points(hand.cards) == 30 for hand in spot.hands):
        return None
    suited = "suited" if len({card % 4 for card in dealer}) == 1 else "off-suit"
    if sum(RANKS[card // 4] == "8" for card in dealer) == 3:
        return f"three-eights-{suited}"
    value = min(dealer[0] // 4 + 1, 10)
    return f"{'ace' if value == 1 else value}-up-{suited}"


def side_money(table: Paytable, event: str | None, stake: int) -> Money:
    if event is None:
        return 0, 0
    pay = table.lines[event]
    returned = stake if table.basis.value == "to 1" else 0
    if isinstance(pay, Share):
        return 0, returned
    assert isinstance(pay, Fixed)
    return ceil(pay.units * stake), returned
