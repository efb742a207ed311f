"""A ruleset: all rules for dealing a shoe, as one text with a content hash.

It holds the layout, its game (and other games whose wagers the layout offers), the paytables, the readings chosen, the
definitions of the wagers' kinds, the jurisdiction's limits, and how this version of the program behaves where a later
one may behave differently. A book stores each ruleset once; shoes and rounds name it by its hash. Files may change or
disappear: a ruleset does not.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, cast

import orjson
from pydantic import BaseModel, ConfigDict

from upcard import formats
from upcard.cards import SUIT_NAMES
from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.catalog.jurisdiction import Jurisdiction
from upcard.catalog.layout import Layout
from upcard.catalog.pays import Fixed, Pay, Share
from upcard.catalog.paytable import Paytable
from upcard.catalog.reading import Reading
from upcard.problems import BadRequest, UpcardError
from upcard.units import Basis, Cents
from upcard.wagers import DealKind, Kind
from upcard.wagers.definition import Definition, definition_of, kind_of

Json = Mapping[str, Any]


class Behaviour(BaseModel):
    """What the program does where the files are silent and a later version may behave differently.

    A table is resumed by replaying its commands, so a round keeps the behaviour it was dealt with. New behaviour gets a
    new value here; stored rulesets keep theirs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    side_wagers_are_booked: Literal["with-the-round", "when-decided"]  # and hands and insurance likewise
    unfinished_wagers_at_the_deal: Literal["returned"]  # spots not adjacent, or a flat bet not met
    undecided_hand_at_timeout: Literal["stays"]
    undecided_insurance_at_timeout: Literal["declined"]
    floor_orders_are_taken: Literal["between-rounds", "until-the-first-card"]  # minimum, shuffler, flat betting, spots
    shoe_cut_without_a_player: Literal["in-the-middle"]
    readings_in_force: Literal["those-of-the-game", "those-of-the-layout"]
    flat_bet_ordered_between_shoes: Literal["ends-with-the-old-shoe", "holds-for-the-next-shoe"]
    flat_bet_on_a_wager_that_is_off: Literal["stops-the-player", "played-without-it"]
    first_hand_of_a_gaming_day: Literal["from-the-shoe-in-play", "from-a-new-shoe"]
    insurance_answers: Literal["final", "until-insurance-closes"]  # who declined it may still take it
    small_wager: Literal["the-one-the-layout-names", "one-of-the-players-four"]  # 004: at most $5 on it (R31)
    jackpot_stopped_at_the_deal: Literal["deal-refused", "jackpot-wagers-returned"]  # by a win at another table
    records_between_snapshots: int  # within a shoe
    next_shoe_key: Literal["drawn-after-the-shoe", "promised-when-the-shoe-begins"] = "drawn-after-the-shoe"
    absent_player: Literal["waited-for", "played-at-once"] = "waited-for"  # whose decision is awaited


# No field has a new value as its default: one that an upcaster forgets to fill in must not change what old rounds do.
CURRENT_BEHAVIOUR = Behaviour(
    side_wagers_are_booked="when-decided",
    unfinished_wagers_at_the_deal="returned",
    undecided_hand_at_timeout="stays",
    undecided_insurance_at_timeout="declined",
    floor_orders_are_taken="until-the-first-card",
    shoe_cut_without_a_player="in-the-middle",
    readings_in_force="those-of-the-layout",
    flat_bet_ordered_between_shoes="holds-for-the-next-shoe",
    flat_bet_on_a_wager_that_is_off="played-without-it",
    first_hand_of_a_gaming_day="from-a-new-shoe",
    insurance_answers="until-insurance-closes",
    small_wager="one-of-the-players-four",
    jackpot_stopped_at_the_deal="jackpot-wagers-returned",
    records_between_snapshots=24,  # a table is resumed in a few milliseconds
    next_shoe_key="promised-when-the-shoe-begins",
    absent_player="played-at-once",
)


@dataclass(frozen=True, eq=False, kw_only=True)  # one object per hash
class Ruleset:
    hash: str
    format: int  # in which the text was written
    text: str
    catalog: Catalog  # of this one layout
    layout: Layout
    behaviour: Behaviour

    @property
    def game(self) -> Game:
        """The layout's game."""
        return self.catalog.game(self.layout.game)


def ruleset_of(catalog: Catalog, layout: str) -> Ruleset:
    """The ruleset of a layout in its current files."""
    cache: dict[str, Ruleset | UpcardError] = catalog.__dict__.setdefault("_rulesets", {})
    if layout not in cache:
        try:
            cache[layout] = read_ruleset(_text(catalog, catalog.layout(layout)))
        except UpcardError as error:  # cached too: broken files are not read again for every command
            cache[layout] = error
    cached = cache[layout]
    if isinstance(cached, UpcardError):
        raise cached.with_traceback(None)  # raised repeatedly: it must not collect the frames of earlier raises
    return cached


