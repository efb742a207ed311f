"""The rules card of a table: built from the game's file, the layout and the orders in force, so that it always matches
play."""

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.cards import SUIT_NAMES
from upcard.catalog.conditions import conditions
from upcard.catalog.game import Game, Rules
from upcard.catalog.opening_meters import opening_meters
from upcard.catalog.pays import pay_text, percent
from upcard.engine.terms import Terms
from upcard.pit.jackpot_sign import JackpotSigns
from upcard.pit.posted_text import (
    aggregate_text,
    as_sentence,
    dealer_rule_text,
    limits_text,
    shuffling_text,
    wager_limit_text,
)
from upcard.pit.table import Table
from upcard.pit.terms import readings_at, wager_limit_at
from upcard.units import dollars


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines; a line is a text, or a text with an amount at the right."""

    heading: str
    lines: tuple[str | tuple[str, str], ...]


def rules_card(table: Table, terms: Terms, signs: JackpotSigns | None = None) -> tuple[Section, ...]:
    """Without `signs`, with the meters as they open."""
    signs = signs or {}
    game = table.catalog.game(table.layout.game)
    sections = [
        Section(game.name, tuple(_about(table, game))),
        Section("The main game", tuple(_main_game(terms))),
        Section("Wagers per spot", tuple(_wager_limit(table))),
        *_wagers(table, game, terms, signs),
        Section("Jackpots", tuple(_jackpots(table, signs))),
        Section("Promotions", tuple(_promotions(table, terms))),
        Section("House rules", tuple(f"Since {rules.since}: {rules.text}" for rules in table.layout.house_rules)),
        Section("Where the filing leaves a choice", tuple(_readings(table))),
    ]
    return tuple(section for section in sections if section.lines)


def _about(table: Table, game: Game) -> Iterator[str]:
    layout, source = table.layout, game.source
    yield f"Filing {game.number}, {source.regulator}. {layout.title}."
    yield f"{layout.decks} decks, shuffled {shuffling_text(table)}; posted minimum {dollars(table.posted_minimum)}."
    if game.shuffle.verify_decks:
        yield "Every deck is verified when the table opens: 52 different cards."
    if game.conduct.close_after_shoe:
        yield "Before the house closes the table, it gives notice: the game then ends with the shoe."
    if game.point_system == "none":
        yield "No points are kept: every hand stands alone."


def _main_game(terms: Terms) -> Iterator[str]:
    rules = terms.rules
    yield f"A winning hand pays {rules.win}, blackjack {rules.blackjack}; equal totals push."
    yield dealer_rule_text(rules)
    if rules.hole == "peek":
        yield "With an ace or a ten up, the dealer peeks for blackjack before players act."
    most = percent(rules.insurance_most)
    yield f"Insurance against an ace: up to {most} of each main wager, the same on each; it pays {rules.insurance}."
    if rules.even_money is not None:
        yield f"Even money: a player blackjack against an ace may be paid {rules.even_money} at once."
    yield from _double(rules, alike=terms.doubles_alike)
    yield from _split(rules)
    if rules.surrender == "none":
        yield "Surrender is not offered."
    else:
        yield f"Surrender, as the first decision, returns {percent(rules.surrender_returns)} of every main wager."


def _double(rules: Rules, *, alike: bool) -> Iterator[str]:
    if rules.double == "none":
        yield "Doubling is not offered."
        return
    which = "two cards" if rules.double == "any" else f"two cards of {rules.double.replace('-', ' to ')}"
    each = ", in the same proportion on each" if alike else ""
    less = f", for any amount up to each wager{each}" if rules.double_for_less else ""
    after = "also after a split" if rules.das else "not after a split"
    yield f"Double on the first {which}{less}; {after}. A doubled hand gets one more card."


def _split(rules: Rules) -> Iterator[str]:
    what = "printed rank (a ten and a queen do not pair)" if rules.split == "rank" else "value"
    yield f"Split two cards of the same {what}, into at most {rules.hands} hands."
    again = "may be split again" if rules.resplit_aces else "are split once"
    cards = "may be hit" if rules.hit_split_aces else "get one card each"
    yield f"Aces {again} and {cards}; an ace and a ten after a split count 21."


def _wager_limit(table: Table) -> Iterator[str]:
    limit = wager_limit_at(table)
    if limit is not None and limit.posted:
        yield wager_limit_text(limit)


def _wagers(table: Table, game: Game, terms: Terms, signs: JackpotSigns) -> Iterator[Section]:
    for offered in table.layout.wager:
        wager, sign = terms.wagers[offered.name], signs.get(offered.name)
        paytable = wager.paytable
        lines: list[str | tuple[str, str]] = [limits_text(wager, None if sign is None else sign.stopped)]
        lines += conditions(table.catalog.wager(game, offered), wager.kind, lost_with_hand=wager.lost_with_hand)
        if wager.name in terms.aggregate_limits:
            lines.append(aggregate_text(terms.aggregate_limits[wager.name]))
        if paytable is not None:
            settled = f", settled {wager.kind.settles.value}" if wager.kind else ""
            lines.append(f"paytable {paytable.name}, pays {paytable.basis.value}{settled}:")
            lines += [(f"  {paytable.title(event)}", pay_text(pay)) for event, pay in paytable.lines.items()]
            if paytable.names_a_suit:
                lines.append(f"the suit of suit-specific awards is {SUIT_NAMES[wager.suit]}")
        yield Section(wager.name, tuple(lines))


def _jackpots(table: Table, signs: JackpotSigns) -> Iterator[str | tuple[str, str]]:
    """Each meter, then the notices that must stand by them."""
    notices = []
    for opening in opening_meters(table.catalog, table.layout):
        sign = signs.get(opening.wager)
        amount = f"{dollars(opening.amount)} posted"
        if sign is not None and opening.meter in sign.meters:
            amount = f"{dollars(sign.meters[opening.meter])} now"
        yield f"{opening.meter} ({opening.plan}, on {opening.wager})", amount
        notices.append(opening.notice if sign is None else sign.notice)
    yield from dict.fromkeys(filter(None, notices))


def _promotions(table: Table, terms: Terms) -> Iterator[tuple[str, str]]:
    for promotion in table.layout.promotion:
        paytable = terms.wagers[promotion.wager].paytable
        title = promotion.event if paytable is None else paytable.title(promotion.event)
        yield (
            f"{promotion.wager}, {title}, from {promotion.since} to {promotion.until}",
            f"{dollars(promotion.award)} more, from the house",
        )


def _readings(table: Table) -> Iterator[str]:
    for number, choice in sorted(readings_at(table).items(), key=lambda chosen: (len(chosen[0]), chosen[0])):
        reading = table.catalog.readings[number]
        yield f"{number}: {reading.question} {as_sentence(reading.options[choice].means)}"
