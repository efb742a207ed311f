"""Random but legal play at any table; every command, choice and event is recorded."""

import random
from collections import Counter
from dataclasses import dataclass, field

from support.stacked_deals import STACKED_DEALS, StackedDeal

from upcard.cards import DECK, Card
from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.engine import Round, Terms, awaiting, legal, refusal
from upcard.engine import commands as c
from upcard.engine.awaiting import DealerCard, PlayerCard, Wagers
from upcard.engine.events import Event
from upcard.engine.offered_choices import Choice
from upcard.engine.stake_ranges import Range, stake_range
from upcard.pit import Table, open_table
from upcard.pit import orders as o
from upcard.pit.events import TableEvent
from upcard.pit.table import order, play
from upcard.units import Cents


@dataclass
class RoundRecord:
    """A finished round with all its commands and events."""

    table: Table  # as the round began
    terms: Terms
    commands: list[c.Command] = field(default_factory=list)
    states: list[Round] = field(default_factory=list)  # before each command, and the last
    choices: list[tuple[Choice, ...]] = field(default_factory=list)  # before each command; none for bets and cards
    refills: dict[int, tuple[Card, ...]] = field(default_factory=dict)  # discards shuffled in, by number of the command
    events: list[Event] = field(default_factory=list)

    @property
    def final(self) -> Round:
        return self.states[-1]


