"""What the alternative readings of a filing do to a side wager's price."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import get_args

from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.pays import Fixed
from upcard.catalog.paytable import Paytable
from upcard.catalog.reading import Option
from upcard.catalog.readings_in_force import chosen_readings, paytable_in_force, rules_in_force
from upcard.odds.dealer import Soft17
from upcard.odds.dealer_hands import DealerTerms, game_of, is_late, terms_of
from upcard.odds.main.rules import MainRules, changed, from_game
from upcard.odds.price import Price, price
from upcard.problems import BadRequest
from upcard.units import Cents
from upcard.wagers import DealerHandKind

_SOFT17: dict[object, Soft17] = {way: way for way in get_args(Soft17)}
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


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """What is chosen at a layout, or by the table's game: readings, the main game's rules, the wager's own terms."""

    chosen: Mapping[str, str]
    rules: MainRules | None  # of the main game, for a wager on the dealer's hand
    terms: DealerTerms | None


def of_game(catalog: Catalog, table: Paytable) -> InForce:
    """What the game of a table chooses."""
    game = _filed(catalog, table)
    if not isinstance(table.kind, DealerHandKind):
        return InForce(chosen=game.readings if game else {}, rules=None, terms=None)
    game = game_of(catalog, table)
    if game is None:
        raise BadRequest(f"no game of the catalog has the wager of {table.name}, so nothing says how it is played")
    return InForce(chosen=game.readings, rules=from_game(game.rules), terms=terms_of(catalog, table))


def of_layout(catalog: Catalog, table: Paytable, layout: Layout) -> InForce:
    """What a layout chooses."""
    chosen = chosen_readings(catalog, layout)
    if not isinstance(table.kind, DealerHandKind):
        return InForce(chosen=chosen, rules=None, terms=None)
    rules = from_game(rules_in_force(catalog, layout))
    after_peek = is_late(catalog, table) and chosen.get("R9") != "before-peek"
    return InForce(chosen=chosen, rules=rules, terms=DealerTerms(soft17=rules.soft17, after_peek=after_peek))


def changed_rules(table: Paytable, in_force: InForce, settings: Sequence[str]) -> tuple[InForce, int | None]:
    """The same with rules changed by `key=value` settings, and the number of decks if they give one.

    Without a hole card there is no peek: a wager made after the deal is then made before any blackjack is known.
    """
    if in_force.rules is None or in_force.terms is None:
        raise BadRequest(f"--set changes wagers on the dealer's hand; no rule of play changes {table.name}")
    rules, decks = changed(in_force.rules, settings)
    after_peek = in_force.terms.after_peek and rules.hole == "peek"
    return replace(in_force, rules=rules, terms=DealerTerms(soft17=rules.soft17, after_peek=after_peek)), decks


def alternatives(
    catalog: Catalog, table: Paytable, decks: int, *, suit: int, stake: Cents | None, in_force: InForce | None = None
) -> Iterator[Alternative]:
    """Every option of every reading that leaves a choice; all others as the game chooses, or as given.

    The table is as filed."""
    in_force = in_force or of_game(catalog, table)
    for number in _numbers(catalog, table, _filed(catalog, table)):
        options = catalog.readings[number].options
        if len(options) < 2:
            continue
        if number == "R6" and in_force.rules is not None and in_force.terms is not None:
            chosen = in_force.chosen.get("R6", "")
            yield from hand_alternatives(catalog, table, decks, in_force.rules, in_force.terms, chosen)
            continue
        chosen = in_force.chosen.get(number, next(iter(options)))
        for option, meaning in options.items():
            alternative_price, note = _priced(table, decks, number, option, meaning, suit, stake, in_force)
            yield Alternative(
                reading=number,
                option=option,
                means=meaning.means,
                chosen=option == chosen,
                price=alternative_price,
                note=note,
            )


def hand_alternatives(
    catalog: Catalog, table: Paytable, decks: int, rules: MainRules, terms: DealerTerms, chosen: str
) -> Iterator[Alternative]:
    """R6 for a wager on the dealer's hand: it survives the player's hand, or is lost with it. Takes a second or two."""
    playable, late = decks in table.decks, is_late(catalog, table)
    terms = replace(terms, soft17=rules.soft17)
    live = price(table, decks, terms=terms) if playable else None
    for option, meaning in catalog.readings["R6"].options.items():
        is_lost = option == "lost" and live is not None
        yield Alternative(
            reading="R6",
            option=option,
            means=meaning.means,
            chosen=option == chosen,
            price=live,
            note=_lost_note(late=late) if is_lost else _too_many(table, decks),
            lost_return=_taken(table, rules, terms, live, late=late) if is_lost and live is not None else {},
        )


def _taken(table: Paytable, rules: MainRules, terms: DealerTerms, live: Price, *, late: bool) -> Mapping[str, float]:
    """What each way to lose the hand adds to the edge."""
    from upcard.odds.main.lost_price import price_lost  # needs the compiler, unlike the other readings

    return price_lost(table, rules, terms, live, late=late).parts


def _lost_note(*, late: bool) -> str:
    made = "bet every round without a blackjack" if late else "bet every round"
    return (
        f"lost on a bust, surrender or blackjack, after a split with the last hand; {made}; one spot, fresh shoe, "
        "best chart for the rules; exact for up to two hands of a split, approximated pairwise for three or four"
    )


def _filed(catalog: Catalog, table: Paytable) -> Game | None:
    return next((game for game in catalog.games.values() if game.number == table.filing), None)


def _too_many(table: Paytable, decks: int) -> str:
    return "" if decks in table.decks else f"the table is for {decks_text(table.decks)} decks only"


def _numbers(catalog: Catalog, table: Paytable, game: Game | None) -> list[str]:
    """The table's own readings, and for a wager on the dealer's hand those about soft 17."""
    numbers = list(table.readings)
    if game is not None and isinstance(table.kind, DealerHandKind):
        options = {number: catalog.readings[number].options.values() for number in game.readings}
        numbers += [number for number, ways in options.items() if any("soft17" in way.rules for way in ways)]
    return numbers


def _priced(
    table: Paytable,
    decks: int,
    number: str,
    option: str,
    meaning: Option,
    suit: int,
    stake: Cents | None,
    in_force: InForce,
) -> tuple[Price | None, str]:
    """The price under an option, and a note on it."""
    terms = in_force.terms
    note = "differs only when several players win at once" if number in _SHARED else ""
    if terms is not None and "soft17" in meaning.rules:
        terms = replace(terms, soft17=_SOFT17[meaning.rules["soft17"]])
    elif terms is not None and number == "R9":
        terms = replace(terms, after_peek=option != "before-peek")
        note = {"before-peek": "of all rounds", "until-reveal": "for a player who ignores the cards already seen"}.get(
            option, ""
        )
    table = paytable_in_force(table, {**in_force.chosen, number: option})
    if (number, option) == ("R27", "larger-award"):
        fixed = {event: pay for event, pay in table.lines.items() if isinstance(pay, Fixed)}
        table, note = replace(table, lines=fixed), "with empty meters"
    if decks not in table.decks:
        return None, _too_many(table, decks)
    return price(table, decks, suit=suit, stake=stake, terms=terms), note
