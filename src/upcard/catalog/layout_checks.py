"""What the filings, the readings and the law want of a layout: one rule after another, each a small function.

Every rule says which keys it needs. So a layout with a wrong key is still judged by all rules that do not need it,
and its maker is told everything at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.catalog.checks import Complaint
from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game, Wager
from upcard.catalog.jackpot import DailyAccrual, MeterSettings
from upcard.catalog.jurisdiction import Limits
from upcard.catalog.layout import AggregateLimit, Layout, Offered
from upcard.catalog.pays import Fixed
from upcard.codes import Coded, phrases, sentence_of
from upcard.problems import UnknownName
from upcard.units import Cents, dollars
from upcard.wagers import KINDS

if TYPE_CHECKING:
    from upcard.catalog.index import Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A layout before its judges: with its game, the law and the catalog."""

    catalog: "Catalog"
    layout: Layout
    game: Game

    @property
    def law(self) -> Limits:
        """The newest limits of the game's jurisdiction."""
        return self.catalog.jurisdictions[self.game.source.jurisdiction].limits[-1]

    def offers(self) -> Iterator[tuple[str, Wager, Offered]]:
        """The place of each wager on the layout, what its filing says of it, and what the layout does."""
        for offered in self.layout.wager:
            try:
                yield f"wager {offered.name}", self.catalog.wager(self.game, offered), offered
            except UnknownName:  # told by its own rule
                continue


def layout_complaints(
    catalog: "Catalog", layout: Layout, doubtful: frozenset[str] = frozenset()
) -> Iterator[Complaint]:
    """Everything in a layout that its game, its paytables, its readings or the law forbid."""
    if "game" in doubtful:
        return
    try:
        case = Case(catalog=catalog, layout=layout, game=catalog.game(layout.game))
    except UnknownName as unknown:
        yield "game", str(unknown)
        return
    for needs, rule in _RULES:
        if not doubtful.intersection(needs):
            yield from rule(case)


def _decks(case: Case) -> Iterator[Complaint]:
    game, decks = case.game, case.layout.decks
    if decks not in game.decks:
        yield "decks", f"{game.name} is played with {decks_text(game.decks)} decks, not {decks}"


def _spots(case: Case) -> Iterator[Complaint]:
    most = case.game.conduct.spots
    if case.layout.spots > most:
        yield "spots", f"{case.game.name} has at most {most} spots, not {case.layout.spots}"


def _minimum(case: Case) -> Iterator[Complaint]:
    problem = _minimum_problem(case, case.layout.posted_minimum)
    if problem is not None:
        yield "posted_minimum", sentence_of(problem)


def _minimum_in_chips(case: Case) -> Iterator[Complaint]:
    problem = _chips_problem(case, case.layout.posted_minimum)
    if problem is not None:
        yield "chip", sentence_of(problem)


def posted_minimum_problem(catalog: "Catalog", layout: Layout, amount: int) -> Coded | None:
    """Why this minimum may not be posted at a table of this layout; None: it may."""
    case = Case(catalog=catalog, layout=layout, game=catalog.game(layout.game))
    return _minimum_problem(case, amount) or _chips_problem(case, amount)


def _minimum_problem(case: Case, posted: int) -> Coded | None:
    allowed = case.game.posted_minimum
    most = allowed.most or case.law.largest_wager
    if posted < allowed.least or (most is not None and posted > most):
        if most:
            return {"code": "minimum/outside", "least": allowed.least, "most": most, "posted": posted}
        return {"code": "minimum/below", "least": allowed.least, "posted": posted}
    return {"code": "minimum/steps", "step": allowed.step} if posted % allowed.step else None


def _chips_problem(case: Case, posted: int) -> Coded | None:
    return {"code": "minimum/chips", "posted": posted} if posted % case.layout.chip else None


phrases(
    {
        "minimum/outside": "the posted minimum is {least:money} to {most:money}, not {posted:money}",
        "minimum/below": "the posted minimum is {least:money} or more, not {posted:money}",
        "minimum/steps": "the minimum is posted in steps of {step:money}",
        "minimum/chips": "the posted minimum {posted:money} is no multiple of the smallest chip",
    }
)


def _known_wagers(case: Case) -> Iterator[Complaint]:
    for offered in case.layout.wager:
        try:
            case.catalog.wager(case.game, offered)
        except UnknownName as unknown:
            yield f"wager {offered.name}", str(unknown)


def _each_wager_once(case: Case) -> Iterator[Complaint]:
    names = [offered.name for offered in case.layout.wager]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"wager {name}", f"the layout offers {name} twice"


