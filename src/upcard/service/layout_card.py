"""A layout as the felt shows it: circles, limits, paytables and the rules card, from the game's files.

The card of a table has the orders in force: its posted minimum, shuffling, meters and stopped jackpots."""

from typing import Literal

from pydantic import BaseModel
from typing_extensions import TypedDict

from upcard.catalog.conditions import conditions
from upcard.catalog.game import AddedWagers, Rules
from upcard.catalog.game_checks import layout_notices
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.opening_meters import opening_meters
from upcard.catalog.pays import pay_text
from upcard.catalog.paytable import Paytable
from upcard.catalog.ruleset import Behaviour
from upcard.engine.terms import Terms
from upcard.pit import Table, open_table
from upcard.pit.jackpot_sign import JackpotSign, JackpotSigns
from upcard.pit.posted_text import (
    aggregate_text,
    as_sentence,
    dealer_rule_text,
    limits_text,
    shuffling_text,
    wager_limit_text,
)
from upcard.pit.rulescard import rules_card
from upcard.pit.terms import derive, margins, wager_limit_at
from upcard.service.running import Service
from upcard.units import Odds


class GameShort(TypedDict):
    """A game with its layouts and wagers."""

    slug: str
    number: str
    name: str
    layouts: list[str]
    wagers: list[str]


class PaytableLine(BaseModel):
    event: str
    title: str
    pays: str


class PaytableCard(BaseModel):
    """A paytable, highest line first."""

    name: str
    basis: str
    lines: list[PaytableLine]


class CircleCard(BaseModel):
    """A betting circle, with its limits in cents and in words."""

    name: str
    felt_name: str
    role: str
    least: int
    most: int
    step: int
    amounts: list[int]
    equals: str
    late: bool
    off: str  # the code that says why the wager cannot be made now
    aggregate_limit: int | None  # the most that the house pays on it per deal, all players together
    limits: str
    conditions: list[str]
    paytable: PaytableCard | None


class PostedMeter(BaseModel):
    """A jackpot's meter: of a layout as it opens, of a table as it is now."""

    wager: str
    meter: str
    posted: int
    notice: str  # that must be shown with the amount; empty if there is none


class RulesSection(BaseModel):
    """A section of the rules card; a line is a text and its value, which may be empty."""

    heading: str
    lines: list[tuple[str, str]]


class FeltLettering(BaseModel):
    """The text printed on the felt's arc."""

    blackjack: str
    dealer: str
    insurance: str
    wagers: str  # how many a player may make; empty if all


class MainRulesCard(BaseModel):
    """The rules of the main game as values, for pages that put them into words."""

    win: str
    blackjack: str
    insurance: str
    even_money: bool
    soft17: Literal["hit", "stand", "until_hard"]
    peek: bool
    double: Literal["any", "9-11", "10-11", "none"]
    double_for_less: bool
    double_after_split: bool
    split: Literal["rank", "value"]
    hands: int
    resplit_aces: bool
    hit_split_aces: bool
    surrender: Literal["none", "late", "early"]


class LayoutCard(BaseModel):
    """Everything that the felt shows of a layout, or of a table."""

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
    least_cut: int  # where a player may cut the shoe, in cards from the front
    most_cut: int
    added_wagers: AddedWagers  # where the chips of a double or a split are placed
    posted: FeltLettering
    adjacent_spots: bool  # a player's spots must be next to each other
    most_wagers: int | None  # on one spot, where the layout offers more
    small_stake: int | None  # of that many wagers, one must be this or less
    wagers: list[CircleCard]
    jackpots: list[PostedMeter]
    main_rules: MainRulesCard
    rules: list[RulesSection]
    house_rules: list[str]
    notices: list[str]


def games(catalog: Catalog) -> list[GameShort]:
    return [
        {
            "slug": game.slug,
            "number": game.number,
            "name": game.name,
            "layouts": [layout.slug for layout in catalog.layouts.values() if layout.game == game.slug],
            "wagers": [wager.name for wager in game.wager],
        }
        for game in catalog.games.values()
    ]


def find_layout_card(service: Service, slug: str, rules: str | None) -> LayoutCard:
    """A layout under stored rules, given by their hash; without them, as in its files now."""
    stored = None if rules is None else service.queries.ruleset(rules)
    if stored is not None and stored.layout.slug == slug:
        return layout_card(stored.catalog, stored.layout, stored.behaviour)
    catalog = service.desk.catalog
    return layout_card(catalog, catalog.layout(slug))


