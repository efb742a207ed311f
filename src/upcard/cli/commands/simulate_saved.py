"""What a saved run was asked for: `upcard simulate --top-up FILE` needs no other option."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from upcard.cli.catalog_in_use import use_workspaces, workspaces_in_use
from upcard.cli.commands.simulate_options import SimulateOptions
from upcard.cli.options import one_game
from upcard.problems import BadRequest
from upcard.sim.record import RequestValue, saved_request

# The options that decide what is played.
_SAVED = (
    "seats",
    "layout",
    "decks",
    "settings",
    "suit",
    "strategy",
    "player",
    "wager",
    "main_only",
    "count",
    "ramp",
    "insurance",
    "flat_after",
    "fresh",
    "distribution",
)
_WORKSPACES = "workspaces"


def request_of(options: SimulateOptions) -> dict[str, RequestValue]:
    """The options that a saved run keeps; files by their whole path, so that it can be continued from any folder."""
    request: dict[str, RequestValue] = {name: _absolute(getattr(options, name)) for name in ("game", *_SAVED)}
    request["game"] = _absolute(one_game(options.name, options.game))
    return {**request, _WORKSPACES: [str(folder.resolve()) for folder in workspaces_in_use()]}


def with_saved_request(options: SimulateOptions) -> SimulateOptions:
    """The options, completed by those of a saved run if no game is named."""
    file = options.top_up or next(iter(options.merge), None)
    if file is None or one_game(options.name, options.game) is not None:
        return options
    request = saved_request(Path(file))
    if not request:
        raise BadRequest(f"{file} was saved by an earlier version: name the game and the options of the run too")
    if not workspaces_in_use():
        use_workspaces(tuple(_texts(request.get(_WORKSPACES))))
    usual = {field.name: getattr(SimulateOptions(), field.name) for field in fields(SimulateOptions)}
    left_out = [name for name in _SAVED if getattr(options, name) == usual[name] and name in request]
    saved: dict[str, Any] = {name: request[name] for name in left_out}
    if not all(_fits(value, usual[name]) for name, value in saved.items()):
        raise BadRequest(f"{file} is not a saved run")
    return replace(options, game=str(request.get("game")), **saved)


def _fits(value: object, usual: object) -> bool:
    """Whether a value is of the type of an option; one that is usually left out is text or a number."""
    return value is None or isinstance(value, str | int) if usual is None else type(value) is type(usual)


def _absolute(value: RequestValue) -> RequestValue:
    """A file's whole path; any other value as it is."""
    if not isinstance(value, str) or "\0" in value or not Path(value).is_file():
        return value
    return str(Path(value).resolve())


def _texts(value: RequestValue) -> list[str]:
    return value if isinstance(value, list) else []
