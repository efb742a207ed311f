"""A layout as a felt is drawn from it: its circles, limits, paytables and rules card, all out of the game's file."""

from pydantic import BaseModel
from typing_extensions import TypedDict

from upcard.catalog.checks import layout_notices
from upcard.catalog.conditions import conditions
from upcard.catalog.game import Rules
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.pays import pay_text
from upcard.catalog.paytable import Paytable
from upcard.engine.terms import WagerTerms
from upcard.pit import Table, open_table
from upcard.pit.posted_text import as_sentence, dealer_rule_text, limits_text
from upcard.pit.rulescard import rules_card
from upcard.pit.terms import derive
from upcard.service.running import Service
from upcard.units import Odds


class GameShort(TypedDict):
    """A game with its layouts and wagers."""

    slug: str
    number: str
    name: str
    layouts: list[str]
    wagers: list[str]


class Line(BaseModel):
    """One line of a paytable."""

    event: str
    title: str
    pays: str


class Pays(BaseModel):
    """A paytable; its lines stand highest first."""

    name: str
    basis: str
    lines: list[Line]


class CircleCard(BaseModel):
    """One circle of a spot, with its limits in cents and in words."""

    name: str
    felt_name: str
    role: str
    least: int
    most: int
    step: int
    amounts: list[int]
    equals: str
    late: bool
    off: str
    limits: str
    conditions: list[str]
    paytable: Pays | None


class Meter(BaseModel):
    """A jackpot as the layout posts it."""

    wager: str
    meter: str
    posted: int


class RulesSection(BaseModel):
    """A heading of the rules card; a line is a text and what stands opposite, if anything."""

    heading: str
    lines: list[tuple[str, str]]


class Posted(BaseModel):
    """The lettering in the arc of the felt."""

    blackjack: str
    dealer: str
    insurance: str


class LayoutCard(BaseModel):
    """Everything a felt is drawn from."""

    slug: str
    title: str
    game: str
    number: str
    name: str
    adds: str
    decks: int
    spots: int
    posted_minimum: int
    chip: int
    shuffled: str
    posted: Posted
    wagers: list[CircleCard]
    jackpots: list[Meter]
    rules: list[RulesSection]
    house_rules: list[str]
    notices: list[str]


def games(catalog: Catalog) -> list[GameShort]:
    """Every game, in short."""
    return [
        {
            "slug": game.slug,
            "number": game.number,
            "name": game.name,
            "layouts": [one.slug for one in catalog.layouts.values() if one.game == game.slug],
            "wagers": [wager.name for wager in game.wager],
        }
        for game in catalog.games.values()
    ]


def find_layout_card(service: Service, slug: str, rules: str | None) -> LayoutCard:
    """A layout as a table with these rules plays it, by their hash; else as its files stand now."""
    stored = None if rules is None else service.queries.ruleset(rules)
    if stored is not None and stored.layout.slug == slug:
        return layout_card(stored.catalog, stored.layout)
    catalog = service.desk.catalog
    return layout_card(catalog, catalog.layout(slug))


def layout_card(catalog: Catalog, layout: Layout) -> LayoutCard:
    """A layout as posted when its table opens."""
    table, game = open_table(catalog, layout), catalog.game(layout.game)
    terms = derive(table)
    return LayoutCard(
        slug=layout.slug,
        title=layout.title,
        game=game.slug,
        number=game.number,
        name=game.name,
        adds=game.adds,
        decks=layout.decks,
        spots=layout.spots,
        posted_minimum=table.posted_minimum,
        chip=layout.chip,
        shuffled="by machine" if table.shuffler == "automatic" else "by hand",
        posted=_posted(terms.rules),
        wagers=[_circle(table, wager) for wager in terms.wagers.values()],
        jackpots=[
            Meter(wager=jackpot.wager, meter=meter, posted=amount)
            for jackpot in layout.jackpot
            for meter, amount in jackpot.posted.items()
        ],
        rules=[
            RulesSection(heading=one.heading, lines=[_line(line) for line in one.lines])
            for one in rules_card(table, terms)
        ],
        house_rules=[one.text for one in layout.house_rules],
        notices=[as_sentence(one) for one in layout_notices(catalog, layout)],
    )


def _line(line: str | tuple[str, str]) -> tuple[str, str]:
    return (line, "") if isinstance(line, str) else line


def _posted(rules: Rules) -> Posted:
    return Posted(
        blackjack=f"Blackjack pays {_odds(rules.blackjack)}",
        dealer=dealer_rule_text(rules),
        insurance=f"Insurance pays {_odds(rules.insurance)}",
    )


def _odds(odds: Odds) -> str:
    return str(odds).replace(":", " to ")


def _circle(table: Table, terms: WagerTerms) -> CircleCard:
    game, layout = table.catalog.game(table.layout.game), table.layout
    offered = next(one for one in layout.wager if one.name == terms.name)
    wager = table.catalog.wager(game, offered)
    return CircleCard(
        name=terms.name,
        felt_name=wager.felt_name or terms.name,
        role=terms.role,
        least=terms.least,
        most=terms.most,
        step=terms.step,
        amounts=list(terms.amounts),
        equals=terms.equals,
        late=terms.late,
        off=terms.off,
        limits=limits_text(terms),
        conditions=conditions(wager),
        paytable=None if terms.paytable is None else _pays(terms.paytable),
    )


def _pays(paytable: Paytable) -> Pays:
    basis = paytable.basis.value
    lines = [
        Line(event=event, title=paytable.title(event), pays=pay_text(pay, basis=basis))
        for event, pay in paytable.lines.items()
    ]
    return Pays(name=paytable.name, basis=basis, lines=lines)
