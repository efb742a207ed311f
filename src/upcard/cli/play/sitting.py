"""A player's sitting at one table: their spots, bankroll, chips and rounds.

It holds the money and gives the table its commands; the dealer deals, the engine judges, the settlement pays. It draws
nothing and imports nothing that draws; what a key means is told in `keys`.
"""

from collections.abc import Callable, Iterable
from enum import Enum

from upcard.cards.shoe import Shoe, ShoeCards
from upcard.cli.play.amount_prompt import AmountPrompt
from upcard.cli.play.chips import TRAY, Chips, NotCovered, Stakes
from upcard.cli.play.table_text import announced, signed
from upcard.engine import CommandRefused, Round, Terms, awaiting, refusal, view
from upcard.engine import commands as c
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers, may_still_insure
from upcard.engine.offered_choices import Choice
from upcard.engine.round import Hand
from upcard.engine.view import View
from upcard.pit import Dealer, Table
from upcard.pit import orders as o
from upcard.pit.posted_text import as_sentence
from upcard.problems import BadRequest
from upcard.settlement import settle
from upcard.settlement.slips import Slip
from upcard.units import Cents, dollars

Shoes = Callable[[Table], Shoe]
PLAYER = "You"


class Stage(Enum):
    """What the table is waiting for."""

    BETTING = "betting"
    INSURANCE = "insurance"
    LATE_WAGERS = "late wagers"
    PLAY = "play"
    RESULT = "result"
    SHOE_OVER = "shoe over"
    BROKE = "broke"


IN_A_HAND = (Stage.INSURANCE, Stage.LATE_WAGERS, Stage.PLAY)


