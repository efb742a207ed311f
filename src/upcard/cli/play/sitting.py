"""A player's sitting at one table: his spots, his bankroll, his chips, and the rounds he plays.

It holds the money and gives the table its commands; the dealer deals, the engine judges, the settlement pays. It draws
nothing and imports nothing that draws; what a key means is told in `keys`.
"""

from collections.abc import Callable, Iterable
from enum import Enum

from upcard.cards.shoe import Shoe, ShoeCards
from upcard.cli.play.chips import TRAY, Chips, NotCovered, Stakes
from upcard.cli.play.question import Question
from upcard.cli.play.words import announced, signed
from upcard.engine import CommandRefused, Round, Terms, awaiting, refusal, view
from upcard.engine import commands as c
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers
from upcard.engine.legal import Choice
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
    """What the table wants of the player."""

    BETTING = "betting"
    INSURANCE = "insurance"
    LATE_WAGERS = "late wagers"
    PLAY = "play"
    RESULT = "result"
    SHOE_OVER = "shoe over"
    BROKE = "broke"


IN_A_HAND = (Stage.INSURANCE, Stage.LATE_WAGERS, Stage.PLAY)


class Sitting:
    """One player at one table, from the first shoe until he leaves."""

    def __init__(self, table: Table, *, spots: int, bankroll: Cents, shoes: Shoes, practice: bool = False) -> None:
        self.practice = practice  # the shoe's key was given, not drawn
        self.shoes = shoes
        self.shoe = shoes(table)
        self.dealer = Dealer(table, _cards(self.shoe))
        self.opening = self.money = bankroll  # the money of finished rounds; `bankroll` is what he can still use
        self.rounds = 0
        self.claims: list[Slip] = []
        self.last_wagers: Stakes = {}
        self.question: Question | None = None
        self.note = ""
        self.revealing = False  # the shoe is over and its key is shown
        self.asked_to_leave = False
        for spot in range(1, spots + 1):
            self.dealer.say(o.Seat(PLAYER, spot))
        self.dealer.say(o.NewShoe(self.shoe.cut_card))
        self._begin()

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.dealer.table

    @property
    def terms(self) -> Terms:
        """The terms of this round, or of the one just played."""
        return self._now[1]

    @property
    def shown(self) -> View:
        """The round as this player may see it."""
        return view(*self._now, self.turn)

    @property
    def stage(self) -> Stage:
        """What is to be done now."""
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
        """The spot that is asked."""
        match awaiting(*self._now):
            case PlayerDecision(spot, _):
                return spot
            case InsuranceAnswers(spots):
                return spots[0]
            case _:
                return None

    @property
    def turn_hand(self) -> tuple[int, int] | None:
        """The spot and hand whose decision it is."""
        found = awaiting(*self._now)
        return (found.spot, found.hand) if isinstance(found, PlayerDecision) else None

    @property
    def slips(self) -> tuple[Slip, ...]:
        """Everything decided in this round so far."""
        return settle(*self._now)

    @property
    def net(self) -> Cents:
        """What the decided wagers of this round gave or took."""
        return Cents(sum(slip.net for slip in self.slips))

    @property
    def staked(self) -> Cents:
        """What was laid down in the running round, chips not yet given to the table included."""
        if self.table.round is None:
            return Cents(0)
        return Cents(_laid_down(self.table.round) + self.chips.sum)

    @property
    def at_stake(self) -> Cents:
        """What lies on the felt and is not decided yet."""
        decided = sum(slip.stake for slip in self.slips) if self.staked else 0
        return Cents(self.staked - decided)

    @property
    def bankroll(self) -> Cents:
        """What the player has in hand: his money, less what lies on the felt, and what has come back already."""
        if self.table.round is None:
            return self.money
        back = sum(slip.paid + slip.returned for slip in self.slips)
        return Cents(self.money - self.staked + back)

    @property
    def tray(self) -> tuple[tuple[str, Cents], ...]:
        """The chips of this table with their keys."""
        keyed = zip("123456789", TRAY, strict=True)
        return tuple((key, chip) for key, chip in keyed if not chip % self.terms.chip)

    def choice(self, order: type) -> Choice | None:
        """The legal choice of this kind, for the spot that is asked."""
        return next((one for one in self.shown.choices if one.order is order), None)

    def summary(self) -> str:
        """One line for the way out."""
        said = f"{self.rounds} round{'s' * (self.rounds != 1)} of {self.table.layout.slug}: "
        said += f"started with {dollars(self.opening)}, left with {dollars(self.bankroll)} "
        said += f"({signed(self.bankroll - self.opening)})"
        if self.stage in IN_A_HAND:
            said += ", in the middle of a hand"
        if self.claims:
            said += f"; {len(self.claims)} jackpot claim{'s' * (len(self.claims) > 1)} to be paid by the floor"
        return said + "."

    def lay(self, chip: Cents) -> None:
        """A chip more in the chosen circle."""
        self.note = as_sentence(self.chips.add(self.chips.chosen, chip, self._purse))

    def repeat(self) -> None:
        """The wagers of the round before, in place of all chips."""
        if not any(circle in self.chips.circles for circle in self.last_wagers):
            raise BadRequest("there are no earlier wagers to repeat")
        self.chips.put(self.last_wagers, self._purse)

    def go_on(self) -> None:
        """After a round the next one begins; after the last round of a shoe its key is shown first."""
        if self.revealing:
            self._new_shoe()
        elif self.table.shoe_over:
            self.revealing = True
        else:
            self._begin()

    def deal(self) -> None:
        """The chips become wagers, and the cards are dealt."""
        commands = self.chips.commands()
        if not commands:
            self.ask_the_engine(c.CloseBetting())  # it says why nothing is dealt
        late = {circle: stake for circle, stake in self.last_wagers.items() if self.terms.wagers[circle[1]].late}
        self.last_wagers = {**self.chips.stakes, **late}
        self._place(commands)
        self.say(c.CloseBetting())

    def close_late_wagers(self) -> None:
        """The chips laid after the peek become wagers, and play begins."""
        commands = self.chips.commands()
        before = {circle: stake for circle, stake in self.last_wagers.items() if circle not in self.chips.circles}
        self.last_wagers = {**before, **self.chips.stakes}
        self._place(commands)
        self.say(c.CloseLateWagers())

    def say(self, command: c.Command) -> None:
        """A command that the engine allows and the bankroll covers."""
        self.ask_the_engine(command)
        wanted = self._cost(command)
        if wanted > self.bankroll:
            raise NotCovered(wanted, self.bankroll)
        happened = self.dealer.say(command)
        self.note = " ".join(announced(happened))
        if self.table.round is None:
            self._end_round()
        elif self.stage is Stage.LATE_WAGERS:
            self.chips = Chips(*self._now)

    def ask_the_engine(self, command: c.Command) -> None:
        """Raises what the engine has against a command."""
        refused = refusal(*self._now, command)
        if refused is not None:
            raise CommandRefused(refused)

    def hand(self) -> Hand:
        """The hand whose decision it is."""
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
        """The chips become wagers."""
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
        """What chips may come to: the bankroll with the chips taken back into it."""
        return Cents(self.bankroll + self.chips.sum)

    @property
    def _now(self) -> tuple[Round, Terms]:
        """The running round, or the last one."""
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
