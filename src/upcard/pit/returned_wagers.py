"""Wagers that go back to a player before the deal, because the floor gave an order."""

from collections.abc import Iterable, Iterator

from upcard.engine import commands as c
from upcard.engine.apply import apply
from upcard.engine.events import Event
from upcard.engine.round import Round
from upcard.engine.terms import Terms

Returned = tuple[Round, list[Event]]


def without_wagers_on(state: Round, terms: Terms, spots: Iterable[int]) -> Returned:
    """The round without the wagers on these spots."""
    return _cleared(state, terms, (c.ClearWagers(number) for number in sorted(spots) if state.spot(number)))


def without_unheld_wagers(state: Round, terms: Terms) -> Returned:
    """The round without the wagers that a flat bettor may not make; what they still lack, they may add."""
    return _cleared(state, terms, _unheld(state, terms))


def _unheld(state: Round, terms: Terms) -> Iterator[c.ClearWagers]:
    for number, held in terms.holds.items():
        spot = state.spot(number)
        unheld = [] if spot is None else [name for name, stake in spot.wagers.items() if held.get(name) != stake]
        if terms.main.name in unheld:
            yield c.ClearWagers(number)
        else:
            yield from (c.ClearWagers(number, name) for name in unheld)


def _cleared(state: Round, terms: Terms, commands: Iterable[c.ClearWagers]) -> Returned:
    events: list[Event] = []
    for command in commands:
        spot = state.spot(command.spot)
        if spot is not None and (not command.wager or command.wager in spot.wagers):  # not gone with another wager
            state, cleared = apply(state, terms, command)
            events += cleared
    return state, events
