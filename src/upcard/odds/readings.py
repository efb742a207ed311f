"""What the alternative readings of a filing do to a side wager's price."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from upcard.catalog import shipped
from upcard.catalog.fields import decks_text
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.odds.dealer_hands import terms_of
from upcard.odds.price import Price, price
from upcard.units import Basis, Cents

_TWO_TO_EIGHT = range(2, 9)
_NOT_PRICED = {
    "R6": "depends on how the hand is played; not priced",
    "R8": "differs only when several players win at once",
    "R14": "differs only when several players win at once",
    "R18": "differs only when several players win at once",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One way to read a filing, and what it makes of a wager."""

    reading: str
    option: str
    means: str
    chosen: bool
    price: Price | None
    note: str = ""


def alternatives(table: Paytable, decks: int, *, suit: int, stake: Cents | None) -> Iterator[Alternative]:
    """Every option of every reading of a table that leaves a choice."""
    catalog = shipped()
    game = next((one for one in catalog.games.values() if one.number == table.filing), None)
    for number in table.readings:
        options = catalog.readings[number].options
        if len(options) < 2:
            continue
        chosen = game.readings[number] if game else next(iter(options))
        for option, meaning in options.items():
            found, note = _priced(table, decks, number, option, suit, stake)
            yield Alternative(
                reading=number,
                option=option,
                means=meaning.means,
                chosen=option == chosen,
                price=found,
                note=note,
            )


def _priced(
    table: Paytable, decks: int, number: str, option: str, suit: int, stake: Cents | None
) -> tuple[Price | None, str]:
    """The price under an option, and what is to be said of it."""
    if number in _NOT_PRICED:
        return None, _NOT_PRICED[number]
    match number, option:
        case "R7", "for-1":
            table = replace(table, basis=Basis.FOR_ONE)
        case "R9", "before-peek":
            terms = replace(terms_of(table), after_peek=False)
            return price(table, decks, suit=suit, stake=stake, terms=terms), "of all rounds"
        case "R9", "until-reveal":
            return price(table, decks, suit=suit, stake=stake), "to a player who does not use the cards he saw"
        case "R12", "all-six":
            table = replace(table, decks=tuple(_TWO_TO_EIGHT))
        case "R27", "larger-award":
            fixed = {event: pay for event, pay in table.lines.items() if isinstance(pay, Fixed)}
            return price(replace(table, lines=fixed), decks, suit=suit, stake=stake), "with empty meters"
    if decks not in table.decks:
        return None, f"the table is for {decks_text(table.decks)} decks only"
    return price(table, decks, suit=suit, stake=stake), ""
