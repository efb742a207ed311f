"""Random but legal play at any table, chosen from `legal` alone; every command and event is recorded."""

import random
from collections import Counter
from dataclasses import dataclass, field

from upcard.cards import DECK, Card
from upcard.catalog import shipped
from upcard.engine import Round, Terms, awaiting, legal
from upcard.engine import commands as c
from upcard.engine.awaiting import DealerCard, PlayerCard, Wagers
from upcard.engine.events import Event
from upcard.engine.evolve import fold
from upcard.engine.legal_choices import Choice
from upcard.engine.stake_ranges import Range
from upcard.pit import Table, open_table
from upcard.pit import orders as o
from upcard.pit.events import TableEvent
from upcard.pit.table import order, play
from upcard.units import Cents


@dataclass
class RoundRecord:
    """A finished round with all its commands and events."""

    terms: Terms
    commands: list[c.Command] = field(default_factory=list)
    states: list[Round] = field(default_factory=list)  # before each command, and the last
    events: list[Event] = field(default_factory=list)

    @property
    def final(self) -> Round:
        return self.states[-1]


class Player:
    """Plays at random among the legal choices."""

    def __init__(self, layout: str, seed: int, spots: int = 1) -> None:
        self.random = random.Random(f"{layout}/{seed}/{spots}")
        self.table: Table = open_table(shipped(), shipped().layouts[layout])
        self.shoe: list[Card] = []
        for spot in range(1, spots + 1):
            self.table, _ = order(self.table, o.Seat(f"P{spot}", spot))

    def play_round(self) -> RoundRecord:
        if self.table.shoe_over:
            self._shuffle()
        self.table, _ = order(self.table, o.BeginRound())
        assert self.table.terms is not None
        record = RoundRecord(self.table.terms)
        bets = 0
        while self.table.round is not None:
            state, terms = self.table.round, record.terms
            awaited = awaiting(state, terms)
            if isinstance(awaited, PlayerCard | DealerCard):
                command: c.Command = c.DealCard(self._card())
            else:
                choices = legal(state, terms)
                bets += isinstance(awaited, Wagers)
                command = self._choose(choices, enough=bets > 12)
            record.states.append(state)
            record.commands.append(command)
            self.table, happened, _ = play(self.table, command)
            record.events += [event for event in happened if not isinstance(event, TableEvent)]
        record.states.append(fold(Round(), tuple(record.events)))
        return record

    def _choose(self, choices: tuple[Choice, ...], *, enough: bool) -> c.Command:
        closing = [choice for choice in choices if choice.order in (c.CloseBetting, c.CloseLateWagers)]
        if closing and (enough or self.random.random() < 0.1):
            return command_of(closing[0], self.random)
        splits = [choice for choice in choices if choice.order is c.Split]
        if splits and self.random.random() < 0.6:
            return c.Split(splits[0].spot)
        likely = [choice for choice in choices if choice.order is not c.ClearWagers or self.random.random() < 0.05]
        return command_of(self.random.choice(likely or list(choices)), self.random)

    def _shuffle(self) -> None:
        decks = self.table.layout.decks
        self.shoe = [card for card in DECK for _ in range(decks)]
        self.random.shuffle(self.shoe)
        if self.random.random() < 0.5:  # badly shuffled: similar cards stay together, so that rare hands come up
            position = {card: self.random.random() * 6 for card in DECK}
            self.shoe.sort(key=lambda card: position[DECK[card // 4 * 4]] + position[card] / 3 + self.random.random())
        self.table, _ = order(self.table, o.NewShoe(max(52 * decks - 52, 39)))

    def _card(self) -> Card:
        if not self.table.shoe_cards:
            self.table, _ = order(self.table, o.ReturnDiscards())
            on_table = Counter(self.table.came_out)
            self.shoe = [card for card in DECK for _ in range(self.table.layout.decks - on_table[card])]
            self.random.shuffle(self.shoe)
        return self.shoe.pop()


def command_of(choice: Choice, chance: random.Random) -> c.Command:
    """The command of a choice, with random amounts from its ranges."""
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
            if choice.equal:
                amounts = [(name, amounts[0][1]) for name, _ in amounts]
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