def _main_wagers(case: Case) -> Iterator[Complaint]:
    for wager in case.game.wager:
        if wager.role == "main" and not case.layout.offers(wager.name):
            yield "wager", f"a table must offer {wager.name}"


def _approved_here(case: Case) -> Iterator[Complaint]:
    jurisdiction = case.game.source.jurisdiction
    for place, _, offered in case.offers():
        if offered.game and case.catalog.game(offered.game).source.jurisdiction != jurisdiction:
            yield place, f"{offered.game} is not approved in {jurisdiction}"


def _exclusions(case: Case) -> Iterator[Complaint]:
    for place, wager, _ in case.offers():
        for other in wager.excludes:
            if case.layout.offers(other):
                yield place, f"{wager.name} and {other} exclude each other on a layout"


def _companions(case: Case) -> Iterator[Complaint]:
    for place, wager, _ in case.offers():
        if wager.requires_any and not any(case.layout.offers(other) for other in wager.requires_any):
            yield place, f"{wager.name} is offered only together with {' or '.join(wager.requires_any)}"


def _decks_of_wagers(case: Case) -> Iterator[Complaint]:
    decks = case.layout.decks
    for place, wager, offered in case.offers():
        if wager.decks is not None and decks not in wager.decks:
            yield place, f"{wager.name} is played with {decks_text(wager.decks)} decks, not {decks}"
        table = case.catalog.paytables.get(offered.paytable)
        if table is not None and offered.paytable in wager.paytables and decks not in table.decks:
            yield place, f"{table.name} is for {decks_text(table.decks)} decks, not {decks}"


def _shuffler(case: Case) -> Iterator[Complaint]:
    if case.layout.shuffler != "hand" or case.layout.readings.get("R25", case.game.readings.get("R25")) == "offered":
        return
    for place, wager, _ in case.offers():
        if "automatic shuffler" in wager.equipment:
            yield place, f"{wager.name} is not offered on a table shuffled by hand (R25)"


def _equipment(case: Case) -> Iterator[Complaint]:
    for place, wager, _ in case.offers():
        for piece in wager.equipment:
            if piece != "automatic shuffler" and piece not in case.layout.equipment:
                yield place, f"{wager.name} needs the {piece}, which this table's equipment lacks"


def _paytables(case: Case) -> Iterator[Complaint]:
    for place, wager, offered in case.offers():
        if wager.paytables and offered.paytable not in wager.paytables:
            yield place, f"its paytable must be one of {', '.join(wager.paytables)}"
        if not wager.paytables and offered.paytable:
            yield place, f"{wager.name} has no paytable"


def _amounts(case: Case) -> Iterator[Complaint]:
    for place, wager, offered in case.offers():
        if wager.role == "jackpot" and offered.amount is None:
            yield place, f"{wager.name} is a wager of one fixed amount: give amount"
        if offered.amount is None:
            continue
        if wager.role != "jackpot" and not wager.amounts:
            yield place, f"{wager.name} is no wager of one fixed amount: leave amount out"
        if wager.amounts and offered.amount not in wager.amounts:
            yield place, f"{wager.name} is {_or(wager.amounts)}, not {dollars(offered.amount)}"


def _amounts_in_chips(case: Case) -> Iterator[Complaint]:
    for place, _, offered in case.offers():
        if offered.amount is not None and offered.amount % case.layout.chip:
            yield place, f"{dollars(offered.amount)} is no multiple of the smallest chip"


def _bounds(case: Case) -> Iterator[Complaint]:
    posted = Cents(case.layout.posted_minimum)
    for place, wager, offered in case.offers():
        least, most = offered.min, offered.max
        if least is not None and most is not None and least > most:
            yield place, f"its least wager {dollars(least)} is above its largest {dollars(most)}"
        if wager.min is not None and least is not None and least < wager.min.at(posted):
            yield place, f"the filing's least wager is {wager.min}, not {dollars(least)}"
        if wager.min is not None and most is not None and most < wager.min.at(posted):
            yield place, f"its largest wager {dollars(most)} is under the filing's least, {wager.min}"
        if wager.max is not None and most is not None and most > wager.max.at(posted):
            yield place, f"the filing's largest wager is {wager.max}, not {dollars(most)}"


def _lawful(case: Case) -> Iterator[Complaint]:
    """Where the filing leaves the limits to the operator, the jurisdiction's newest ones bind him."""
    for place, wager, offered in case.offers():
        if (wager.min is not None and wager.max is not None) or wager.amounts or wager.equals:
            continue
        judge = _lawful_jackpot_wager if wager.role == "jackpot" else _lawful_limits
        yield from ((place, sentence) for sentence in judge(case, wager, offered))


