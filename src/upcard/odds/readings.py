"""What the alternative readings of a filing do to a side wager's price."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import get_args

from upcard.catalog import shipped
from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.catalog.reading import Option
from upcard.odds.dealer import Soft17
from upcard.odds.dealer_hands import game_of, terms_of
from upcard.odds.main.rules import MainRules, from_game
from upcard.odds.price import Price, price
from upcard.odds.shoe import shoe_without
from upcard.units import Basis, Cents
from upcard.wagers import DealerHandKind

_TWO_TO_EIGHT = range(2, 9)
_SOFT17: dict[object, Soft17] = {way: way for way in get_args(Soft17)}
_LOST_NOTE = (
    "lost on a bust, surrender or blackjack, after a split with the last hand; bet every round; one spot, fresh shoe, "
    "best chart for the rules; exact for up to two hands of a split, approximated pairwise for three or four"
)
_SHARED = ("R8", "R14", "R18")  # how several winners share


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One reading of a filing, and the price of a wager under it."""

    reading: str
    option: str
    means: str
    chosen: bool
    price: Price | None
    note: str = ""
    lost_return: Mapping[str, float] = field(default_factory=dict)  # R6 lost: what each way adds to the edge

    @property
    def edge(self) -> Fraction | float | None:
        """A fraction, except for a wager that depends on the play."""
        if self.price is None:
            return None
        return float(self.price.edge) + sum(self.lost_return.values()) if self.lost_return else self.price.edge


def alternatives(table: Paytable, decks: int, *, suit: int, stake: Cents | None) -> Iterator[Alternative]:
    """Every option of every reading that leaves a choice."""
    catalog = shipped()
    game = next((game for game in catalog.games.values() if game.number == table.filing), None)
    for number in _numbers(table, game):
        options = catalog.readings[number].options
        if len(options) < 2:
            continue
        if number == "R6" and isinstance(table.kind, DealerHandKind):
            yield from hand_alternatives(table, decks, from_game(game_of(table).rules))
            continue
        chosen = game.readings[number] if game else next(iter(options))
        for option, meaning in options.items():
            alternative_price, note = _priced(table, decks, number, option, meaning, suit, stake)
            yield Alternative(
                reading=number,
                option=option,
                means=meaning.means,
                chosen=option == chosen,
                price=alternative_price,
                note=note,
            )


def hand_alternatives(table: Paytable, decks: int, rules: MainRules) -> Iterator[Alternative]:
    """R6 for a wager on the dealer's hand: it survives the player's hand, or is lost with it. Takes a second or two."""
    playable = decks in table.decks
    terms = replace(terms_of(table), soft17=rules.soft17)
    live = price(table, decks, terms=terms) if playable else None
    for option, meaning in shipped().readings["R6"].options.items():
        is_lost = option == "lost" and playable
        yield Alternative(
            reading="R6",
            option=option,
            means=meaning.means,
            chosen=option == game_of(table).readings["R6"],
            price=live,
            note=_LOST_NOTE if is_lost else _too_many(table, decks),
            lost_return=_taken(table, decks, rules, after_peek=terms.after_peek) if is_lost else {},
        )


def _taken(table: Paytable, decks: int, rules: MainRules, *, after_peek: bool) -> dict[str, float]:
    """What the wager no longer returns, per round in which it is made."""
    from upcard.odds.main.lost_bonus import lost_return  # needs the compiler, unlike the other readings

    blackjack = Fraction(2 * 4 * 16 * decks, 52 * (52 * decks - 1)) if after_peek else Fraction(0)
    parts = lost_return(table, shoe_without(decks, ()), rules)
    return {cause: amount / float(1 - blackjack) for cause, amount in parts.parts.items()}


def _too_many(table: Paytable, decks: int) -> str:
    return "" if decks in table.decks else f"the table is for {decks_text(table.decks)} decks only"


def _numbers(table: Paytable, game: Game | None) -> list[str]:
    """The table's own readings, and for a wager on the dealer's hand those about soft 17."""
    numbers = list(table.readings)
    if game is not None and isinstance(table.kind, DealerHandKind):
        options = {number: shipped().readings[number].options.values() for number in game.readings}
        numbers += [number for number, ways in options.items() if any("soft17" in way.rules for way in ways)]
    return numbers


def _priced(
    table: Paytable, decks: int, number: str, option: str, meaning: Option, suit: int, stake: Cents | None
) -> tuple[Price | None, str]:
    """The price under an option, and a note on it."""
    if "soft17" in meaning.rules:
        terms = replace(terms_of(table), soft17=_SOFT17[meaning.rules["soft17"]])
        return price(table, decks, suit=suit, stake=stake, terms=terms), ""
    note = "differs only when several players win at once" if number in _SHARED else ""
    match number, option:
        case "R7", "for-1":
            table = replace(table, basis=Basis.FOR_ONE)
        case "R9", "before-peek":
            terms = replace(terms_of(table), after_peek=False)
            return price(table, decks, suit=suit, stake=stake, terms=terms), "of all rounds"
        case "R9", "until-reveal":
            return price(table, decks, suit=suit, stake=stake), "for a player who ignores the cards already seen"
        case "R12", "all-six":
            table = replace(table, decks=tuple(_TWO_TO_EIGHT))
        case "R27", "larger-award":
            fixed = {event: pay for event, pay in table.lines.items() if isinstance(pay, Fixed)}
            return price(replace(table, lines=fixed), decks, suit=suit, stake=stake), "with empty meters"
    if decks not in table.decks:
        return None, _too_many(table, decks)
    return price(table, decks, suit=suit, stake=stake), note
