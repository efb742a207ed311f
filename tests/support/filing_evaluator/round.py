"""The whole round as a filing describes it: from the raw cards of the shoe and the commands to every payment.

It imports nothing from the program that it checks. Whoever calls it says which table it is, how the house stands, which
cards came from the shoe in which order, and what was said; who gets which card, what may be done and what is paid are
worked out here. `Disagreement` is raised where the cards or commands do not fit the filing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from support.filing_evaluator import cards as c
from support.filing_evaluator.betting import bets_after_the_peek, bets_before_the_deal
from support.filing_evaluator.commands import Command, Disagreement, House, Refill, Script, Verb, require
from support.filing_evaluator.payments import (
    Payment,
    hand_payments,
    insurance_payments,
    side_payment,
    spot_has_30,
)
from support.filing_evaluator.spots import Hand, Spot
from support.filing_evaluator.tables import CHIP, Moment, SideWager, Table

Offer = tuple[int, frozenset[Verb]]  # a spot, and what it may do


@dataclass
class Outcome:
    """How the round went."""

    payments: list[Payment] = field(default_factory=list)  # in the order in which they are decided
    spots: list[Spot] = field(default_factory=list)
    dealer: list[str] = field(default_factory=list)
    insurance_offers: list[Offer] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)  # at each decision of a player


def evaluate(table: Table, house: House, cards: Sequence[str | Refill], commands: Sequence[Command]) -> Outcome:
    """The outcome of a finished round."""
    evaluation = _Evaluation(table, house, cards, commands)
    evaluation.run()
    return evaluation.outcome


class _Evaluation:
    def __init__(self, table: Table, house: House, cards: Sequence[str | Refill], commands: Sequence[Command]) -> None:
        self.table, self.house = table, house
        self.shoe = iter(cards)
        self.dealt = Counter[str]()
        self.script = Script(commands)
        self.outcome = Outcome()
        self.spots, self.dealer = self.outcome.spots, self.outcome.dealer
        self.hole_is_up = False

    def run(self) -> None:
        by_spot = bets_before_the_deal(self.table, self.house, self.script)
        self.deal(by_spot)
        self.decide_sides(Moment.DEAL, self.dealer[:1])
        if self.dealer[0][0] == "A":
            self.offer_insurance()
        if c.value(self.dealer[0]) in (1, 10) and c.is_blackjack(self.dealer):
            self.dealer_blackjack()
        else:
            self.no_dealer_blackjack(by_spot)
        require(self.script.next is None, "the round is over, but the next command is", self.script.next)
        require(next(self.shoe, None) is None, "the round is over, but another card was dealt")

    def draw(self) -> str:
        card = next(self.shoe, None)
        if isinstance(card, Refill):
            self.dealt = self.check_refill(card)
            card = next(self.shoe, None)
        if not isinstance(card, str):
            raise Disagreement("the filing deals another card, but none came from the shoe")
        self.dealt[card] += 1
        require(card in c.DECK and self.dealt[card] <= self.table.decks, "there is no such card left:", card)
        return card

    def deal(self, by_spot: dict[int, dict[str, int]]) -> None:
        """Left to right, one card at a time; the dealer's first card is face up, the second face down."""
        mains = (self.table.main, *self.table.bigger)
        for number, bets in by_spot.items():
            stakes = {wager: cents for wager, cents in bets.items() if wager in mains}
            self.spots.append(Spot(number, bets, [Hand([], stakes)]))
        for _ in range(2):
            for spot in self.spots:
                spot.hands[0].cards.append(self.draw())
            self.dealer.append(self.draw())
        for spot in self.spots:
            first, second = spot.hands[0].cards
            spot.first_cards = first, second

    def offer_insurance(self) -> None:
        """Against an ace: insurance up to half of each main wager, equally; even money for a blackjack."""
        allowed: tuple[Verb, ...] = ("insure", "decline insurance", "even money")
        by_number = {spot.number: spot for spot in self.spots}
        for spot in self.spots:
            verbs = allowed if c.is_blackjack(spot.first_cards) else allowed[:2]
            self.outcome.insurance_offers.append((spot.number, frozenset(verbs)))
        answers: dict[int, Verb] = {}
        while self.script.next is not None and self.script.next.verb in allowed:
            command = self.script.take("an answer on insurance")
            require(command.spot in by_number, "insurance of a spot that is not in play:", command)
            spot = by_number[command.spot]
            # Who declined may still insure until the dealer closes the offer.
            require(answers.get(spot.number, "decline insurance") == "decline insurance", "answered twice:", command)
            answers[spot.number] = command.verb
            if command.verb == "insure":
                self.insure(spot, command)
            elif command.verb == "even money":
                require(c.is_blackjack(spot.first_cards), "even money without a blackjack:", command)
                self.decide_hand(Moment.INSURANCE, spot, 0, "even money")
        if self.script.next is not None and self.script.next.verb == "no more insurance":
            self.script.take("the end of insurance")
        else:
            require(len(answers) == len(by_number), "insurance is open, but the next command is", self.script.next)

    def insure(self, spot: Spot, command: Command) -> None:
        stakes = spot.hands[0].stakes
        require(set(command.cents) == set(stakes), "not every main wager is insured:", command)
        require(len(set(command.cents.values())) == 1, "main wagers are not insured equally:", command)
        for wager, cents in command.cents.items():
            in_half_chips = 2 * cents % CHIP == 0
            require(0 < 2 * cents <= stakes[wager] and in_half_chips, "not an amount that insures:", command)
        spot.insurance = dict(command.cents)

    def dealer_blackjack(self) -> None:
        """The dealer takes every hand that has no blackjack; the others push."""
        for spot in self.spots:
            self.outcome.payments += insurance_payments(spot, won=True)
        for moment in (Moment.PEEK, Moment.REVEAL):
            self.decide_sides(moment, self.dealer)
        for spot in self.spots:
            if not spot.hands[0].result:
                pushes = c.is_blackjack(spot.first_cards)
                self.decide_hand(Moment.END, spot, 0, "push" if pushes else "dealer blackjack")
        self.decide_sides(Moment.END, self.dealer)

    def no_dealer_blackjack(self, by_spot: dict[int, dict[str, int]]) -> None:
        for spot in self.spots:
            self.outcome.payments += insurance_payments(spot, won=False)
        self.decide_sides(Moment.PEEK, self.dealer)
        for spot in self.spots:
            if c.is_blackjack(spot.first_cards) and not spot.hands[0].result:
                self.decide_hand(Moment.PEEK, spot, 0, "blackjack")
        if self.table.takes_late_wagers:
            bets_after_the_peek(self.table, self.house, self.script, by_spot)
        for spot in self.spots:
            self.play_spot(spot)
        self.hole_is_up = True
        self.decide_sides(Moment.REVEAL, self.dealer)
        if self.dealer_hand_counts():
            while c.points(self.dealer) < 17 or c.is_soft_17(self.dealer):  # R1
                self.dealer.append(self.draw())
        self.decide_hands()
        self.decide_sides(Moment.END, self.dealer)

    def play_spot(self, spot: Spot) -> None:
        """Each hand from the left; a split puts the second hand to the right of the first."""
        number = 0
        while number < len(spot.hands):
            if not spot.hands[number].result:
                self.play_hand(spot, number)
            number += 1

    def play_hand(self, spot: Spot, number: int) -> None:
        while True:
            hand = spot.hands[number]
            if len(hand.cards) == 1:
                hand.cards.append(self.draw())
            allowed = self.choices(spot, hand)
            if not allowed:
                return
            self.outcome.offers.append((spot.number, allowed))
            command = self.script.take(f"a decision of spot {spot.number}")
            require(command.spot == spot.number, "it is the turn of spot", spot.number, "but the command is", command)
            require(command.verb in allowed, "only", sorted(allowed), "are allowed, but the command is", command)
            match command.verb:
                case "stay":
                    return
                case "surrender":
                    self.decide_hand(Moment.PLAY, spot, number, "surrender")
                    return
                case "split":
                    spot.hands[number : number + 1] = [Hand([card], hand.stakes, split=True) for card in hand.cards]
                    continue
                case "double":
                    self.double(hand, command)
            hand.cards.append(self.draw())
            if c.points(hand.cards) > 21:
                self.decide_hand(Moment.PLAY, spot, number, "bust")
                return
            if hand.added:
                return

    def choices(self, spot: Spot, hand: Hand) -> frozenset[Verb]:
        """What a hand may do; a split ace gets one card only."""
        aces_were_split = hand.split and hand.cards[0][0] == "A"
        verbs: set[Verb] = {"stay"}
        two_cards = len(hand.cards) == 2
        may_split = len(spot.hands) < self.table.hands and (self.table.resplits_aces or not aces_were_split)
        if may_split and two_cards and c.same_rank(hand.cards):
            verbs.add("split")
        if aces_were_split:
            return frozenset(verbs) if "split" in verbs else frozenset()
        verbs.add("hit")
        if two_cards:
            verbs.add("double")
            if self.table.surrenders and not hand.split:  # R2
                verbs.add("surrender")
        return frozenset(verbs)

    def double(self, hand: Hand, command: Command) -> None:
        """ "A bet equal to or less than" each main wager, on at least one of them (R30)."""
        for wager, cents in command.cents.items():
            require(0 <= cents <= hand.stakes.get(wager, 0) and cents % CHIP == 0, "doubled by too much:", command)
        hand.added = {wager: cents for wager, cents in command.cents.items() if cents}
        require(bool(hand.added), "doubled by nothing:", command)

    def dealer_hand_counts(self) -> bool:
        """The dealer draws only if a hand or a wager on the dealer's hand still needs it (R5, R6, R11)."""
        for spot in self.spots:
            if any(not hand.result for hand in spot.hands):
                return True
            for side in self.sides_of(spot, Moment.END):
                if not (side.lost_on_30 and spot_has_30(spot.hands)):
                    return True
        return False

    def sides_of(self, spot: Spot, moment: Moment) -> Iterable[SideWager]:
        return (side for side in self.table.sides if side.decided is moment and side.name in spot.bets)

    def decide_hands(self) -> None:
        dealer = c.points(self.dealer)
        for spot in self.spots:
            for number, hand in enumerate(spot.hands):
                if not hand.result:
                    own = c.points(hand.cards)
                    wins, ties = dealer > 21 or own > dealer, own == dealer
                    self.decide_hand(Moment.END, spot, number, "win" if wins else "push" if ties else "lose")

    def decide_hand(self, moment: Moment, spot: Spot, number: int, result: str) -> None:
        spot.hands[number].result = result
        self.outcome.payments += hand_payments(moment, spot, number, result)

    def decide_sides(self, moment: Moment, dealer: Sequence[str]) -> None:
        for side in self.table.sides:
            if side.decided is not moment:
                continue
            cards = (dealer[1],) if side.on_hole_card else tuple(dealer)
            for spot in reversed(self.spots) if side.right_to_left else self.spots:
                if side.name in spot.bets:
                    self.outcome.payments.append(side_payment(side, spot, cards, self.table.suit))

    def check_refill(self, refill: Refill) -> Counter[str]:
        """No card that lies on the table comes out of the shoe again (R33); returns the cards on the table."""
        on_table = Counter(self.dealer)
        for spot in self.spots:
            keeps_all = any(side.keeps_cards for side in self.sides_of(spot, Moment.END))
            keeps_first = any(side.keeps_cards for side in self.sides_of(spot, Moment.REVEAL)) and not self.hole_is_up
            for hand in spot.hands:
                if keeps_all or hand.result not in ("bust", "surrender"):
                    on_table.update(hand.cards)
                elif keeps_first and not hand.split:
                    on_table.update(spot.first_cards)
        for card, count in (on_table + Counter(refill.cards)).items():
            require(card in c.DECK and count <= self.table.decks, "on the table and in the shoe again:", card)
        return on_table