class Player:
    """Plays at random among the legal choices, on this many spots; several may belong to one player."""

    stacked = 0.2  # of the rounds get a deal that is rare otherwise

    def __init__(self, layout: str, seed: int, spots: int = 1, catalog: Catalog | None = None) -> None:
        self.random = random.Random(f"{layout}/{seed}/{spots}")
        catalog = catalog or shipped()
        self.table: Table = open_table(catalog, catalog.layouts[layout])
        self.shoe: list[Card] = []
        self._seat(spots)

    def play_round(self) -> RoundRecord:
        if self.table.shoe_over:
            self._shuffle()
        self.table, _ = order(self.table, o.BeginRound())
        assert self.table.terms is not None
        record = RoundRecord(self.table, self.table.terms)
        plan: list[tuple[int, str]] | None = None
        finished: tuple[Round, Terms] | None = None
        while self.table.round is not None:
            state, terms = self.table.round, record.terms
            awaited = awaiting(state, terms)
            choices: tuple[Choice, ...] = ()
            if isinstance(awaited, PlayerCard | DealerCard):
                command: c.Command = c.DealCard(self._card(record))
            elif isinstance(awaited, Wagers):
                if plan is None:
                    plan = self._plan_bets(state, terms, late=awaited.late)
                command = self._bet(state, terms, plan, late=awaited.late)
            else:
                choices = legal(state, terms)
                command = self._choose(choices, state)
            if isinstance(command, c.CloseBetting):
                plan = None  # late wagers are planned when they open
                self._before_the_deal(len(state.spots))
            record.states.append(state)
            record.commands.append(command)
            record.choices.append(choices)
            self.table, happened, finished = play(self.table, command)
            record.events += [event for event in happened if not isinstance(event, TableEvent)]
        assert finished is not None
        record.states.append(finished[0])
        return record

    def _seat(self, spots: int) -> None:
        numbers = sorted(self.random.sample(range(1, self.table.layout.spots + 1), spots))
        players = 0
        for number in numbers:
            shares_neighbour = number - 1 in numbers and self.random.random() < 0.5
            players += not shares_neighbour
            self.table, _ = order(self.table, o.Seat(f"P{players}", number))

    def _plan_bets(self, state: Round, terms: Terms, *, late: bool) -> list[tuple[int, str]]:
        """Spots and wagers to try to bet on, the last one first."""
        plan = []
        for spot in terms.owners if not late else [spot.number for spot in state.spots]:
            wagers = [name for name, wager in terms.wagers.items() if wager.late == late and wager.role != "main"]
            chosen = self.random.sample(wagers, self.random.randint(0, len(wagers)))
            if self.random.random() < 0.1:  # one of them is changed
                chosen += self.random.sample(wagers, min(1, len(wagers)))
            plan += [(spot, name) for name in chosen]
            if not late and self.random.random() < 0.9:
                plan.append((spot, terms.main.name))
        return plan

    def _bet(self, state: Round, terms: Terms, plan: list[tuple[int, str]], *, late: bool) -> c.Command:
        """The next bet of the plan that is allowed; when there is none, betting ends."""
        while plan:
            number, name = plan.pop()
            spot = state.spot(number)
            placed = spot.wagers if spot else {}
            wager = terms.wagers[name]
            if not wager.equals or wager.equals in placed:
                allowed = stake_range(terms, wager, placed)
                if not allowed.is_empty:
                    bet = c.PlaceWager(number, name, self._amount(allowed))
                    if refusal(state, terms, bet) is None:
                        return bet
        close = c.CloseLateWagers() if late else c.CloseBetting()
        if refusal(state, terms, close) is None and self.random.random() < 0.97:
            return close
        return command_of(self.random.choice(legal(state, terms)), self.random)

    def _amount(self, allowed: Range) -> Cents:
        if self.random.random() < 0.05:  # any amount, which may be refused
            return Cents(self.random.randrange(0, allowed.most * 5 // 4, 25))
        return draw(allowed, self.random)

    def _choose(self, choices: tuple[Choice, ...], state: Round) -> c.Command:
        rare = [choice for choice in choices if choice.order in (c.Split, c.TakeEvenMoney)]
        if rare and self.random.random() < 0.6:
            return command_of(rare[0], self.random)
        if state.active is not None and self.random.random() < 0.6:
            spot, number = state.spots[state.active[0]], state.active[1]
            stays = [choice for choice in choices if choice.order is c.Stay]
            if stays and spot.hands[number].points >= 17:
                return c.Stay(spot.number)
        return command_of(self.random.choice(choices), self.random)

    def _shuffle(self) -> None:
        decks = self.table.layout.decks
        self.shoe = [card for card in DECK for _ in range(decks)]
        self.random.shuffle(self.shoe)
        if self.random.random() < 0.3:  # badly shuffled: similar cards stay together, so that rare hands come up
            position = {card: self.random.random() * 6 for card in DECK}
            self.shoe.sort(key=lambda card: position[DECK[card // 4 * 4]] + position[card] / 3 + self.random.random())
        self._change_the_house()
        cut_card = max(52 * decks - 52, 39)
        if self.random.random() < 0.3:  # so near the end that the shoe runs out during its last round
            cut_card = 52 * decks - self.random.randint(0, 6)
        self.table, _ = order(self.table, o.NewShoe(cut_card))

    def _change_the_house(self) -> None:
        if self.random.random() < 0.5:
            self.table, _ = order(self.table, o.PostMinimum(Cents(100 * self.random.randint(2, 10))))
        if self.random.random() < 0.3:
            self.table, _ = order(self.table, o.SetShuffler(self.random.choice(["hand", "automatic", "automatic"])))

    def _before_the_deal(self, spots: int) -> None:
        if self.random.random() < self.stacked:
            deal = self.random.choice(STACKED_DEALS)
            first = bool(deal.following) and self.random.random() < 0.7  # the cards that follow are for this spot
            self.stack(deal, spots, 0 if first else self.random.randrange(spots))

    def stack(self, deal: StackedDeal, spots: int, place: int) -> None:
        """Arranges the next cards so that the spot in this place gets this deal, as far as the shoe still has them."""
        first, second = deal.player
        up, hole = deal.dealer
        wanted = {place: first, spots: up, spots + 1 + place: second, 2 * spots + 1: hole}
        wanted |= {2 * spots + 2 + number: card for number, card in enumerate(deal.following)}
        arranged: set[int] = set()
        for number, card in wanted.items():
            target = len(self.shoe) - 1 - number
            copies = (index for index, other in enumerate(self.shoe) if other == card and index not in arranged)
            source = next(copies, None)
            if source is not None and target >= 0:
                self.shoe[source], self.shoe[target] = self.shoe[target], card
                arranged.add(target)

    def _card(self, record: RoundRecord) -> Card:
        if not self.table.shoe_cards:
            self.table, _ = order(self.table, o.ReturnDiscards())
            on_table = Counter(self.table.came_out)
            self.shoe = [card for card in DECK for _ in range(self.table.layout.decks - on_table[card])]
            self.random.shuffle(self.shoe)
            record.refills[len(record.commands)] = tuple(self.shoe)
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
            if chance.random() < 0.3 or not any(amount for _, amount in amounts):
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
