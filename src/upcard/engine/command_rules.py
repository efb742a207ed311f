"""Whether a command is allowed now, and if not, why.

`refusal` returns a code from a closed list, the most important first; each has a sentence for the player. `legal` and
`apply` ask here and check no rules themselves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from upcard.cards import ACE, card_text, rank_of, value_of_rank
from upcard.codes import Code, CodedError, Details, Parameter, phrases, sentence
from upcard.engine import commands as c
from upcard.engine.awaiting import (
    HOLE_CARD,
    REVEAL,
    DealerCard,
    InsuranceAnswers,
    PeekAnswer,
    PlayerCard,
    PlayerDecision,
    awaiting,
    may_split_aces_again,
    may_still_insure,
)
from upcard.engine.cards_on_table import copies_on_table
from upcard.engine.round import Hand, Phase, Round, Spot
from upcard.engine.stake_ranges import double_range, insurance_range, lacks_small_wager, stake_range
from upcard.engine.terms import Terms


class Refusal(Code):
    """Why a command is refused; the first that applies is the one given."""

    ROUND_OVER = "ROUND_OVER", "the round is over"
    NOT_NOW = "NOT_NOW", "not now: the table waits for {awaited:coded}"
    UNKNOWN_SPOT = "UNKNOWN_SPOT", "nobody sits at spot {spot}"
    SPOT_NOT_IN_PLAY = "SPOT_NOT_IN_PLAY", "spot {spot} has no main wager in this round"
    UNKNOWN_WAGER = "UNKNOWN_WAGER", "this table has no wager {wager:quoted}"
    WAGER_OFF = "WAGER_OFF", "{wager} is off: {why:coded}"
    WRONG_MOMENT = "WRONG_MOMENT", "{wager} is placed {moment:coded}"
    MAIN_WAGER_FIRST = "MAIN_WAGER_FIRST", "{wager} needs a wager on {main} first"
    NEEDS_ANOTHER_WAGER = "NEEDS_ANOTHER_WAGER", "{wager} can be bet only together with {others:or}"
    HAND_IS_OVER = "HAND_IS_OVER", "{wager} is lost with the hand, and a blackjack ends the hand of spot {spot}"
    FLAT_BET = "FLAT_BET", "spot {spot} may only repeat the wagers of its first hand in this shoe: {held:stakes}"
    TOO_MANY_WAGERS = "TOO_MANY_WAGERS", "at most {most} wagers may be made on one spot at this table"
    KEEP_ONE_SMALL = (
        "KEEP_ONE_SMALL",
        "one of the {most} wagers on spot {spot} must be {small:money} or less: lower one of them, or take one back",
    )
    BIGGER_EQUALS_MAIN = "BIGGER_EQUALS_MAIN", "{wager} must be exactly the {main} of {amount:money}"
    MAIN_HAS_BIGGER = "MAIN_HAS_BIGGER", "take back the wagers that equal the {wager} before you change it"
    NOT_AN_ALLOWED_AMOUNT = "NOT_AN_ALLOWED_AMOUNT", "{wager} is {allowed:money_or}, not {amount:money}"
    BELOW_MINIMUM = "BELOW_MINIMUM", "the minimum {wager} is {least:money}, not {amount:money}"
    ABOVE_MAXIMUM = "ABOVE_MAXIMUM", "the maximum {wager} is {most:money}, not {amount:money}"
    NOT_IN_CHIPS = "NOT_IN_CHIPS", "{amount:money} cannot be made up of {chip:money} chips"
    NOTHING_TO_CLEAR = "NOTHING_TO_CLEAR", "spot {spot} has no such wager to take back"
    NO_WAGERS = "NO_WAGERS", "nobody has made a main wager"
    SPOTS_APART = "SPOTS_APART", "the spots of {player} must be next to each other"
    NO_SUCH_CARD = "NO_SUCH_CARD", "there is no such card"
    CARD_NEEDED = "CARD_NEEDED", "only the hole card may be dealt face down: enter this card"
    TOO_MANY_COPIES = "TOO_MANY_COPIES", "{decks} decks cannot hold {copy} copies of {card}"
    PEEK_SAID_OTHERWISE = "PEEK_SAID_OTHERWISE", "{card} contradicts the peek"
    INSURANCE_ANSWERED = "INSURANCE_ANSWERED", "spot {spot} has already decided on insurance"
    EVEN_MONEY_NEEDS_BLACKJACK = "EVEN_MONEY_NEEDS_BLACKJACK", "even money is offered only on a blackjack"
    INSURE_EQUALLY = "INSURE_EQUALLY", "insure every main wager for the same amount"
    INSURANCE_AMOUNT = (
        "INSURANCE_AMOUNT",
        "insurance is {least:money} to {most:money} on each wager, in steps of {step:money}",
    )
    NOT_YOUR_TURN = "NOT_YOUR_TURN", "it is spot {turn}'s turn"
    SPLIT_ACES_GET_ONE_CARD = "SPLIT_ACES_GET_ONE_CARD", "split aces receive one card each"
    DOUBLE_NOT_OFFERED = "DOUBLE_NOT_OFFERED", "doubling is not offered"
    DOUBLE_NEEDS_TWO_CARDS = "DOUBLE_NEEDS_TWO_CARDS", "only the first two cards of a hand may be doubled"
    DOUBLE_NOT_AFTER_SPLIT = "DOUBLE_NOT_AFTER_SPLIT", "a split hand may not be doubled"
    DOUBLE_NEEDS_TOTAL = "DOUBLE_NEEDS_TOTAL", "only a total of {totals} may be doubled"
    DOUBLE_AMOUNT = "DOUBLE_AMOUNT", "double by {least:money} to {most:money} on the {wager}, in steps of {step:money}"
    DOUBLE_NOTHING = "DOUBLE_NOTHING", "add to at least one wager to double"
    DOUBLE_ALIKE = "DOUBLE_ALIKE", "double every main wager in the same proportion"
    SPLIT_NEEDS_A_PAIR = "SPLIT_NEEDS_A_PAIR", "only two cards of the same {alike:coded} may be split"
    SPLIT_LIMIT = "SPLIT_LIMIT", "a hand may be split into at most {hands} hands"
    ACES_SPLIT_ONCE = "ACES_SPLIT_ONCE", "aces may be split only once"
    SURRENDER_NOT_OFFERED = "SURRENDER_NOT_OFFERED", "surrender is not offered"
    SURRENDER_NOT_AFTER_SPLIT = "SURRENDER_NOT_AFTER_SPLIT", "a split hand may not be surrendered"
    SURRENDER_IS_THE_FIRST_DECISION = (
        "SURRENDER_IS_THE_FIRST_DECISION",
        "surrender is allowed only as the first decision on the first two cards",
    )


_WAGER_PHASES = (Phase.BETTING, Phase.LATE_WAGERS)
AFTER_THE_PEEK, BEFORE_THE_PEEK = "moment/after-the-peek", "moment/before-the-peek"
BEFORE_THE_DEAL = "moment/before-the-deal"
phrases(
    {
        AFTER_THE_PEEK: "after the peek",
        BEFORE_THE_PEEK: "after the deal, before the peek",
        BEFORE_THE_DEAL: "before the deal",
        "pair/rank": "printed rank",
        "pair/value": "value",
    }
)


@dataclass(frozen=True, slots=True)
class DetailedRefusal:
    reason: Refusal
    details: Details

    @property
    def sentence(self) -> str:
        return sentence(self.reason.value, self.details)


class CommandRefused(CodedError):  # noqa: N818 - casino English, not a traceback
    """The command was not carried out, and nothing has changed."""

    def __init__(self, refused: DetailedRefusal) -> None:
        self.refused = refused
        super().__init__(refused.reason, **refused.details)


def refusal(state: Round, terms: Terms, command: c.Command) -> DetailedRefusal | None:
    """Why this command is refused; None if it is allowed."""
    return next(reasons(state, terms, command), None)


def _no(reason: Refusal, **details: Parameter) -> DetailedRefusal:
    return DetailedRefusal(reason, details)


def reasons(state: Round, terms: Terms, command: c.Command) -> Iterator[DetailedRefusal]:
    """Every reason why this command is refused, the most important first."""
    if state.phase is Phase.OVER:
        return iter([_no(Refusal.ROUND_OVER)])
    match command:
        case c.PlaceWager():
            return _place(state, terms, command)
        case c.ClearWagers():
            return _clear(state, terms, command)
        case c.CloseBetting():
            return _close_betting(state, terms)
        case c.DealCard():
            return _deal(state, terms, command)
        case c.Insure() | c.DeclineInsurance() | c.TakeEvenMoney():
            return _insurance(state, terms, command)
        case c.CloseInsurance():
            return _expect(state, terms, InsuranceAnswers)
        case c.Peek():
            return _expect(state, terms, PeekAnswer)
        case c.CloseLateWagers():
            late = state.phase is Phase.LATE_WAGERS
            return iter(() if late else [_no(Refusal.NOT_NOW, awaited=awaiting(state, terms).coded)])
        case c.Hit() | c.Stay() | c.Double() | c.Split() | c.Surrender():
            return _play(state, terms, command)
        case _:
            assert_never(command)


def _expect(state: Round, terms: Terms, *expected: type) -> Iterator[DetailedRefusal]:
    awaited = awaiting(state, terms)
    if not isinstance(awaited, expected):
        yield _no(Refusal.NOT_NOW, awaited=awaited.coded)


def _place(state: Round, terms: Terms, command: c.PlaceWager) -> Iterator[DetailedRefusal]:
    if state.phase not in _WAGER_PHASES:
        yield _no(Refusal.NOT_NOW, awaited=awaiting(state, terms).coded)
    if command.spot not in terms.owners:
        yield _no(Refusal.UNKNOWN_SPOT, spot=command.spot)
        return
    wager = terms.wagers.get(command.wager)
    if wager is None:
        yield _no(Refusal.UNKNOWN_WAGER, wager=command.wager)
        return
    if wager.off:
        yield _no(Refusal.WAGER_OFF, wager=wager.name, why={"code": wager.off})
    if wager.late != (state.phase is Phase.LATE_WAGERS):
        late = BEFORE_THE_PEEK if terms.late_wagers_before_peek else AFTER_THE_PEEK
        moment = late if wager.late else BEFORE_THE_DEAL
        yield _no(Refusal.WRONG_MOMENT, wager=wager.name, moment={"code": moment})
    spot = state.spot(command.spot)
    placed = spot.wagers if spot else {}
    if wager.role != "main" and terms.main.name not in placed:
        yield _no(Refusal.MAIN_WAGER_FIRST, wager=wager.name, main=terms.main.name)
        return
    if wager.requires_any and not any(other in placed for other in wager.requires_any):
        yield _no(Refusal.NEEDS_ANOTHER_WAGER, wager=wager.name, others=list(wager.requires_any))
    if wager.lost_with_hand and wager.late and spot is not None and spot.hands and spot.hands[0].is_natural:
        yield _no(Refusal.HAND_IS_OVER, wager=wager.name, spot=command.spot)
    hold = terms.holds.get(command.spot)
    if hold is not None and hold.get(wager.name) != command.amount:
        yield _no(Refusal.FLAT_BET, spot=command.spot, held=dict(hold))
    if terms.most_wagers is not None and len({*placed, wager.name}) > terms.most_wagers:
        yield _no(Refusal.TOO_MANY_WAGERS, most=terms.most_wagers)
    if hold is not None:  # a flat bet was within the limits when it was first made
        return
    amount, allowed = command.amount, stake_range(terms, wager, placed)
    if allowed.because == "bigger" and amount not in allowed.only:
        yield _no(Refusal.BIGGER_EQUALS_MAIN, wager=wager.name, main=wager.equals, amount=allowed.only[0])
    elif allowed.because == "main" and amount not in allowed.only:
        yield _no(Refusal.MAIN_HAS_BIGGER, wager=wager.name)
    elif allowed.only and amount not in allowed.only:
        yield _no(Refusal.NOT_AN_ALLOWED_AMOUNT, wager=wager.name, allowed=list(allowed.only), amount=amount)
    elif not allowed.only:
        if amount < allowed.least:
            yield _no(Refusal.BELOW_MINIMUM, wager=wager.name, least=allowed.least, amount=amount)
        if amount > allowed.most:
            yield _no(Refusal.ABOVE_MAXIMUM, wager=wager.name, most=allowed.most, amount=amount)
        if amount % allowed.step:
            yield _no(Refusal.NOT_IN_CHIPS, amount=amount, chip=terms.chip)
    if terms.small_stake is not None and lacks_small_wager(terms, {**placed, wager.name: amount}):
        yield _one_small(terms, command.spot)


def _one_small(terms: Terms, spot: int) -> DetailedRefusal:
    return _no(Refusal.KEEP_ONE_SMALL, most=terms.most_wagers, spot=spot, small=terms.small_stake)


def _clear(state: Round, terms: Terms, command: c.ClearWagers) -> Iterator[DetailedRefusal]:
    if state.phase not in _WAGER_PHASES:
        yield _no(Refusal.NOT_NOW, awaited=awaiting(state, terms).coded)
    if command.spot not in terms.owners:
        yield _no(Refusal.UNKNOWN_SPOT, spot=command.spot)
    spot = state.spot(command.spot)
    clearable = (
        []
        if spot is None
        else [name for name in spot.wagers if state.phase is Phase.BETTING or terms.wagers[name].late]
    )
    if not clearable or (command.wager and command.wager not in clearable):
        yield _no(Refusal.NOTHING_TO_CLEAR, spot=command.spot)


def _close_betting(state: Round, terms: Terms) -> Iterator[DetailedRefusal]:
    if state.phase is not Phase.BETTING:
        yield _no(Refusal.NOT_NOW, awaited=awaiting(state, terms).coded)
    if not state.spots:
        yield _no(Refusal.NO_WAGERS)
    playing: dict[str, list[int]] = {}
    for spot in state.spots:
        playing.setdefault(spot.player, []).append(spot.number)
    for number in holds_unmet(state, terms):
        yield _no(Refusal.FLAT_BET, spot=number, held=dict(terms.holds[number]))
    if terms.small_stake is not None:
        short = (spot for spot in state.spots if lacks_small_wager(terms, spot.wagers))
        yield from (_one_small(terms, spot.number) for spot in short)
    for player, spots in playing.items():
        if terms.adjacent_spots and spots[-1] - spots[0] >= len(spots):
            yield _no(Refusal.SPOTS_APART, player=player)


def holds_unmet(state: Round, terms: Terms) -> Iterator[int]:
    """Spots that lack a wager: a flat-bet player repeats every wager of their first hand, on every spot they had."""
    playing = {spot.player for spot in state.spots}
    for number, hold in terms.holds.items():
        spot = state.spot(number)
        before_the_deal = {name for name in hold if not terms.wagers[name].late}
        plays = terms.owners[number] in playing
        if plays and set(spot.wagers if spot else ()) != before_the_deal:
            yield number


def _deal(state: Round, terms: Terms, command: c.DealCard) -> Iterator[DetailedRefusal]:
    awaited = awaiting(state, terms)
    if not isinstance(awaited, PlayerCard | DealerCard):
        yield _no(Refusal.NOT_NOW, awaited=awaited.coded)
        return
    card = command.card
    if card is None:
        if awaited != HOLE_CARD:
            yield _no(Refusal.CARD_NEEDED)
        return
    if not 0 <= card < 52:
        yield _no(Refusal.NO_SUCH_CARD)
        return
    copies = copies_on_table(state, terms, card)
    if copies >= terms.decks:
        yield _no(Refusal.TOO_MANY_COPIES, decks=terms.decks, copy=copies + 1, card=card_text(card))
    if awaited == REVEAL:
        values = {value_of_rank(rank_of(card)), value_of_rank(rank_of(state.dealer[0]))}
        if (values == {1, 10}) != bool(state.peeked):
            yield _no(Refusal.PEEK_SAID_OTHERWISE, card=card_text(card))


def _insurance(
    state: Round, terms: Terms, command: c.Insure | c.DeclineInsurance | c.TakeEvenMoney
) -> Iterator[DetailedRefusal]:
    yield from _expect(state, terms, InsuranceAnswers)
    spot = state.spot(command.spot)
    if spot is None:
        yield _no(Refusal.SPOT_NOT_IN_PLAY, spot=command.spot)
        return
    may_answer = not spot.insurance_answered or spot.number in may_still_insure(state, terms)
    if not may_answer or (spot.insurance_answered and isinstance(command, c.DeclineInsurance)):
        yield _no(Refusal.INSURANCE_ANSWERED, spot=spot.number)
    if isinstance(command, c.TakeEvenMoney) and (terms.rules.even_money is None or not spot.hands[0].is_natural):
        yield _no(Refusal.EVEN_MONEY_NEEDS_BLACKJACK)
    if isinstance(command, c.Insure):
        amounts = dict(command.amounts)
        mains = set(spot.hands[0].stakes)
        if set(amounts) != mains or len(amounts) != len(command.amounts) or len(set(amounts.values())) != 1:
            yield _no(Refusal.INSURE_EQUALLY)
            return
        allowed = insurance_range(terms, spot)
        if next(iter(amounts.values())) not in allowed:
            least, most, step = allowed.least, allowed.most, allowed.step
            yield _no(Refusal.INSURANCE_AMOUNT, least=least, most=most, step=step)


def _play(
    state: Round, terms: Terms, command: c.Hit | c.Stay | c.Double | c.Split | c.Surrender
) -> Iterator[DetailedRefusal]:
    awaited = awaiting(state, terms)
    if not isinstance(awaited, PlayerDecision):
        yield _no(Refusal.NOT_NOW, awaited=awaited.coded)
        return
    if awaited.spot != command.spot:
        yield _no(Refusal.NOT_YOUR_TURN, turn=awaited.spot)
        return
    spot = state.spot(awaited.spot)
    if spot is None:
        yield _no(Refusal.SPOT_NOT_IN_PLAY, spot=awaited.spot)
        return
    hand = spot.hands[awaited.hand]
    match command:
        case c.Stay():
            return
        case c.Hit():
            yield from _split_aces_get_one_card(terms, hand)
        case c.Double():
            yield from _split_aces_get_one_card(terms, hand)
            yield from _double(terms, hand, command)
        case c.Split():
            yield from _split(terms, spot, hand)
        case c.Surrender():
            yield from _surrender(terms, hand)
        case _:
            assert_never(command)


def _split_aces_get_one_card(terms: Terms, hand: Hand) -> Iterator[DetailedRefusal]:
    if hand.split and rank_of(hand.cards[0]) == ACE and not terms.rules.hit_split_aces:
        yield _no(Refusal.SPLIT_ACES_GET_ONE_CARD)


def _double(terms: Terms, hand: Hand, command: c.Double) -> Iterator[DetailedRefusal]:
    rules = terms.rules
    if rules.double == "none":
        yield _no(Refusal.DOUBLE_NOT_OFFERED)
    if len(hand.cards) != 2:
        yield _no(Refusal.DOUBLE_NEEDS_TWO_CARDS)
    if hand.split and not rules.das:
        yield _no(Refusal.DOUBLE_NOT_AFTER_SPLIT)
    if rules.double in ("9-11", "10-11"):
        least = int(rules.double.partition("-")[0])
        if not least <= hand.points <= 11:
            yield _no(Refusal.DOUBLE_NEEDS_TOTAL, totals=rules.double)
    amounts = dict(command.amounts)
    if len(amounts) != len(command.amounts) or not set(amounts) <= set(hand.stakes):
        unknown = next((name for name, _ in command.amounts if name not in hand.stakes), "?")
        yield _no(Refusal.UNKNOWN_WAGER, wager=unknown)
        return
    for name, amount in amounts.items():
        allowed = double_range(terms, hand, name)
        if amount not in allowed:
            bounds = {"least": allowed.least, "most": allowed.most, "step": allowed.step}
            yield _no(Refusal.DOUBLE_AMOUNT, wager=name, **bounds)
    if not any(amounts.values()):
        yield _no(Refusal.DOUBLE_NOTHING)
    if terms.doubles_alike:
        main, *others = hand.stakes
        added, stake = amounts.get(main, 0), hand.stakes[main]
        if any(amounts.get(other, 0) * stake != added * hand.stakes[other] for other in others):
            yield _no(Refusal.DOUBLE_ALIKE)


def _split(terms: Terms, spot: Spot, hand: Hand) -> Iterator[DetailedRefusal]:
    rules = terms.rules
    ranks = [rank_of(card) for card in hand.cards]
    alike = ranks if rules.split == "rank" else [value_of_rank(rank) for rank in ranks]
    if len(hand.cards) != 2 or alike[0] != alike[1]:
        yield _no(Refusal.SPLIT_NEEDS_A_PAIR, alike={"code": f"pair/{rules.split}"})
    if len(spot.hands) >= rules.hands:
        yield _no(Refusal.SPLIT_LIMIT, hands=rules.hands)
    if hand.split and ranks[0] == ACE and not may_split_aces_again(hand, len(spot.hands), terms):
        yield _no(Refusal.ACES_SPLIT_ONCE)


def _surrender(terms: Terms, hand: Hand) -> Iterator[DetailedRefusal]:
    if terms.rules.surrender == "none":
        yield _no(Refusal.SURRENDER_NOT_OFFERED)
    if hand.split:
        yield _no(Refusal.SURRENDER_NOT_AFTER_SPLIT)
    if len(hand.cards) != 2:
        yield _no(Refusal.SURRENDER_IS_THE_FIRST_DECISION)
