"""What the alternative readings of a filing do to a side wager's price."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import get_args

from upcard.catalog import shipped
from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.catalog.reading import Option
from upcard.odds.dealer import Soft17
from upcard.odds.dealer_hands import terms_of
from upcard.odds.price import Price, price
from upcard.units import Basis, Cents
from upcard.wagers import DealerHandKind

_TWO_TO_EIGHT = range(2, 9)
_SOFT17: dict[object, Soft17] = {way: way for way in get_args(Soft17)}
_SHARED = ("R8", "R14", "R18")  # who gets what when several win


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
    for number in _numbers(table, game):
        options = catalog.readings[number].options
        if len(options) < 2:
            continue
        chosen = game.readings[number] if game else next(iter(options))
        for option, meaning in options.items():
            found, note = _priced(table, decks, number, option, meaning, suit, stake)
            yield Alternative(
                reading=number,
                option=option,
                means=meaning.means,
                chosen=option == chosen,
                price=found,
                note=note,
            )


def _numbers(table: Paytable, game: Game | None) -> list[str]:
    """The table's own readings, and for a wager on the dealer's hand those of his soft 17."""
    numbers = list(table.readings)
    if game is not None and isinstance(table.kind, DealerHandKind):
        options = {number: shipped().readings[number].options.values() for number in game.readings}
        numbers += [number for number, ways in options.items() if any("soft17" in way.rules for way in ways)]
    return numbers


def _priced(
    table: Paytable, decks: int, number: str, option: str, meaning: Option, suit: int, stake: Cents | None
) -> tuple[Price | None, str]:
    """The price under an option, and what is to be said of it."""
    if "soft17" in meaning.rules:
        terms = replace(terms_of(table), soft17=_SOFT17[meaning.rules["soft17"]])
        return price(table, decks, suit=suit, stake=stake, terms=terms), ""
    note = "differs only when several players win at once" if number in _SHARED else ""
    match number, option:
        case "R6", "lost":
            return None, "depends on how the hand is played; not priced"
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
    return price(table, decks, suit=suit, stake=stake), note
