"""One side wager under any paytable, filed or not, played beside the main wager with a new shoe for every round.

So its rounds are independent, and its mean is the exact edge and nothing else: no cut card, no cap on a hand's pays.
"""

from dataclasses import replace

from upcard.catalog import shipped
from upcard.catalog.game import Game, Wager
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.paytable import Paytable
from upcard.problems import BadRequest
from upcard.sim.compile import Compiled, compile_game
from upcard.strategy.chart import usual
from upcard.strategy.player import Player, Rule
from upcard.units import Cents


def play_alone(filed: Paytable, meant: Paytable, decks: int, *, suit: str, stake: Cents | None) -> tuple[Compiled, str]:
    """The wager of a filed table, paid as meant, ready to be played; and its name."""
    shelf = shipped()
    game = next(
        (one for one in shelf.games.values() if any(filed.name in wager.paytables for wager in one.wager)), None
    )
    if game is None:
        raise BadRequest(f"no game is played with {filed.name}")
    wager = next(one for one in game.wager if filed.name in one.paytables)
    bare = wager.model_copy(update={"payout_cap": None, "decks": None})
    wagers = tuple(bare if one is wager else one for one in game.wager)
    catalog = Catalog(shelf.folder)
    catalog.__dict__ |= {
        "paytables": {**shelf.paytables, filed.name: replace(meant, name=filed.name)},
        "games": {**shelf.games, game.slug: game.model_copy(update={"wager": wagers})},
    }
    layout = _layout(shelf, game, bare, filed.name)
    layout = layout.model_copy(update={"decks": decks, "suit": suit})
    rules = {one.name: Rule(amount=stake if one.name == wager.name else None) for one in layout.wager}
    main = next(one.name for one in game.wager if one.role == "main")
    player = Player(main_only=True, rules={name: rule for name, rule in rules.items() if name != main})
    return compile_game(catalog, layout, usual(), player, fresh=True), wager.name


def _layout(shelf: Catalog, game: Game, wager: Wager, paytable: str) -> Layout:
    """A layout of the game with the main wager, this wager, and what it cannot be made without."""
    layouts = [one for one in shelf.layouts.values() if one.game == game.slug]
    base = next((one for one in layouts if one.offers(wager.name)), shelf.layouts[game.slug])
    mains = {one.name for one in game.wager if one.role == "main"}
    needed = mains | {next((name for name in wager.requires_any if base.offers(name)), "")}
    added = Offered.model_validate({"name": wager.name, "max": "$100"})
    own = next((one for one in base.wager if one.name == wager.name), added)
    others = tuple(one for one in base.wager if one.name in needed and not one.game)
    return base.model_copy(
        update={
            "wager": (*others, own.model_copy(update={"paytable": paytable})),
            "jackpot": tuple(one for one in base.jackpot if one.wager == wager.name),
            "promotion": (),
            "aggregate_limit": (),
        }
    )
