"""Plays a recorded round again by the filing, and compares it with what the program did, wager by wager to the cent."""

from fractions import Fraction

from support.filing_evaluator.commands import Command, Disagreement, House, Refill, Verb, require
from support.filing_evaluator.payments import Payment
from support.filing_evaluator.round import Offer, Outcome, evaluate
from support.filing_evaluator.tables import TABLES, Moment
from support.random_play import RoundRecord

from upcard.cards import card_text
from upcard.engine import commands as c
from upcard.engine.offered_choices import Choice
from upcard.engine.terms import Terms
from upcard.settlement import Slip, settle
from upcard.settlement.slips import insured_wager

VERBS: dict[type, Verb] = {
    c.PlaceWager: "bet",
    c.ClearWagers: "take back",
    c.CloseBetting: "no more bets",
    c.Insure: "insure",
    c.DeclineInsurance: "decline insurance",
    c.TakeEvenMoney: "even money",
    c.CloseInsurance: "no more insurance",
    c.CloseLateWagers: "no more late wagers",
    c.Hit: "hit",
    c.Stay: "stay",
    c.Double: "double",
    c.Split: "split",
    c.Surrender: "surrender",
}
_ANSWERS = (c.Insure, c.DeclineInsurance, c.TakeEvenMoney)
_DECISIONS = (c.Hit, c.Stay, c.Double, c.Split, c.Surrender)

Key = tuple[int, str, int | None]  # spot, wager, hand


def compare_with_the_filing(record: RoundRecord) -> Outcome:
    """The outcome by the filing; raises Disagreement if the program's differs."""
    outcome = by_the_filing(record)
    _same_cards(outcome, record)
    _same_offers(outcome, record)
    slips = settle(record.final, record.terms)
    _same_payments(outcome, slips, record)
    _same_order(outcome, slips, record)
    return outcome


def by_the_filing(record: RoundRecord) -> Outcome:
    table = record.table
    house = House(table.posted_minimum, table.shuffler == "hand", dict(table.seats))
    cards: list[str | Refill] = []
    commands: list[Command] = []
    for number, command in enumerate(record.commands):
        if number in record.refills:
            cards.append(Refill([card_text(card) for card in record.refills[number]]))
        if isinstance(command, c.DealCard):
            assert command.card is not None
            cards.append(card_text(command.card))
        else:
            commands.append(_translated(command))
    return evaluate(TABLES[table.layout.slug], house, cards, commands)


def _translated(command: c.Command) -> Command:
    match command:
        case c.PlaceWager(spot, wager, amount):
            return Command("bet", spot, {wager: amount})
        case c.ClearWagers(spot, wager):
            return Command("take back", spot, wager=wager)
        case c.Insure(spot, amounts) | c.Double(spot, amounts):
            return Command(VERBS[type(command)], spot, dict(amounts))
        case c.CloseBetting() | c.CloseInsurance() | c.CloseLateWagers():
            return Command(VERBS[type(command)])
        case c.DealCard() | c.Peek():
            raise ValueError(f"{command} is not said by anybody")
        case _:
            return Command(VERBS[type(command)], command.spot)


def _same_cards(outcome: Outcome, record: RoundRecord) -> None:
    final = record.final
    expected = {spot.number: [hand.cards for hand in spot.hands] for spot in outcome.spots}
    actual = {spot.number: [list(map(card_text, hand.cards)) for hand in spot.hands] for spot in final.spots}
    _equal("hands", expected, actual)
    _equal("dealer's hand", outcome.dealer, [card_text(card) for card in final.dealer])


def _same_offers(outcome: Outcome, record: RoundRecord) -> None:
    """What players might do: at the beginning of insurance, and at each decision on a hand."""
    insurance: list[Offer] = []
    decisions: list[Offer] = []
    for choices in record.choices:
        if choices and not insurance and any(choice.order in _ANSWERS for choice in choices):
            spots = sorted({choice.spot for choice in choices if choice.spot})
            insurance = [(spot, _verbs(choices, spot, _ANSWERS)) for spot in spots]
        elif choices and choices[0].order in _DECISIONS:
            decisions.append((choices[0].spot, _verbs(choices, choices[0].spot, _DECISIONS)))
    _equal("offers of insurance", outcome.insurance_offers, insurance)
    _equal("choices", outcome.offers, decisions)


def _verbs(choices: tuple[Choice, ...], spot: int, orders: tuple[type, ...]) -> frozenset[Verb]:
    return frozenset(VERBS[choice.order] for choice in choices if choice.spot == spot and choice.order in orders)


def _same_payments(outcome: Outcome, slips: tuple[Slip, ...], record: RoundRecord) -> None:
    expected = {key_of(payment): payment._replace(moment=Moment.DEAL) for payment in outcome.payments}
    actual = {key_of(payment): payment for payment in (_payment(slip, record.terms) for slip in slips)}
    require(len(actual) == len(slips), "a wager was settled twice:", slips)
    for key in expected.keys() | actual.keys():
        _equal(f"payment of {key}", expected.get(key), actual.get(key))
    for slip in slips:
        _equal(f"player on spot {slip.spot}", record.table.seats[slip.spot], slip.player)


def _payment(slip: Slip, terms: Terms) -> Payment:
    """A slip in the filing's words; the moment is left open."""
    insured = insured_wager(slip.wager)
    line, jackpot, percent = slip.event.replace("-", " "), "", Fraction(0)
    if slip.hand is None and insured is None and slip.event:
        table = terms.wagers[slip.wager].paytable
        assert table is not None
        line = table.titles[slip.event]
    if slip.claim is not None:
        jackpot, percent = slip.claim.jackpot, slip.claim.share * 100
        _equal("event of a claim", slip.event, slip.claim.event)
    return Payment(
        Moment.DEAL,
        slip.spot,
        slip.wager if insured is None else f"insurance of {insured}",
        slip.hand,
        slip.stake,
        slip.paid,
        slip.returned,
        line,
        jackpot,
        int(percent) if percent.denominator == 1 else -1,
    )


def _same_order(outcome: Outcome, slips: tuple[Slip, ...], record: RoundRecord) -> None:
    """Wagers are decided moment by moment; within one, the order counts where the filing prescribes it."""
    moments = {key_of(payment): payment.moment for payment in outcome.payments}
    keys = [key_of(_payment(slip, record.terms)) for slip in slips]
    in_order = [moments[key] for key in keys]
    _equal("moments of payment", sorted(in_order), in_order)
    by_turn = [key for key in keys if moments[key] is Moment.PLAY]  # "immediately", as hands bust in their turn
    expected = [key_of(payment) for payment in outcome.payments if payment.moment is Moment.PLAY]
    _equal("hands taken during play", _hands(expected), _hands(by_turn))
    for side in TABLES[record.table.layout.slug].sides:
        if side.right_to_left:
            spots = [spot for spot, wager, _ in keys if wager == side.name]
            _equal(f"order of {side.name}", sorted(spots, reverse=True), spots)


def _hands(keys: list[Key]) -> list[tuple[int, int | None]]:
    return list(dict.fromkeys((spot, hand) for spot, _, hand in keys))


def key_of(payment: Payment) -> Key:
    return payment.spot, payment.wager, payment.hand


def _equal(what: str, expected: object, actual: object) -> None:
    if expected != actual:
        raise Disagreement(f"{what}: by the filing {expected}, by the program {actual}")
