"""Random but legal play at any table, driven by `legal` alone, with everything recorded."""

import random
from collections import Counter
from dataclasses import dataclass, field

from upcard.cards import DECK, Card
from upcard.catalog import shipped
from upcard.engine import Round, Terms, awaiting, legal
from upcard.engine import commands as c
from upcard.engine.amounts import Range
from upcard.engine.awaiting import DealerCard, PlayerCard, Wagers
from upcard.engine.events import Event
from upcard.engine.evolve import fold
from upcard.engine.legal import Choice
from upcard.pit import Table, open_table
from upcard.pit import orders as o
from upcard.pit.events import TableEvent
from upcard.pit.table import order, play
from upcard.units import Cents


@dataclass
class Played:
    """One finished round with all that was said and happened."""

    terms: Terms
    commands: list[c.Command] = field(default_factory=list)
    states: list[Round] = field(default_factory=list)  # before each command, and the last
    events: list[Event] = field(default_factory=list)

    @property
    def final(self) -> Round:
        return self.states[-1]


class Player:
    """Chooses among what is legal."""

    def __init__(self, layout: str, seed: int, spots: int = 1) -> None:
        self.random = random.Random(f"{layout}/{seed}/{spots}")
        self.table: Table = open_table(shipped(), shipped().layouts[layout])
        self.shoe: list[Card] = []
        for spot in range(1, spots + 1):
            self.table, _ = order(self.table, o.Seat(f"P{spot}", spot))

    def play_round(self) -> Played:
        if self.table.shoe_over:
            self._shuffle()
        self.table, _ = order(self.table, o.BeginRound())
        assert self.table.terms is not None
        played = Played(self.table.terms)
        bets = 0
        while self.table.round is not None:
            state, terms = self.table.round, played.terms
            waiting = awaiting(state, terms)
            if isinstance(waiting, PlayerCard | DealerCard):
                command: c.Command = c.DealCard(self._card())
            else:
                choices = legal(state, terms)
                bets += isinstance(waiting, Wagers)
                command = self._choose(choices, enough=bets > 12)
            played.states.append(state)
            played.commands.append(command)
            self.table, happened, _ = play(self.table, command)
            played.events += [event for event in happened if not isinstance(event, TableEvent)]
        played.states.append(fold(Round(), tuple(played.events)))
        return played

    def _choose(self, choices: tuple[Choice, ...], *, enough: bool) -> c.Command:
        closing = [choice for choice in choices if choice.order in (c.CloseBetting, c.CloseLateWagers)]
        if closing and (enough or self.random.random() < 0.1):
            return command_of(closing[0], self.random)
        splits = [choice for choice in choices if choice.order is c.Split]
        if splits and self.random.random() < 0.6:
            return c.Split(splits[0].spot)
        wanted = [choice for choice in choices if choice.order is not c.ClearWagers or self.random.random() < 0.05]
        return command_of(self.random.choice(wanted or list(choices)), self.random)

    def _shuffle(self) -> None:
        decks = self.table.layout.decks
        self.shoe = [one for one in DECK for _ in range(decks)]
        self.random.shuffle(self.shoe)
        if self.random.random() < 0.5:  # badly shuffled: like cards lie together, so that rare hands come
            lies = {one: self.random.random() * 6 for one in DECK}
            self.shoe.sort(key=lambda one: lies[DECK[one // 4 * 4]] + lies[one] / 3 + self.random.random())
        self.table, _ = order(self.table, o.NewShoe(max(52 * decks - 52, 39)))

    def _card(self) -> Card:
        if not self.table.shoe_cards:
            self.table, _ = order(self.table, o.ReturnDiscards())
            lying = Counter(self.table.came_out)
            self.shoe = [one for one in DECK for _ in range(self.table.layout.decks - lying[one])]
            self.random.shuffle(self.shoe)
        return self.shoe.pop()


def command_of(choice: Choice, chance: random.Random) -> c.Command:
    """A command a choice stands for, its amounts drawn from the ranges."""
    match choice.order:
        case c.PlaceWager:
            return c.PlaceWager(choice.spot, choice.wager, draw(choice.amounts[0][1], chance))
        case c.ClearWagers:
            return c.ClearWagers(choice.spot, choice.wager)
        case c.Insure:
            amount = draw(choice.amounts[0][1], chance)
            return c.Insure(choice.spot, tuple((name, amount) for name, _ in choice.amounts))
        case c.Double:
            amounts = [(name, draw(allowed, chance)) for name, allowed in choice.amounts]
            if not any(amount for _, amount in amounts):
                amounts = [(name, allowed.most) for name, allowed in choice.amounts]
            return c.Double(choice.spot, tuple(amounts))
        case c.CloseBetting | c.CloseLateWagers | c.CloseInsurance:
            bare: c.Command = choice.order()
            return bare
        case _:
            mine: c.Command = choice.order(choice.spot)
            return mine


def draw(allowed: Range, chance: random.Random) -> Cents:
    if allowed.only:
        return chance.choice(allowed.only)
    steps = range(-(-allowed.least // allowed.step), allowed.most // allowed.step + 1)
    return Cents(chance.choice(steps) * allowed.step)
