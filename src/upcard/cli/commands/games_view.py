"""`upcard games`: the list of games, or one game in full."""

from upcard.catalog.conditions import conditions
from upcard.catalog.fields import decks_text
from upcard.catalog.game import Game, Wager
from upcard.catalog.game_checks import layout_notices
from upcard.catalog.jackpot import Bonus, DailyAccrual, JackpotPlan, Posted, Progressive
from upcard.catalog.layout import Layout
from upcard.catalog.pays import percent
from upcard.cli.catalog_in_use import catalog_in_use
from upcard.cli.layout_lookup import find_game
from upcard.cli.output import Cell, Form, write_data, write_lines, write_table
from upcard.units import dollars


def show_games(name: str | None, form: Form) -> None:
    games = list(catalog_in_use().games.values()) if name is None else [find_game(name)]
    rows = [_wager_row(wager) | {"game": game.slug} for game in games for wager in game.wager]
    if write_data(
        form, lambda: [_as_dict(game) for game in games] if name is None else _as_dict(games[0]), lambda: rows
    ):
        return
    if name is not None:
        _show_game(games[0])
        return
    write_table(f"{len(games)} games", [_row(game) for game in games])
    write_lines("upcard games NAME shows one: its wagers, limits, rules, readings and source.")


def _as_dict(game: Game) -> dict[str, object]:
    """The game's file as programs get it, with its readings spelled out and its layouts."""
    fields = game.model_dump(mode="json", exclude={"wager", "jackpot", "readings"})
    readings = catalog_in_use().readings
    return {
        **fields,
        "wagers": [wager.model_dump(mode="json") | {"limits": _limits(wager)} for wager in game.wager],
        "jackpots": [plan.model_dump(mode="json") for plan in game.jackpot],
        "readings": [
            {
                "id": number,
                "question": readings[number].question,
                "choice": choice,
                "options": {name: option.means for name, option in readings[number].options.items()},
            }
            for number, choice in game.readings.items()
        ],
        "layouts": [layout.model_dump(mode="json") | {"notices": _notices(layout)} for layout in _layouts(game)],
    }


def _row(game: Game) -> dict[str, Cell]:
    return {
        "filing": game.number,
        "game": game.slug,
        "name": game.name,
        "decks": decks_text(game.decks),
        "regulator": game.source.regulator,
        "adds": game.adds,
    }


def _wager_row(wager: Wager) -> dict[str, Cell]:
    return {
        "wager": wager.name,
        "role": wager.role,
        "limits": _limits(wager),
        "placed": wager.placed,
        "conditions": "; ".join(conditions(wager, catalog_in_use().kinds.get(wager.kind))),
        "paytables": _tables(wager),
    }


def _limits(wager: Wager) -> str:
    if wager.equals:
        return f"equal to the {wager.equals}"
    if wager.amounts:
        return " or ".join(dollars(amount) for amount in wager.amounts)
    least, most = (str(bound) if bound else "the operator's" for bound in (wager.min, wager.max))
    return f"{least} to {most}"


def _tables(wager: Wager) -> str:
    names = wager.paytables
    return ", ".join(names) if len(names) <= 4 else f"{len(names)}: {names[0]} ... {names[-1]}"


def _jackpot_row(plan: JackpotPlan) -> dict[str, Cell]:
    return {"jackpot": plan.name, "plan": plan.plan, "the filing fixes": _fixed(plan)}


def _fixed(plan: JackpotPlan) -> str:
    match plan:
        case DailyAccrual():
            share = percent(plan.accrues)
            return (
                f"opens at {dollars(plan.seed)}, each morning {share} of the previous gaming day's wagers, "
                f"reseeded at {dollars(plan.reseed)}"
            )
        case Posted():
            return f"posted values, changed at most once in {plan.hours_between_changes} hours or after a payout"
        case Bonus():
            return f'shown with: "{" ".join(plan.notice.split())}"'
        case Progressive():
            return "moves with every wager, held in escrow for the players"


def _layouts(game: Game) -> list[Layout]:
    return [layout for layout in catalog_in_use().layouts.values() if layout.game == game.slug]


def _notices(layout: Layout) -> list[str]:
    return list(layout_notices(catalog_in_use(), layout))


def _show_game(game: Game) -> None:
    source = game.source
    about = ", ".join(filter(None, [source.document, source.regulator, source.reference, source.dated]))
    write_lines(f"{game.name} (filing {game.number}, {game.slug})", f"{about}", f"{decks_text(game.decks)} decks")
    write_table("Wagers", [_wager_row(wager) for wager in game.wager])
    if game.jackpot:
        write_table("Jackpots", [_jackpot_row(plan) for plan in game.jackpot])
    rules: list[dict[str, Cell]] = [
        {
            "rule": rule.replace("_", " "),
            "value": {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value),
        }
        for rule, value in game.rules
    ]
    write_table("Rules of the main game", rules)
    readings: list[dict[str, Cell]] = []
    for number, choice in game.readings.items():
        reading = catalog_in_use().readings[number]
        others = [name for name in reading.options if name != choice]
        readings.append(
            {
                "": number,
                "question": reading.question,
                "read as": reading.options[choice].means,
                "or": ", ".join(others),
            }
        )
    write_table("Readings: where the filing leaves a choice", readings)
    for layout in _layouts(game):
        offered = ", ".join(
            f"{offer.name} ({offer.paytable})" if offer.paytable else offer.name for offer in layout.wager
        )
        write_lines(
            f"Layout {layout.slug}: {layout.title}. {offered}", *(f"  Notice: {text}" for text in _notices(layout))
        )
