"""A question about the main game: the options as typed, parsed into a game, its rules and a shoe."""

from contextlib import suppress
from dataclasses import dataclass

from upcard.cards import RANKS, Card, rank_of, read_card
from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout
from upcard.catalog.readings_in_force import rules_in_force
from upcard.odds.main.rank_shoe import RankShoe, full_shoe
from upcard.odds.main.rules import MOST_DECKS, MainRules, changed, from_game, read_decks
from upcard.odds.shoe import shoe_without
from upcard.problems import BadRequest
from upcard.strategy.chart import Chart, named, surrender_notice


@dataclass(frozen=True, slots=True, kw_only=True)
class MainQuestion:
    """The options of the main game, as typed."""

    catalog: Catalog
    game: str | None
    decks: int | None
    layout: Layout | None = None  # whose rules are in force: readings and the operator's settings included
    settings: tuple[str, ...] = ()
    shoe: str = ""
    without: str = ""
    chart: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuestion:
    game: Game
    layout: Layout | None
    decks: int | None  # None for a shoe given rank by rank
    rules: MainRules
    shoe: RankShoe
    shoe_text: str
    chart: Chart | None
    notices: tuple[str, ...]


def parse_question(question: MainQuestion) -> ParsedQuestion:
    """Looks up the game, applies the settings to its rules, and builds the shoe."""
    game, layout = _game(question), question.layout
    in_force = game.rules if layout is None else rules_in_force(question.catalog, layout)
    rules, decks_set = changed(from_game(in_force), question.settings)
    if question.decks is not None and decks_set is not None and question.decks != decks_set:
        raise BadRequest(f"--decks {question.decks} and --set decks={decks_set} contradict each other")
    decks = question.decks if question.decks is not None else decks_set
    if question.shoe:
        if decks is not None:
            raise BadRequest("--shoe already gives every card; leave out the number of decks")
        shoe, text = _read_shoe(question.shoe), "the shoe given"
    else:
        if decks is None:
            usual = layout or question.catalog.usual_layout(game)
            decks = usual.decks if usual else 6 if 6 in game.decks else game.decks[-1]
        decks = read_decks(str(decks))
        shoe, text = full_shoe(decks), f"{decks} deck{'s' * (decks > 1)}"
    if question.without:
        if decks is not None:
            shoe_without(decks, _whole_cards(question.without))  # refuses more copies of a card than the decks hold
        shoe, text = shoe.without(_read_ranks(question.without)), f"{text} without {question.without}"
    shoe.must_suffice(rules.hands)  # before anything is compiled for it
    chart = None if question.chart is None else named(question.chart)
    full_decks = None if question.shoe or question.without else decks
    return ParsedQuestion(
        game=game,
        layout=layout,
        decks=full_decks,
        rules=rules,
        shoe=shoe,
        shoe_text=text,
        chart=chart,
        notices=(
            *_notices(game, decks),
            *(surrender_notice(question.chart or "", chart, offered=rules.surrender != "none") if chart else ()),
        ),
    )


def _game(question: MainQuestion) -> Game:
    if question.game is None and question.layout is None:
        raise BadRequest("say which game, like --game 002; `upcard games` lists them")
    game = question.catalog.game(question.game or (question.layout.game if question.layout else ""))
    if question.layout is not None and question.layout.game != game.slug:
        raise BadRequest(f"{question.layout.slug} is a layout of {question.layout.game}, not of {game.slug}")
    return game


def _notices(game: Game, decks: int | None) -> list[str]:
    if decks is None or decks in game.decks:
        return []
    return [f"{game.name} is played with {decks_text(game.decks)} decks; figures for {decks} are hypothetical"]


def _read_shoe(text: str) -> RankShoe:
    """Reads 13 counts, ace to king, or 10, ace to ten: then the tens are spread evenly over ten to king."""
    words = text.replace(",", " ").split()
    if len(words) not in (10, 13) or not all(word.isdecimal() for word in words):
        raise BadRequest("--shoe is 13 counts from ace to king, or 10 from ace to ten, like 4 4 4 4 4 4 4 4 4 16")
    counts = [int(word) for word in words]
    if len(counts) == 10:
        tens = counts.pop()
        counts += [tens // 4 + (place < tens % 4) for place in range(4)]
    if any(count > 52 * MOST_DECKS for count in counts):
        raise BadRequest(f"--shoe holds at most {52 * MOST_DECKS} cards of a rank")
    return RankShoe(tuple(counts))


def _whole_cards(text: str) -> list[Card]:
    """The removed cards that name a suit."""
    cards = []
    for word in text.replace(",", " ").split():
        with suppress(ValueError):
            cards.append(read_card(word))
    return cards


def _read_ranks(text: str) -> list[int]:
    """Ranks or cards, separated by spaces or commas."""
    ranks = []
    for word in text.replace(",", " ").split():
        rank = "T" if word == "10" else word.upper()
        if len(rank) == 1 and rank in RANKS:
            ranks.append(RANKS.index(rank))
            continue
        try:
            ranks.append(rank_of(read_card(word)))
        except ValueError:
            raise BadRequest(f"--without: {word!r} is not a rank or a card like 5, T or Qh") from None
    return ranks
