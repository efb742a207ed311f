"""A question about a wager's price, as typed on the command line or on a page, and its parsing.

Refusals name options as the user knows them: with dashes on the command line, without on a page.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.cards import SUIT_NAMES, Card, read_cards
from upcard.catalog.editing import edit_paytable, parse_edits
from upcard.catalog.fields import MOST_DECKS, decks_text
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.paytable import ALL_DECKS, Paytable
from upcard.catalog.readings_in_force import chosen_readings, paytable_in_force
from upcard.odds.answer import PriceAnswer
from upcard.odds.price import Price, price, usual_terms
from upcard.problems import BadRequest, UnknownName
from upcard.units import Cents, dollars, money

if TYPE_CHECKING:
    from upcard.odds.dealer_hands import DealerTerms
    from upcard.odds.layout_meters import JackpotReturn


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceQuestion:
    """The options that go with a table's name, as typed."""

    catalog: Catalog
    decks: int | None = None
    suit: str = "hearts"  # empty: that of the layout
    wager: str | None = None
    meters: tuple[str, ...] = ()
    without: str = ""
    pays: tuple[str, ...] = ()  # lines with other pays than the table's
    any_decks: bool = False  # also numbers of decks that the filing does not permit
    dashes: str = "--"
    layout: Layout | None = None  # whose readings are in force
    settings: tuple[str, ...] = ()  # key=value: other rules than the game's, for a wager on the dealer's hand

    def table(self, filed: Paytable) -> Paytable:
        """The table as filed, as a layout's readings pay it, or as edited by the question."""
        if self.layout is not None:
            filed = paytable_in_force(filed, chosen_readings(self.catalog, self.layout))
        if self.pays:
            return edit_paytable(filed, parse_edits(self.pays))
        return replace(filed, decks=tuple(sorted({*ALL_DECKS, *filed.decks}))) if self.any_decks else filed

    def check_decks(self, table: Paytable, decks: int, *, any_count: bool = False) -> None:
        """Refuses numbers of decks that cannot be dealt or that the table does not permit."""
        if not 1 <= decks <= MOST_DECKS:
            raise BadRequest(f"{self.dashes}decks must be between 1 and {MOST_DECKS}, not {decks}")
        if decks not in table.decks and not any_count:
            raise BadRequest(f"{table.name} is for {decks_text(table.decks)} decks, not {decks}")

    def read_suit(self, table: Paytable | None = None) -> int:
        """The operator's suit; a layout has one for each table."""
        suit = self.suit.lower() or self._suit_of_layout(table)
        if suit not in SUIT_NAMES:
            raise UnknownName(what="suit", name=self.suit, known=SUIT_NAMES, hint=f"suits are {', '.join(SUIT_NAMES)}")
        return SUIT_NAMES.index(suit)

    def _suit_of_layout(self, table: Paytable | None) -> str:
        if self.layout is None or table is None:
            return "hearts"
        wager = next((offered.name for offered in self.layout.wager if offered.paytable == table.name), "")
        return self.layout.suit_for(wager)

    def read_stake(self) -> Cents | None:
        """The wager in cents; None means the one the table is printed for."""
        if self.wager is None:
            return None
        stake = self._amount("wager", self.wager)
        if stake <= 0:
            raise BadRequest(f"{self.dashes}wager must be more than zero, not {self.wager}")
        return stake

    def read_removed(self) -> list[Card]:
        """The cards gone from the shoe."""
        try:
            return list(read_cards(self.without))
        except ValueError as error:
            raise BadRequest(f"{self.dashes}without: {error}") from None

    def read_meters(self, quote: Price) -> dict[str, Fraction]:
        """The meters as given, in dollars."""
        meters = {}
        jackpots = quote.table.jackpots
        for text in self.meters:
            name, _, amount = text.rpartition("=")
            if not jackpots:
                raise BadRequest(f"{quote.table.name} pays no jackpot, so {self.dashes}meter does not apply")
            if not name and len(jackpots) > 1:
                raise BadRequest(
                    f"say which meter, like {self.dashes}meter {jackpots[0]}={amount}; "
                    f"the table pays from {', '.join(jackpots)}"
                )
            jackpot = (
                next((candidate for candidate in jackpots if candidate.lower() == name.lower()), None)
                if name
                else jackpots[0]
            )
            if jackpot is None:
                hint = f"the table pays from {', '.join(jackpots)}"
                raise UnknownName(what="jackpot", name=name, known=jackpots, hint=hint)
            meters[jackpot] = Fraction(self._amount("meter", amount), 100)
        return meters

    def _amount(self, option: str, text: str) -> Cents:
        try:
            return money(text if text.startswith("$") else f"${text}")
        except ValueError as error:
            sentence = str(error).replace(repr(f"${text}"), repr(text))
            raise BadRequest(f"{self.dashes}{option}: {sentence}") from None