@lru_cache(maxsize=1024)
def read_ruleset(text: str) -> Ruleset:
    """Parses a stored ruleset, which names its format."""
    raw = orjson.loads(text)
    read = formats.upcast("rules", raw, raw["format"])
    try:
        layout = _model(Layout, read["layout"])
        games = [_model(Game, game) for game in read["games"]]
        jurisdictions = [_model(Jurisdiction, jurisdiction) for jurisdiction in read["jurisdictions"]]
        kinds = _kinds(read["kinds"], layout.suit)
        paytables = [_paytable(table, kinds) for table in read["paytables"]]
        readings = {number: _model(Reading, reading) for number, reading in read["readings"].items()}
        behaviour = Behaviour.model_validate(read["behaviour"])
    except (ValueError, KeyError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise BadRequest(f"these stored rules cannot be used by this version of upcard: {reason}") from None
    parts = {"games": games, "layouts": [layout], "paytables": paytables, "jurisdictions": jurisdictions}
    catalog = Catalog.from_parts(**parts, kinds=kinds, readings=readings)
    return Ruleset(
        hash=hash_of(text), format=raw["format"], text=text, catalog=catalog, layout=layout, behaviour=behaviour
    )


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _text(catalog: Catalog, layout: Layout) -> str:
    game, *_ = catalog.games_of(layout)
    games = {other.slug: other for other in catalog.games_of(layout)}
    tables = {offered.paytable: catalog.paytables[offered.paytable] for offered in layout.wager if offered.paytable}
    jurisdictions = {game.source.jurisdiction for game in games.values()}
    data = {
        "format": formats.FORMAT,
        "behaviour": CURRENT_BEHAVIOUR.model_dump(mode="json"),
        "layout": layout.model_dump(mode="json"),
        "games": [game.model_dump(mode="json") for game in games.values()],
        "readings": {
            number: catalog.readings[number].model_dump(mode="json")
            for number in sorted({*layout.readings, *(number for game in games.values() for number in game.readings)})
        },
        "paytables": [_paytable_data(table) for table in tables.values()],
        "jurisdictions": [catalog.jurisdictions[name].model_dump(mode="json") for name in sorted(jurisdictions)],
        "kinds": [_kind_data(kind, suit, layout) for kind, suit in _kinds_of(catalog, game, layout)],
    }
    return orjson.dumps(data).decode()  # in the files' order, which a rules card shows


def _kinds_of(catalog: Catalog, game: Game, layout: Layout) -> list[tuple[Kind, str]]:
    """The kinds of the wagers on the layout and of their paytables, each with every suit it is played with."""
    kinds: dict[tuple[str, str], Kind] = {}
    for offered in layout.wager:
        name = catalog.wager(game, offered).kind
        used = [catalog.kinds[name]] if name else []
        if offered.paytable:
            used.append(catalog.paytables[offered.paytable].kind)
        for kind in used:
            reads_suit = isinstance(kind, DealKind) and kind.reads_chosen_suit
            kinds[kind.name, layout.suit_for(offered.name) if reads_suit else layout.suit] = kind
    return [(kinds[key], key[1]) for key in sorted(kinds)]


def _kind_data(kind: Kind, suit: str, layout: Layout) -> Json:
    """A kind's definition, with its suit where that is not the layout's."""
    definition = definition_of(kind, SUIT_NAMES.index(suit))
    return {**definition} if suit == layout.suit else {**definition, "suit": suit}


def _kinds(stored: Iterable[Json], suit: str) -> dict[str, Kind]:
    """The kinds by name; a kind played with several suits has a definition for each."""
    definitions: dict[str, dict[int, Definition]] = {}
    for data in stored:
        definition = cast(Definition, {key: value for key, value in data.items() if key != "suit"})
        definitions.setdefault(data["name"], {})[SUIT_NAMES.index(data.get("suit", suit))] = definition
    return {name: kind_of(by_suit) for name, by_suit in definitions.items()}


def _model(model: type[Any], value: Json) -> Any:
    return model.model_validate_json(orjson.dumps(value))


def _paytable_data(table: Paytable) -> Json:
    return {
        "name": table.name,
        "kind": table.kind.name,
        "filing": table.filing,
        "place": table.place,
        "basis": "to-1" if table.basis is Basis.TO_ONE else "for-1",
        "decks": list(table.decks),
        "lines": [[event, _pay_data(pay)] for event, pay in table.lines.items()],
        "titles": dict(table.titles),
        "printed_wager": table.printed_wager,
        "readings": list(table.readings),
    }


def _pay_data(pay: Pay) -> Json:
    if isinstance(pay, Fixed):
        return {"units": str(pay.units)}
    return {"jackpot": pay.jackpot, "shares": [[stake, str(share)] for stake, share in pay.by_stake]}


def _paytable(data: Json, kinds: Mapping[str, Kind]) -> Paytable:
    wager = data["printed_wager"]
    return Paytable(
        name=data["name"],
        kind=kinds[data["kind"]],
        filing=data["filing"],
        place=data["place"],
        basis=Basis.TO_ONE if data["basis"] == "to-1" else Basis.FOR_ONE,
        decks=tuple(data["decks"]),
        lines={event: _pay(pay) for event, pay in data["lines"]},
        titles=data["titles"],
        printed_wager=None if wager is None else Cents(wager),
        published=(),
        readings=tuple(data["readings"]),
        notes=(),
        file="",
    )


def _pay(data: Json) -> Pay:
    if "units" in data:
        return Fixed(Fraction(data["units"]))
    return Share(data["jackpot"], tuple((stake, Fraction(share)) for stake, share in data["shares"]))