def layout_card(catalog: Catalog, layout: Layout, behaviour: Behaviour | None = None) -> LayoutCard:
    """A layout as posted when its table opens; stored rules have their own behaviour."""
    table = open_table(catalog, layout, behaviour=behaviour)
    return _card(table, derive(table), {})


def table_card(service: Service, name: str) -> LayoutCard:
    """What is posted at a table now."""
    table = service.desk.live(name).table
    return _card(table, table.terms or derive(table), service.queries.signs([name])[name])


def _card(table: Table, terms: Terms, signs: JackpotSigns) -> LayoutCard:
    catalog, layout = table.catalog, table.layout
    game = catalog.game(layout.game)
    cut = margins(game, layout.decks)
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
        shuffled=shuffling_text(table),
        least_cut=cut.least,
        most_cut=cut.most,
        added_wagers=game.added_wagers,
        posted=_posted(table, terms.rules),
        adjacent_spots=terms.adjacent_spots,
        most_wagers=terms.most_wagers,
        small_stake=terms.small_stake,
        wagers=[_circle(table, terms, wager, signs.get(wager)) for wager in terms.wagers],
        jackpots=_meters(catalog, layout, signs),
        main_rules=_main_rules(terms.rules),
        rules=[
            RulesSection(heading=section.heading, lines=[_line(line) for line in section.lines])
            for section in rules_card(table, terms, signs)
        ],
        house_rules=[rule.text for rule in layout.house_rules],
        notices=[as_sentence(notice) for notice in layout_notices(catalog, layout)],
    )


def _line(line: str | tuple[str, str]) -> tuple[str, str]:
    return (line, "") if isinstance(line, str) else line


def _posted(table: Table, rules: Rules) -> FeltLettering:
    limit = wager_limit_at(table)
    return FeltLettering(
        wagers=wager_limit_text(limit) if limit is not None and limit.posted else "",
        blackjack=f"Blackjack pays {_odds(rules.blackjack)}",
        dealer=dealer_rule_text(rules),
        insurance=f"Insurance pays {_odds(rules.insurance)}",
    )


def _main_rules(rules: Rules) -> MainRulesCard:
    return MainRulesCard(
        win=_odds(rules.win),
        blackjack=_odds(rules.blackjack),
        insurance=_odds(rules.insurance),
        even_money=rules.even_money is not None,
        soft17=rules.soft17,
        peek=rules.hole == "peek",
        double=rules.double,
        double_for_less=rules.double_for_less,
        double_after_split=rules.das,
        split=rules.split,
        hands=rules.hands,
        resplit_aces=rules.resplit_aces,
        hit_split_aces=rules.hit_split_aces,
        surrender=rules.surrender,
    )


def _odds(odds: Odds) -> str:
    return str(odds).replace(":", " to ")


def _meters(catalog: Catalog, layout: Layout, signs: JackpotSigns) -> list[PostedMeter]:
    meters = []
    for opening in opening_meters(catalog, layout):
        sign = signs.get(opening.wager)
        amount = opening.amount if sign is None else sign.meters.get(opening.meter, opening.amount)
        notice = opening.notice if sign is None else sign.notice
        meters.append(PostedMeter(wager=opening.wager, meter=opening.meter, posted=amount, notice=notice))
    return meters


def _circle(table: Table, terms: Terms, name: str, sign: JackpotSign | None) -> CircleCard:
    game, circle = table.catalog.game(table.layout.game), terms.wagers[name]
    offered = next(wager for wager in table.layout.wager if wager.name == name)
    wager = table.catalog.wager(game, offered)
    stopped, limit = None if sign is None else sign.stopped, terms.aggregate_limits.get(name)
    return CircleCard(
        name=name,
        felt_name=wager.felt_name or name,
        role=circle.role,
        least=circle.least,
        most=circle.most,
        step=circle.step,
        amounts=list(circle.amounts),
        equals=circle.equals,
        late=circle.late,
        off=circle.off if stopped is None else str(stopped["code"]),
        aggregate_limit=limit,
        limits=limits_text(circle, stopped),
        conditions=conditions(wager, circle.kind, lost_with_hand=circle.lost_with_hand)
        + ([] if limit is None else [aggregate_text(limit)]),
        paytable=None if circle.paytable is None else _pays(circle.paytable),
    )


def _pays(paytable: Paytable) -> PaytableCard:
    basis = paytable.basis.value
    lines = [
        PaytableLine(event=event, title=paytable.title(event), pays=pay_text(pay, basis=basis))
        for event, pay in paytable.lines.items()
    ]
    return PaytableCard(name=paytable.name, basis=basis, lines=lines)
