"""One side wager under any paytable, filed or not, with the main wager and a new shoe for every round.

So rounds are independent, and the mean converges to the exact edge: no cut card, no cap on the pays of a hand.
"""

from dataclasses import replace

from upcard.catalog.game import Game, Wager
from upcard.catalog.index import Catalog
from upcard.catalog.layout import Layout, Offered
from upcard.catalog.paytable import Paytable
from upcard.problems import BadRequest
from upcard.sim.compile import Compiled, compile_game
from upcard.strategy.chart import usual
from upcard.strategy.player import Player, WagerRule
from upcard.units import Cents


def compile_single_wager(
    filings: Catalog, filed: Paytable, edited: Paytable, decks: int, *, suit: str, stake: Cents | None
) -> tuple[Compiled, str]:
    """Compiles the wager of a filed table, paid by the edited one; also returns the wager's name."""
    game = next(
        (game for game in filings.games.values() if any(filed.name in wager.paytables for wager in game.wager)),
        None,
    )
    if game is None:
        raise BadRequest(f"no game uses {filed.name}")
    wager = next(wager for wager in game.wager if filed.name in wager.paytables)
    uncapped = wager.model_copy(update={"payout_cap": None, "decks": None})
    wagers = tuple(uncapped if other is wager else other for other in game.wager)
    catalog = filings.copy()
    catalog.__dict__ |= {
        "paytables": {**filings.paytables, filed.name: replace(edited, name=filed.name)},
        "games": {**filings.games, game.slug: game.model_copy(update={"wager": wagers})},
    }
    layout = _layout(filings, game, uncapped, filed.name)
    layout = layout.with_suit(suit).model_copy(update={"decks": decks})
    rules = {offered.name: WagerRule(amount=stake if offered.name == wager.name else None) for offered in layout.wager}
    main = next(wager.name for wager in game.wager if wager.role == "main")
    player = Player(main_only=True, rules={name: rule for name, rule in rules.items() if name != main})
    return compile_game(catalog, layout, usual(), player, fresh=True), wager.name


def _layout(catalog: Catalog, game: Game, wager: Wager, paytable: str) -> Layout:
    """A layout of the game with the main wager, this wager, and the wagers it requires."""
    layouts = [layout for layout in catalog.layouts.values() if layout.game == game.slug]
    base = next((layout for layout in layouts if layout.offers(wager.name)), catalog.usual_layout(game))
    if base is None:
        raise BadRequest(f"{game.name} has no layout, so nothing says how a table of it is dealt")
    mains = {wager.name for wager in game.wager if wager.role == "main"}
    needed = mains | {next((name for name in wager.requires_any if base.offers(name)), "")}
    added = Offered.model_validate({"name": wager.name, "max": "$100"})
    offered = next((candidate for candidate in base.wager if candidate.name == wager.name), added)
    other_wagers = tuple(candidate for candidate in base.wager if candidate.name in needed and not candidate.game)
    return base.model_copy(
        update={
            "wager": (*other_wagers, offered.model_copy(update={"paytable": paytable})),
            "jackpot": tuple(jackpot for jackpot in base.jackpot if jackpot.wager == wager.name),
            "promotion": (),
            "aggregate_limit": (),
        }
    )
