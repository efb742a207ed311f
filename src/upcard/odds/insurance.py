"""Insurance as a paytable, so that it is priced like every other wager."""

from upcard.catalog.index import Catalog
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import ALL_DECKS, Paytable


def insurance_table(catalog: Catalog) -> Paytable:
    """Insurance as the games' rules pay it; offered, and priced, only against an ace."""
    odds = next(iter(catalog.games.values())).rules.insurance
    return Paytable(
        name="insurance",
        kind=catalog.kind("insurance"),
        filing="",
        place="all games",
        basis=odds.basis,
        decks=tuple(ALL_DECKS),
        lines={"dealer-blackjack": Fixed(odds.pays)},
        titles={"dealer-blackjack": "Dealer blackjack, an ace being up"},
        printed_wager=None,
        published=(),
        readings=(),
        notes=(),
        file="",
    )