def answers(filed: Paytable, question: PriceQuestion) -> list[PriceAnswer]:
    """The prices of a table: at the decks asked for, or at all it permits."""
    terms, decks_set = dealer_terms(filed, question)
    if decks_set is not None:
        if question.decks not in (None, decks_set):
            raise BadRequest(f"--decks {question.decks} and --set decks={decks_set} contradict each other")
        question = replace(question, decks=decks_set)
    table = question.table(filed)
    counts = table.decks
    if question.decks is not None:
        question.check_decks(table, question.decks)
        counts = (question.decks,)
    removed, suit, stake = question.read_removed(), question.read_suit(filed), question.read_stake()
    if stake is not None:
        _refuse_other_amounts(question.catalog, table, stake)
    prices = [price(table, decks, suit=suit, stake=stake, removed=removed, terms=terms) for decks in counts]
    return [
        PriceAnswer(
            price=quote,
            meters=question.read_meters(quote),
            permitted=quote.decks in filed.decks,
            long_run=_long_run(filed, quote, question),
        )
        for quote in prices
    ]


def dealer_terms(table: Paytable, question: PriceQuestion) -> tuple["DealerTerms | None", int | None]:
    """The terms of a wager on the dealer's hand under the question's layout and rules, and the decks they set.

    No terms for any other wager: no rule of play changes it.
    """
    if question.layout is None and not question.settings:
        return usual_terms(question.catalog, table), None
    from upcard.odds.readings import changed_rules, of_game, of_layout

    catalog, layout = question.catalog, question.layout
    in_force = of_game(catalog, table) if layout is None else of_layout(catalog, table, layout)
    if in_force.terms is not None and question.layout is not None and in_force.chosen.get("R6") == "lost":
        raise BadRequest(
            f"{table.name} is lost with the hand at {question.layout.slug} (R6), so its price depends on the play: "
            "add --readings to see it"
        )
    if not question.settings:
        return in_force.terms, None
    in_force, decks = changed_rules(table, in_force, question.settings)
    return in_force.terms, decks


def _long_run(filed: Paytable, quote: Price, question: PriceQuestion) -> "JackpotReturn | None":
    """The return of a jackpot wager at a layout, in the long run; None for any other wager, and without a layout."""
    layout = question.layout
    if layout is None or not quote.jackpots:
        return None
    from upcard.odds.layout_meters import jackpot_return, layout_meters

    wager = next((offered.name for offered in layout.wager if offered.paytable == filed.name), None)
    meters = [] if wager is None else layout_meters(question.catalog, layout, wager, quote)
    return jackpot_return(quote, meters) if meters else None


def _refuse_other_amounts(catalog: Catalog, table: Paytable, stake: Cents) -> None:
    """A filed wager of fixed amounts has no price at another; a user's own table takes any amount."""
    if catalog.paytables.get(table.name) is not table:
        return
    for game in catalog.games.values():
        for wager in game.wager:
            if table.name in wager.paytables and wager.amounts and stake not in wager.amounts:
                allowed = " or ".join(dollars(amount) for amount in wager.amounts)
                raise BadRequest(
                    f"{wager.name} of filing {game.number} does not take {dollars(stake)}; it takes {allowed}"
                )
