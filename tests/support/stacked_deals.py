"""Deals that a shuffle rarely brings: every line of every shipped paytable, and the edges of the main game.

Each is the player's two cards, the dealer's up and hole card, and the cards that follow.
"""

from typing import NamedTuple

from upcard.cards import Card, read_cards


class StackedDeal(NamedTuple):
    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    following: tuple[Card, ...]


_BY_WHAT_THEY_SHOW = {
    "Lucky Ladies, with and without a dealer blackjack": """
        Qh Qh / Ah Kh; Qh Qh / Kh Ah; Qh Qh / As Ks; Qh Qh / Jc Ac; Qh Qh / As Kd; Qh Qh / Tc Ad; Qh Qh / 6c 5d
        Qd Qd / Ah Kh; Kc Kc / Ad 5h; Ks Qs / Th Ac; Ah 9h / 5c 6d; Ah 9c / 5c 6d; Tc Jd / 9c 8d; Th Kh / 2c 3c
    """,
    "three queens": """
        Qh Qh / Qh 5c; Qs Qs / Qs Ad; Qc Qc / Qc 4d; Qd Qd / Qd 9c; Qh Qd / Qh 5c; Qh Qh / Qd Ah; Qs Qc / Qc 3h
        Qh Qs / Qd 6c; Qh Qh / Qs 7c
    """,
    "Suited Royals": """
        Kd Qd / 5c 6c; Qd Kd / Ad Jd; Ks Qs / 2c 3d; Jd Kd / 7c Ts; Jc Jc / 5d 6h; 3h 9h / 2s 8c; Kd Qs / 8h 8s
    """,
    "three-card hands": """
        Ah Ah / Ah 5c; Kh Kh / Kh 5d; As As / As Kd; Kc Kc / Kc 9h; Qd Qd / Qd 4c; 8s 8s / 8s Tc; 7h 8h / 9h Kc
        Ad 2d / 3d 5s; Qc Kc / Ac 7d; Kc As / 2d 7h; Kd Ad / 2d 9s; 9c 9d / 9h 2s; Ah Ad / Ac Kc; 4c 5d / 6h Ts
        2c 9c / Jc 5h; Jh Tc / 9s 9d; Qc Kd / Ah 8h; 2c 3d / As Tc; Ah As / 4h 4d
    """,
    "matches with the dealer's cards": """
        6c 6c / 6c 6c; 6c 6c / 6d 6c; 7d 7s / 7h 7c; 5h 5d / 9c 5h; 5h 8d / 5h 5s; 4s Tc / 9d 4s; 4s Tc / 9d 4h
        Jc 4d / Jc Td; Jc 4d / Js Qd; 3h 3h / 3h 9d; 3h 3c / 3h 8s; 3h 3d / 3c Ts; 2d 2d / 9h 8d; 2d 2h / 9c 6d
        3h 9d / 3h 7c; 3h 9d / 3c 7c; 8d 8h / 4c 8d; Ts 2c / Jh Td
    """,
    "dealer hands of three to nine cards that bust": """
        Tc 9d / 6h Ts / 9c; Tc 9d / 2h 4s / 8c Kd; Tc 9d / 3h 2s / 4c 6d 8h; Tc 9d / 2h 2s / 3c 3d 4h Ks
        Tc 9d / 2h 2s / 2c 2d 3h 4h Js; Tc 9d / 2h 2s / 2c 2d 2h 2s 3c Td; Tc 9d / 2h As / Ac Ad Ah 2d 3s 5s 2d 9h
    """,
    "dealer hands that bust in one suit": """
        Tc 9d / As 5s / Ts Ks; Tc 9d / 2h 4h / Kh Qh; Tc 9d / 3c 4c / 8c 9c; Tc 9d / 4d 2d / Jd Td; Tc 9d / 5s Ts / 9s
        Tc 9d / 6h Th / Kh; Tc 9d / 7c 6c / Qc; Tc 9d / 8d 6d / 9d; Tc 9d / 9h 7h / Th; Tc 9d / Ts 5s / 8s
        Tc 9d / 8h 8h / 8h
    """,
    "dealer hands that bust in more than one suit": """
        Tc 9d / As 5s / Th Ks; Tc 9d / 2h 4h / Kh Qc; Tc 9d / 3c 4d / 8c 9c; Tc 9d / 4d 2d / Jd Th; Tc 9d / 5s Ts / 9c
        Tc 9d / 6h Th / Ks; Tc 9d / 7c 6d / Qc; Tc 9d / 8d 6d / 9h; Tc 9d / 9h 7h / Tc; Tc 9d / Ks 5s / 8d
        Tc 9d / 8h 8h / 8c
    """,
    "soft hands of the dealer": """
        Tc 8d / Ah 6c / Td 3c; Tc 8d / 6h Ac / 4d; Tc 7d / 2h 4c / Ad 5s; Tc 9d / Ah 7c / 5d; Tc 7d / Ah 2c / 4d Ts Ks
    """,
    "blackjacks against an ace and a ten": """
        As Kd / Ah 5c; As Kd / Ac Td; Ad Ts / Kc As; Ad Js / Qc 9s; Qs Ac / 7d 8h; Tc 9d / Ah Kc; Tc Td / Ks Ad
    """,
    "splits to the limit, and split aces": """
        8c 8d / 6h 5c / 8h 8s 3d 2c; As Ad / 6h 5c / Ah Ac Kd Qs 9d; As Ad / 5h Tc / Ks Td
        As Ad / 9h Tc / 9s Ah Ad 3c 4c
        Tc Td / 5h 9c / Ts Th Ah Ac Ad; Kc Kd / 6s Td / Ah As; Tc Kd / 9c 4h; 2c 2d / 7h Td / 9s Tc
        9h 9d / 9c 7s / 9s 9d 9h 2c 3d
    """,
    "hands that bust with 30, and with more and less": """
        Tc Td / 6h Ts / Tc Th; Tc 5d / 6h 8s / 5h Ts Kh; Kc Td / 5c Jd / Qh 8c
        9c 9d / 5c Jd / 9s 9h 3c Ts; 8c 8d / 4h Ts / 4d Tc 8h 9c
        Tc 6d / 4h Ts / 5s Kc Qd
    """,
}


def _read(text: str) -> StackedDeal:
    player, dealer, *following = text.split("/")
    return StackedDeal(read_cards(player), read_cards(dealer), read_cards(following[0] if following else ""))


STACKED_DEALS = tuple(
    _read(deal) for deals in _BY_WHAT_THEY_SHOW.values() for deal in deals.replace("\n", ";").split(";") if deal.strip()
)