def _lawful_jackpot_wager(case: Case, _wager: Wager, offered: Offered) -> Iterator[str]:
    allowed = case.law.jackpot_wagers
    if offered.amount is not None and allowed and offered.amount not in allowed:
        jurisdiction = case.game.source.jurisdiction
        yield f"a jackpot wager is {_or(allowed)} in {jurisdiction}, not {dollars(offered.amount)}"


def _lawful_limits(case: Case, wager: Wager, offered: Offered) -> Iterator[str]:
    law = case.law
    largest = law.largest_wager if wager.role == "main" else law.largest_bonus_wager
    if offered.max is None:
        yield "the filing leaves its largest wager to the operator: give max"
    elif largest is not None and offered.max > largest:
        yield f"{dollars(offered.max)} is above the lawful {dollars(largest)} ({law.citation})"
    if wager.min is None and offered.min is None:
        yield "the filing leaves its least wager to the operator: give min"
    elif law.smallest_wager is not None and offered.min is not None and offered.min < law.smallest_wager:
        yield f"{dollars(offered.min)} is below the lawful {dollars(law.smallest_wager)} ({law.citation})"


def _jackpot_plans(case: Case) -> Iterator[Complaint]:
    plans = {plan.plan for plan in case.game.jackpot}
    for settings in case.layout.jackpot:
        place = f"jackpot {settings.wager}"
        if settings.plan not in plans:
            yield place, f"{case.game.name} has no {settings.plan} jackpot"
        if settings.plan == "progressive" and not case.law.progressives:
            yield place, f"progressives are off in {case.game.source.jurisdiction} ({case.law.citation})"
        yield from ((place, sentence) for sentence in _growth(settings))
        for plan in case.game.jackpot:
            if isinstance(plan, DailyAccrual) and set(settings.posted.values()) != {plan.seed}:
                yield place, f"{plan.name} opens at its seed of {dollars(plan.seed)}"


def _growth(settings: MeterSettings) -> Iterator[str]:
    if settings.plan == "progressive" and settings.rate is None:
        yield "a progressive says which part of each wager moves its meter: give rate"
    growth = (settings.rate, settings.reserve_rate, settings.cap, settings.largest_contribution)
    if settings.plan != "progressive" and any(growth):
        yield f"a {settings.plan} jackpot never moves with wagers: leave rate and cap out"


def _jackpot_meters(case: Case) -> Iterator[Complaint]:
    """Every jackpot belongs to a wager whose table pays from it, and the other way round."""
    tables = {offered.name: case.catalog.paytables.get(offered.paytable) for offered in case.layout.wager}
    for settings in case.layout.jackpot:
        table = tables.get(settings.wager)
        if settings.wager not in tables:
            yield f"jackpot {settings.wager}", f"the layout does not offer the wager {settings.wager}"
        elif table is not None and set(settings.posted) != set(table.jackpots):
            yield f"jackpot {settings.wager}", f"posted gives one value for each of {', '.join(table.jackpots)}"
    set_for = {settings.wager for settings in case.layout.jackpot}
    for name, table in tables.items():
        if table is not None and table.jackpots and name not in set_for:
            yield f"wager {name}", f"{table.name} pays from a jackpot, and the layout sets none for {name}"


def _jackpot_limits(case: Case) -> Iterator[Complaint]:
    limits, jackpots = case.game.layout_limits, case.layout.jackpot
    if limits.jackpots is not None and len(jackpots) > limits.jackpots:
        yield "jackpot", f"a layout has at most {limits.jackpots} jackpots, not {len(jackpots)}"
    if limits.one_jackpot_type and len({settings.plan for settings in jackpots}) > 1:
        yield "jackpot", "all jackpots of a table are of one type, Bonus or Progressive"
    sensors = [settings.sensor for settings in jackpots]
    if limits.one_jackpot_for_each_sensor and (None in sensors or len(set(sensors)) < len(sensors)):
        yield "jackpot", "every jackpot needs a wagering sensor of its own"


def _player_limit(case: Case) -> Iterator[Complaint]:
    limits = case.game.layout_limits
    most = limits.wagers_a_player
    if most is not None and len(case.layout.wager) > most and not case.layout.offers(case.layout.small_wager):
        small = dollars(limits.small_wager or 0)
        yield "small_wager", f"with more than {most} wagers the layout names the one held to {small} (R31)"