class Sitting:
    """One player at one table, from the first shoe until they leave."""

    def __init__(self, table: Table, *, spots: int, bankroll: Cents, shoes: Shoes, practice: bool = False) -> None:
        self.practice = practice  # the shoe's key was given, not drawn
        self.shoes = shoes
        self.shoe = shoes(table)
        self.dealer = Dealer(table, _cards(self.shoe))
        self.opening = self.money = bankroll  # the money of finished rounds; `bankroll` is what can still be used
        self.rounds = 0
        self.claims: list[Slip] = []
        self.last_wagers: Stakes = {}
        self.amount_prompt: AmountPrompt | None = None
        self.note = ""
        self.revealing = False  # the shoe is over and its key is shown
        self.asked_to_leave = False
        self.changing_answer = 0  # the spot that declined insurance and is asked once more
        for spot in range(1, spots + 1):
            self.dealer.say(o.Seat(PLAYER, spot))
        self.dealer.say(o.NewShoe(self.shoe.cut_card))
        self._begin()

    @property
    def table(self) -> Table:
        return self.dealer.table

    @property
    def terms(self) -> Terms:
        """The terms of this round, or of the one just played."""
        return self._now[1]

    @property
    def view(self) -> View:
        """The round as this player may see it."""
        return view(*self._now, self.turn)

    @property
    def stage(self) -> Stage:
        if self.table.round is None:
            return Stage.SHOE_OVER if self.revealing else Stage.RESULT
        match awaiting(*self._now):
            case Wagers(late=True):
                return Stage.LATE_WAGERS
            case InsuranceAnswers():
                return Stage.INSURANCE
            case PlayerDecision():
                return Stage.PLAY
            case _:
                return Stage.BROKE if self.money < self.terms.main.least else Stage.BETTING

    @property
    def turn(self) -> int | None:
        """The spot that has to decide."""
        match awaiting(*self._now):
            case PlayerDecision(spot, _):
                return spot
            case InsuranceAnswers(spots):
                return self.changing_answer or spots[0]
            case _:
                return None

    @property
    def turn_hand(self) -> tuple[int, int] | None:
        """The spot and hand whose decision it is."""
        awaited = awaiting(*self._now)
        return (awaited.spot, awaited.hand) if isinstance(awaited, PlayerDecision) else None

    @property
    def slips(self) -> tuple[Slip, ...]:
        return settle(*self._now)

    @property
    def net(self) -> Cents:
        """The net result of the wagers decided so far in this round."""
        return Cents(sum(slip.net for slip in self.slips))

    @property
    def staked(self) -> Cents:
        """All stakes of this round, including chips that are not wagers yet."""
        if self.table.round is None:
            return Cents(0)
        return Cents(_laid_down(self.table.round) + self.chips.sum)

    @property
    def at_stake(self) -> Cents:
        """Stakes on the felt that are not decided yet."""
        decided = sum(slip.stake for slip in self.slips) if self.staked else 0
        return Cents(self.staked - decided)

    @property
    def bankroll(self) -> Cents:
        """What the player can still use: their money, less this round's stakes, plus what was paid back."""
        if self.table.round is None:
            return self.money
        returned = sum(slip.paid + slip.returned for slip in self.slips)
        return Cents(self.money - self.staked + returned)

    @property
    def tray(self) -> tuple[tuple[str, Cents], ...]:
        """The chips of this table with their keys."""
        keyed = zip("123456789", TRAY, strict=True)
        return tuple((key, chip) for key, chip in keyed if not chip % self.terms.chip)

    def choice(self, order: type) -> Choice | None:
        """The legal choice of this kind for the spot that has to decide."""
        return next((choice for choice in self.view.choices if choice.order is order), None)

    @property
    def declined(self) -> list[int]:
        """The spots that declined insurance and may still take it."""
        return sorted(may_still_insure(*self._now)) if self.stage is Stage.INSURANCE else []

    def summary(self) -> str:
        """One line to print when the player leaves."""
        text = f"{self.rounds} round{'s' * (self.rounds != 1)} of {self.table.layout.slug}: "
        text += f"started with {dollars(self.opening)}, left with {dollars(self.bankroll)} "
        text += f"({signed(self.bankroll - self.opening)})"
        if self.stage in IN_A_HAND:
            text += ", in the middle of a hand"
        if self.claims:
            text += f"; {len(self.claims)} jackpot claim{'s' * (len(self.claims) > 1)} to be paid by the floor"
        return text + "."

    def add_chip(self, chip: Cents) -> None:
        self.note = as_sentence(self.chips.add(self.chips.chosen, chip, self._purse))

    def rebet(self) -> None:
        """Replaces all chips with the wagers of the last round."""
        if not any(circle in self.chips.circles for circle in self.last_wagers):
            raise BadRequest("there are no earlier wagers to repeat")
        self.chips.put(self.last_wagers, self._purse)

    def next_round(self) -> None:
        """Starts the next round; after the last round of a shoe, first shows its key."""
        if self.revealing:
            self._new_shoe()
        elif self.table.shoe_over:
            self.revealing = True
        else:
            self._begin()

    def deal(self) -> None:
        commands = self.chips.commands()
        if not commands:
            self.refuse_if_illegal(c.CloseBetting())  # it says why nothing is dealt
        late = {circle: stake for circle, stake in self.last_wagers.items() if self.terms.wagers[circle[1]].late}
        self.last_wagers = {**self.chips.stakes, **late}
        self._place(commands)
        self.say(c.CloseBetting())

    def close_late_wagers(self) -> None:
        """Turns the chips put out after the peek into wagers, and starts play."""
        commands = self.chips.commands()
        before = {circle: stake for circle, stake in self.last_wagers.items() if circle not in self.chips.circles}
        self.last_wagers = {**before, **self.chips.stakes}
        self._place(commands)
        self.say(c.CloseLateWagers())

    def say(self, command: c.Command) -> None:
        """Carries out a command, if the engine allows it and the bankroll covers it."""
        self.refuse_if_illegal(command)
        cost = self._cost(command)
        if cost > self.bankroll:
            raise NotCovered(cost, self.bankroll)
        happened = self.dealer.say(command)
        self.changing_answer = 0
        self.note = " ".join(announced(happened))
        if self.table.round is None:
            self._end_round()
        elif self.stage is Stage.LATE_WAGERS:
            self.chips = Chips(*self._now)

    def refuse_if_illegal(self, command: c.Command) -> None:
        refused = refusal(*self._now, command)
        if refused is not None:
            raise CommandRefused(refused)

    def hand(self) -> Hand:
        turn = self.turn_hand
        spot = self._now[0].spot(turn[0]) if turn else None
        if turn is None or spot is None:
            raise BadRequest("no hand is being played")
        return spot.hands[turn[1]]

    def _begin(self) -> None:
        self.dealer.say(o.BeginRound())
        self.chips = Chips(*self._now)

    def _new_shoe(self) -> None:
        self.revealing = False
        self.shoe = self.shoes(self.table)
        self.dealer.cards = _cards(self.shoe)
        self.note = " ".join(announced(self.dealer.say(o.NewShoe(self.shoe.cut_card))))
        self._begin()

    def _place(self, commands: Iterable[c.PlaceWager]) -> None:
        self.chips = Chips(*self._now)
        for command in commands:
            self.dealer.say(command)

    def _cost(self, command: c.Command) -> int:
        match command:
            case c.Double(_, amounts) | c.Insure(_, amounts):
                return sum(amount for _, amount in amounts)
            case c.Split():
                return sum(self.hand().stakes.values())
            case _:
                return 0

    def _end_round(self) -> None:
        self.rounds += 1
        self.money = Cents(self.money + self.net)
        self.claims += [slip for slip in self.slips if slip.claim is not None]

    @property
    def _purse(self) -> Cents:
        """The most that chips may total: the bankroll plus the chips already out."""
        return Cents(self.bankroll + self.chips.sum)

    @property
    def _now(self) -> tuple[Round, Terms]:
        if self.table.round is not None and self.table.terms is not None:
            return self.table.round, self.table.terms
        if self.dealer.last is None:
            raise BadRequest("no round has been played")
        return self.dealer.last


def _laid_down(state: Round) -> int:
    """Every stake of a round: side wagers, main wagers on every hand, insurance."""
    laid = 0
    for spot in state.spots:
        laid += sum(stake for name, stake in spot.wagers.items() if name not in state.main_wagers)
        laid += sum(spot.insurance.values())
        laid += sum(sum(hand.stakes.values()) + sum(hand.doubled.values()) for hand in spot.hands)
    return laid


def _cards(shoe: Shoe) -> ShoeCards:
    return ShoeCards(shoe.shuffle, shoe.order)
