"""What a user asks of the simulator, as typed, and what it means."""

from dataclasses import dataclass, replace
from pathlib import Path

from upcard.cards import SUIT_NAMES
from upcard.catalog import shipped
from upcard.catalog.game import Game, RuleSettings
from upcard.catalog.layout import Layout
from upcard.odds.main.rules import MainRules, changed, from_game, read_decks
from upcard.problems import BadRequest, UnknownName
from upcard.sim.chunk import ROUNDS
from upcard.strategy.player import Player, load_player, read_count, read_insurance, read_ramp, read_rule
from upcard.units import Basis, Odds, share

MOST_ROUNDS = 10**13
USUAL_ROUNDS = 10**7


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The table."""

    game: str
    layout: str | None = None
    decks: int | None = None
    settings: tuple[str, ...] = ()
    suit: str | None = None
    strategy: str = "best"
    seats: int = 1
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Betting:
    """The player."""

    player: str | None = None
    wagers: tuple[str, ...] = ()
    main_only: bool = False
    count: str | None = None
    ramp: str | None = None
    insurance: str | None = None
    flat_after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The run, and what is shown of it."""

    rounds: str | None = None
    seed: int | None = None
    threads: int | None = None
    cluster: str | None = None
    target_stderr: str | None = None
    target_wager: str | None = None
    distribution: int | None = None
    save: str | None = None
    top_up: str | None = None
    merge: tuple[str, ...] = ()
    plot: str | None = None
    bankroll: str | None = None
    compare: bool = False


def understand(question: Question) -> tuple[Game, Layout, MainRules]:
    """The game, its layout with everything set otherwise, and its rules as `odds` knows them."""
    catalog = shipped()
    game = catalog.game(question.game)
    layout = catalog.layout(question.layout) if question.layout else catalog.layouts[game.slug]
    if layout.game != game.slug:
        names = ", ".join(one.slug for one in catalog.layouts.values() if one.game == game.slug)
        raise BadRequest(f"{layout.slug} is a layout of {layout.game}; {game.slug} has {names}")
    before = from_game(layout.rules.over(game.rules))
    rules, decks_set = changed(before, question.settings)
    if rules.hole != before.hole or rules.surrender == "early":
        raise BadRequest("tables are dealt with a peek: hole and surrender=early can be priced but not played")
    if question.decks is not None and decks_set is not None and question.decks != decks_set:
        raise BadRequest(f"--decks {question.decks} and --set decks={decks_set} contradict each other")
    decks = question.decks if question.decks is not None else decks_set
    told = {key: getattr(rules, key) for key in RuleSettings.model_fields if hasattr(rules, key)}
    told["blackjack"] = Odds(rules.blackjack, Basis.TO_ONE)
    update: dict[str, object] = {"rules": RuleSettings.model_construct(**told)}
    if decks is not None:
        update["decks"] = read_decks(str(decks))
    if question.suit is not None:
        if question.suit.lower() not in SUIT_NAMES:
            raise UnknownName(what="suit", name=question.suit, known=SUIT_NAMES, hint=f"{', '.join(SUIT_NAMES)}")
        update["suit"] = question.suit.lower()
    return game, layout.model_copy(update=update), rules


def bettor(betting: Betting) -> Player:
    """The player of a file, or the plain one, with the options on top."""
    player = load_player(Path(betting.player)) if betting.player else Player()
    rules = dict(player.rules) | dict(read_rule(text) for text in betting.wagers)
    player = replace(player, rules=rules, main_only=player.main_only or betting.main_only)
    if betting.count is not None:
        player = replace(player, count=read_count(betting.count))
    if betting.ramp is not None:
        player = replace(player, ramp=read_ramp(betting.ramp))
    if betting.insurance is not None:
        always, since = read_insurance(betting.insurance)
        player = replace(player, always_insures=always, insures_from=since)
    if betting.flat_after is not None:
        if betting.flat_after < 0:
            raise BadRequest(f"--flat-after is a number of rounds, not {betting.flat_after}")
        player = replace(player, flat_after=betting.flat_after)
    if player.needs_count and player.count is None:
        player = replace(player, count=read_count("hilo"))
    return player


def read_rounds(running: Running) -> int:
    """Reads 1000000, 1e6 or 1,000,000; left out, a target of precision alone says when to stop."""
    if running.rounds is None:
        return MOST_ROUNDS if running.target_stderr is not None else USUAL_ROUNDS
    text = running.rounds
    try:
        value = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        value = -1.0
    if not (value >= 1 and value <= MOST_ROUNDS and value == int(value)):
        raise BadRequest(f"--rounds is a whole number from 1 to {MOST_ROUNDS:.0e}, like 1e8, not {text!r}")
    return int(value)


def read_target(text: str) -> float:
    """Reads 0.01%."""
    try:
        target = float(share(text if text.strip().endswith("%") else f"{text.strip()}%"))
    except ValueError:
        target = 0.0
    if target <= 0:
        raise BadRequest(f"--target-stderr is a percentage above nothing like 0.01%, not {text!r}")
    return target


def read_block(running: Running) -> int:
    """Rounds a block of the distribution holds; a plot shows one even when none was asked for."""
    if running.distribution is None:
        return 1000 if running.plot else 0
    if not 1 <= running.distribution <= ROUNDS:
        raise BadRequest(f"--distribution is 1 to {ROUNDS:,} rounds, not {running.distribution}")
    return running.distribution