def _aggregates(case: Case) -> Iterator[Complaint]:
    for limit in case.layout.aggregate_limit:
        yield from ((f"aggregate_limit {limit.wager}", sentence) for sentence in _aggregate(case, limit))


def _aggregate(case: Case, limit: AggregateLimit) -> Iterator[str]:
    """WAC 230-15-490: none where the top odds are low, none below the largest wager at the top odds counted."""
    most_odds = case.law.aggregate_counts_odds_up_to
    offered = next((candidate for candidate in case.layout.wager if candidate.name == limit.wager), None)
    if not case.game.layout_limits.aggregate_payout_limit or most_odds is None:
        yield f"{case.game.name} allows no aggregate limit on payouts"
    elif offered is None or offered.paytable not in case.catalog.paytables:
        yield "the layout offers no such wager with a paytable"
    else:
        lines = case.catalog.paytables[offered.paytable].lines.values()
        top = max((pay.units for pay in lines if isinstance(pay, Fixed)), default=0)
        floor = int((offered.max or 0) * min(top, most_odds))
        if top < most_odds:
            yield f"its top odds are under {most_odds} to 1, so payouts may not be limited"
        elif limit.amount < floor:
            yield f"the limit may not be under {dollars(floor)}, the largest wager at {most_odds} to 1"


def _readings(case: Case) -> Iterator[Complaint]:
    readings = case.catalog.readings
    games = [case.catalog.games.get(offered.game) for offered in case.layout.wager or () if offered.game]
    filings = {case.game.number, *(game.number for game in games if game)}
    for number, option in case.layout.readings.items():
        if number not in readings or option not in readings[number].options:
            yield f"readings.{number}", f"there is no reading {number} = {option!r}"
        elif not filings & set(readings[number].filings):
            yield f"readings.{number}", f"{number} is not a question of filing {case.game.number}"


def _house_rules(case: Case) -> Iterator[Complaint]:
    if case.game.conduct.house_rules and not case.layout.house_rules:
        yield "house_rules", "the posted house rules are part of this game: give their text and date"


def _main_game_rules(case: Case) -> Iterator[Complaint]:
    if "R23" not in case.game.readings and case.layout.rules.model_fields_set:
        yield "rules", f"filing {case.game.number} sets the main game's rules; the operator may not"


def _promotions(case: Case) -> Iterator[Complaint]:
    for promotion in case.layout.promotion:
        place = f"promotion {promotion.wager}"
        wager = case.game.wager_named(promotion.wager)
        if wager is None or not wager.promotions or not case.layout.offers(promotion.wager):
            yield place, "no promotion can be added to this wager here"
        elif promotion.event not in KINDS[wager.kind].events:
            kind = KINDS[wager.kind]
            yield place, str(UnknownName(what=f"{kind.name} event", name=promotion.event, known=kind.events))
        if promotion.until < promotion.since:
            yield place, f"it ends on {promotion.until}, before it begins on {promotion.since}"


def _or(amounts: tuple[int, ...]) -> str:
    return " or ".join(dollars(amount) for amount in amounts)


# The keys a rule needs, and the rule; "every wager" means that no wager of the list was unreadable.
_RULES: tuple[tuple[tuple[str, ...], Callable[[Case], Iterator[Complaint]]], ...] = (
    (("decks",), _decks),
    (("spots",), _spots),
    (("posted_minimum",), _minimum),
    (("posted_minimum", "chip"), _minimum_in_chips),
    (("wager",), _known_wagers),
    (("wager",), _each_wager_once),
    (("every wager",), _main_wagers),
    (("wager",), _approved_here),
    (("wager",), _exclusions),
    (("every wager",), _companions),
    (("wager", "decks"), _decks_of_wagers),
    (("wager", "shuffler", "readings"), _shuffler),
    (("wager", "equipment", "every equipment"), _equipment),
    (("wager",), _paytables),
    (("wager",), _amounts),
    (("wager", "chip"), _amounts_in_chips),
    (("wager", "posted_minimum"), _bounds),
    (("wager",), _lawful),
    (("jackpot",), _jackpot_plans),
    (("every wager", "every jackpot"), _jackpot_meters),
    (("every jackpot",), _jackpot_limits),
    (("every wager", "small_wager"), _player_limit),
    (("every wager", "aggregate_limit"), _aggregates),
    (("readings", "every wager"), _readings),
    (("house_rules", "every house_rules"), _house_rules),
    (("rules",), _main_game_rules),
    (("every wager", "promotion"), _promotions),
)
