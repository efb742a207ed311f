"""A whole table in compiled code: shoe, deal, peek, play, dealer, and one tally for every spot of every round.

The kernel knows no wager, no chart and no paytable: `compile` turns them into the arrays below. Each
spot of a round is one cell of one histogram: the count before the deal, the bet, the class of the dealer's hand, the
class of the first cards, insurance, and the result of the hand. Hits, sums, squares and joint results follow from it.
"""

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from upcard.odds.main.jit import compiled, compiled_part

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]
Counts = npt.NDArray[np.uint32]
Seeds = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

as_int = cast(type[int], np.int64)  # makes any number a signed integer

VERSION = 1  # of the compiled code; part of a run's fingerprint

# What a chart does with a hand; ALONE is a split ace, which gets no decision.
STAND, HIT, DOUBLE, SPLIT, SURRENDER, NATURAL, ALONE = range(7)
AGAIN = 64  # set in a state that draws
BLACKJACK = 128  # set in a dealer's two cards that are one
STATE = 63
WIDTH = 16  # ranks of a row of states
UPS = 10  # up cards by value

# The result of a spot; hands of a split follow, by their net units.
BUST, LOSE, PUSH, WIN = range(4)
TWICE = 4  # added to the four above: doubled
PAID_NATURAL, PUSHED_NATURAL, DEALER_NATURAL, SURRENDERED, SPLITS = range(8, 13)

# How a spot's cards ended: a state, doubled or not, or one of these; the state number of a bust is its total.
DOUBLED = 64
END_PAID_NATURAL, END_PUSHED_NATURAL, END_DEALER_NATURAL, END_SURRENDERED, END_SPLIT = range(123, 128)

NOT_INSURED, INSURANCE_LOST, INSURANCE_WON = range(3)

# The shoe, in two arrays. Bytes: the cards in order, whose they are, whose lie in the discards, and the first cards of
# a round near the end of the shoe.
DECK, OWNER, DEAD, DEALT, SHOE_BYTES = 0, 512, 1024, 1280, 1296
# Numbers: the running count before each position, the tag of each card, and the current positions.
RUNNING, TAGS, NEXT, SHOE_NUMBERS = 0, 512, 564, 584
SHUFFLED, START, OVER, FAILED, LOGGED, UNLOGGED, SERIAL, COUNTING, SPOTS, BASE = range(NEXT + 1, NEXT + 11)
# IS_LANE: the cards are those of a lane of the lockstep kernel. RESUMED: go on in the middle of a shoe, with these two.
IS_LANE, RESUMED, SHOE_ROUNDS, FIRST_BET = range(NEXT + 11, NEXT + 15)
# A lane's generator: one that seeds the shoes, and the current shoe's.
OF_SHOE, LANE_WORDS = 4, 8
# The hands of split pairs: their states, their wagers, and where each spot's begin.
TIMES, BEGINS, HAND_NUMBERS = 64, 128, 144
# The rules and the chart as automata over ranks, in one array.
VALUE = 0  # [rank] up card as a column of the chart
INSURABLE = 16  # [rank]
TWO = 32  # [rank, rank] the state of two cards
FIRST = 208  # [rank, rank, up] what the chart does with them: STAND, HIT, or another action, which SPECIAL names
SPLIT_ACT = 1904  # [more hands may be made, rank, rank, up] and with two cards of a split hand
POINTS = 5288  # [state] its points against the dealer, zero for a bust
FORFEITS = 5352  # [state] 1 for the total that loses a wager on the dealer's hand
DEALER_TWO = 5416  # [up, hole]
DEALER_STEP = 5592  # [state, rank]
DEALER_POINTS = 6616  # [state] one for a bust
OUTCOME = 6680  # [end, dealer's points] the result
STEP = 10776  # [up, state, rank] the next state, with AGAIN where the chart hits it
SPECIAL = 21016  # [rank, rank, up]
TABLE_BYTES = 22712

EIGHT = 7
DEALER = 255  # owns the dealer's cards
MOST_CARDS = 24  # of a dealer's hand, and more than any can have
GAINED = 4  # bits for the number of spots that gained by a side wager
FEATURES = 13 * MOST_CARDS * 32  # of a dealer's final hand: up rank, cards, total, suited, three eights
TOTAL_16 = 15  # subtracted from a total of the dealer: 0 not played out, 1 bust, 2 to 6 for 17 to 21
LOST_WITH_HAND = 4  # in a bet's bonus (R6)
MASK = np.uint64(0xFFFFFFFF)
SHIFT = 1048576.0  # added before a count is truncated to an integer, so that it rounds down


class ShoeState(NamedTuple):
    """The cards and the position in them; cards after SHUFFLED are not shuffled yet."""

    cards: int
    bytes: Bytes
    numbers: Ints
    generator: Seeds
    log: Bytes  # every card in the order dealt; empty where none is kept


class GameArrays(NamedTuple):
    """The rules and the chart as arrays."""

    seats: tuple[int, ...]  # the spots, as a tuple: the compiler makes code for each length
    hands: int
    cut: int
    ahead: int  # how many cards beyond those due are shuffled at a time
    most_cards: int  # the most a round can take
    tables: Bytes


class SpreadArrays(NamedTuple):
    """The bet spread as arrays: what the player bets and insures, by true count."""

    bins: int
    low: int
    inverse: Floats  # [cards dealt] one over the cards left
    bet: Bytes  # [bin] the bet made there
    bets: int
    flat_after: int  # rounds of a shoe before the player is held to its first wagers
    insure_from: int
    insures: int  # 0: never
    bonus: Bytes  # [bet] wagers on the dealer's hand: 1 none is forfeited by a total, 2 one is, 3 both; 4 with the hand
    keeps: Bytes  # [bet] side wagers that keep the cards of busted hands on the table: 1 to the end, 2 to the last hand
    slot: Words  # [bin, bet] the index of the two among those that occur together


class Classes(NamedTuple):
    """The side wagers combined: a class of cards is one event of each of them."""

    ranks: Words
    suits: Words
    suit_classes: int
    join: Counts  # times the cells of a class
    hole_read: int
    deals: int
    dealers: int
    insured: int
    results: int
    dealer: Counts  # times the cells of a class [0, forfeited or natural, up rank, cards, total, suited, three eights]
    unplayed: Counts  # the same where the dealer has a blackjack [the spot has one, up rank, suited]


class Nets(NamedTuple):
    """Cents won or lost by each result."""

    main: Ints  # [bet, result]
    insurance: Ints  # [bet, insured]
    deal: Ints  # [bet, class, wager]
    dealer: Ints  # [bet, class, wager]
    deal_wagers: int
    dealer_wagers: int


class Worths(NamedTuple):
    """The same for sums of a round's spots; a side wager's gain is its worth above class 0, which has no event."""

    main: Ints  # [bet, result]
    spot: Ints  # [bet, cell of a slot] all wagers, times 1 << GAINED; plus one where a side wager gained
    gains: Ints  # [bet, dealer's class, deal's class, side wager]


class Counters(NamedTuple):
    """What the kernel counts."""

    cells: Counts
    split_hands: Ints  # [bet, result]
    squares: Ints  # [bin, bet, wager], with several spots: of a round's sums; of a side wager products of its gains
    blocks: Ints  # sums of so many rounds each
    block: int


class RoundTrace(NamedTuple):
    """A round as it was played, to be replayed."""

    rounds: Ints  # [round] cards and acts so far, bet, bin, new shoe, shoe over
    spots: Ints  # [round, spot] class of the deal, of the dealer, insured, result
    hands: Ints  # [hand] round, spot, result
    acts: Bytes


@compiled
def shuffle(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, begin: int, end: int) -> int:
    """Shuffles the next positions, sometimes one more than asked; returns the first position not yet shuffled.

    Fisher-Yates from the front, two cards out of each word of xoshiro256++.
    """
    if numbers[IS_LANE]:
        shuffle_lane(cards, deck, numbers, generator, begin, end)
        return end
    s0, s1, s2, s3 = generator[0], generator[1], generator[2], generator[3]
    left = np.uint64(cards - begin)
    counting = numbers[COUNTING] != 0
    count = numbers[RUNNING + begin]
    place = begin
    while place < end:
        word = s0 + s3
        word = ((word << np.uint64(23)) | (word >> np.uint64(41))) + s0
        shifted = s1 << np.uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
        for half in range(2):
            scaled = ((word >> np.uint64(32)) if half else (word & MASK)) * left
            rest = scaled & MASK
            if rest < left and rest < (MASK + np.uint64(1) - left) % left:
                continue  # words that would favour some cards are rejected
            target = np.uint32(place)
            source = np.uint32(place + as_int(scaled >> np.uint64(32)))
            card = deck[source]
            deck[source] = deck[target]
            deck[target] = card
            place += 1
            left -= np.uint64(1)
            if counting:
                count += numbers[TAGS + as_int(card)]
                numbers[np.uint32(place)] = count
    place = min(place, cards)  # the second half of a word may have had no card left to move
    generator[0], generator[1], generator[2], generator[3] = s0, s1, s2, s3
    return place


@compiled_part
def next_lane_word(generator: Seeds, at: int) -> int:
    """xoshiro128++, in four 64-bit numbers."""
    s0, s1, s2, s3 = generator[at], generator[at + 1], generator[at + 2], generator[at + 3]
    word = (s0 + s3) & MASK
    word = (((word << np.uint64(7)) | (word >> np.uint64(25))) + s0) & MASK
    shifted = (s1 << np.uint64(9)) & MASK
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = ((s3 << np.uint64(11)) | (s3 >> np.uint64(21))) & MASK
    generator[at], generator[at + 1], generator[at + 2], generator[at + 3] = s0, s1, s2, s3
    return word  # type: ignore[no-any-return]  # a number of numpy


@compiled_part
def begin_lane_shoe(cards: int, deck: Bytes, generator: Seeds) -> None:
    """A lane's shoe starts sorted, with a seed of its own: how far the last one was shuffled ahead does not matter."""
    decks = cards // 52
    for place in range(cards):
        deck[place] = place // decks
    for word in range(4):
        generator[OF_SHOE + word] = next_lane_word(generator, as_int(0))


@compiled_part
def shuffle_lane(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, begin: int, end: int) -> None:
    """Fisher-Yates from the front, one word per card; words that would favour some cards are rejected."""
    count = numbers[RUNNING + begin]
    for place in range(begin, end):
        left = np.uint64(cards - place)
        scaled = np.uint64(next_lane_word(generator, as_int(OF_SHOE))) * left
        while scaled & MASK < (MASK + np.uint64(1) - left) % left:
            scaled = np.uint64(next_lane_word(generator, as_int(OF_SHOE))) * left
        source = place + as_int(scaled >> np.uint64(32))
        card = deck[source]
        deck[source] = deck[place]
        deck[place] = card
        count += numbers[TAGS + as_int(card)]
        numbers[RUNNING + place + 1] = count


@compiled_part
def prepare_cards(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes) -> None:
    """Shuffles a few more cards when one is due beyond SHUFFLED, or brings the discards back."""
    if numbers[SHUFFLED] == cards:
        refill(cards, deck, numbers, log)
    end = min(numbers[SHUFFLED] + 8, cards)
    numbers[SHUFFLED] = shuffle(cards, deck, numbers, generator, numbers[SHUFFLED], end)


@compiled_part
def refill(cards: int, deck: Bytes, numbers: Ints, log: Bytes) -> None:
    """R33: the cards not on the table are shuffled and dealt."""
    if log.size:
        for place in range(numbers[UNLOGGED], cards):
            log[numbers[LOGGED]] = deck[place]
            numbers[LOGGED] += 1
    if numbers[BASE] != DEALT:
        mark_deal(deck, numbers)
    old = deck.copy()
    kept = 0
    for place in range(numbers[START], cards):
        owner = old[OWNER + place]
        if not deck[DEAD + as_int(owner)]:
            deck[kept], deck[OWNER + kept] = old[place], owner
            numbers[RUNNING + kept + 1] = numbers[RUNNING + kept] + numbers[TAGS + as_int(old[place])]
            kept += 1
    end = kept
    if numbers[IS_LANE]:  # which does not know its discards: all cards that are not on the table, sorted
        left = np.zeros(52, np.int64)
        for place in range(kept):
            left[as_int(deck[place])] -= 1
        for card in range(52):
            for _ in range(cards // 52 + left[card]):
                deck[end] = card
                end += 1
    else:
        for place in range(cards):
            if place < numbers[START] or deck[DEAD + as_int(old[OWNER + place])]:
                deck[end] = old[place]
                end += 1
    if kept == cards:  # every card lies on the table: none is left to deal
        numbers[FAILED] = 1
        kept = 0
    numbers[START], numbers[NEXT], numbers[SHUFFLED], numbers[UNLOGGED], numbers[OVER] = 0, kept, kept, kept, 1


@compiled_part
def mark_deal(deck: Bytes, numbers: Ints) -> None:
    """Records the first cards and their owners; needed only before a split and before a refill."""
    start, spots = numbers[START], numbers[SPOTS]
    for card in range(2 * spots + 2):
        place = card % (spots + 1)
        deck[DEALT + card] = deck[start + card]
        deck[OWNER + start + card] = place if place < spots else DEALER
    numbers[BASE] = DEALT


@compiled_part
def draw(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes, owner: int) -> int:
    """The next card, for rare paths."""
    if numbers[NEXT] == numbers[SHUFFLED]:
        prepare_cards(cards, deck, numbers, generator, log)
    place = numbers[NEXT]
    deck[OWNER + place] = owner
    numbers[NEXT] += 1
    return as_int(deck[place])


@compiled_part
def deal_slowly(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes, spots: int) -> None:
    """A deal that the end of the shoe may interrupt."""
    for card in range(2 * spots + 2):
        place = card % (spots + 1)
        owner = place if place < spots else DEALER
        deck[DEALT + card] = draw(cards, deck, numbers, generator, log, owner)


@compiled_part
def play_split(
    cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes, tables: Bytes, hands: Ints, acts: Bytes,
    acts_made: int, spot: int, up_value: int, begin: int, pair: int, most: int, keeps: int,
) -> tuple[int, int]:  # fmt: skip
    """Plays a pair as its hands, left to right; gives the number behind the last hand, and of acts said.

    While a hand waits, its state holds the first card's rank, and its wager holds its owner.
    """
    last, turn = begin + 2, begin
    hands[begin], hands[begin + 1] = pair // 13, pair % 13
    hands[TIMES + begin], hands[TIMES + begin + 1] = spot, reassign_card(deck, numbers, spot)
    if acts.size:
        acts[acts_made] = SPLIT
        acts_made += 1
    while turn < last:
        owner = hands[TIMES + turn]
        second = draw(cards, deck, numbers, generator, log, owner) >> 2
        pair = hands[turn] * 13 + second
        act = tables[SPLIT_ACT + (as_int(last - begin < most) * 169 + pair) * UPS + up_value]
        if act == SPLIT:
            for place in range(last, turn + 1, -1):
                hands[place], hands[TIMES + place] = hands[place - 1], hands[TIMES + place - 1]
            hands[turn + 1], hands[TIMES + turn + 1] = second, reassign_card(deck, numbers, owner)
            last += 1
            if acts.size:
                acts[acts_made] = SPLIT
                acts_made += 1
            continue
        state = as_int(tables[TWO + pair])
        hands[TIMES + turn] = 1
        again = act in (HIT, DOUBLE)
        while again:
            card = draw(cards, deck, numbers, generator, log, owner)
            moved = tables[STEP + (up_value * 64 + state) * WIDTH + (card >> 2)]
            state = as_int(moved) & STATE
            again = moved >= AGAIN and act == HIT
            if acts.size:
                acts[acts_made] = act
                acts_made += 1
        if act == DOUBLE:
            hands[TIMES + turn] = 2
        elif acts.size and act != ALONE and tables[POINTS + state]:
            acts[acts_made] = STAND
            acts_made += 1
        hands[turn] = state
        if not keeps and not tables[POINTS + state]:
            deck[DEAD + owner] = 1
        turn += 1
    return last, acts_made


@compiled_part
def reassign_card(deck: Bytes, numbers: Ints, owner: int) -> int:
    """Gives an owner's last card to a new owner."""
    new_owner = numbers[SERIAL]
    numbers[SERIAL] += 1
    deck[DEAD + new_owner] = 0
    for place in range(numbers[NEXT] - 1, numbers[START] - 1, -1):
        if deck[OWNER + place] == owner:
            deck[OWNER + place] = new_owner
            break
    return as_int(new_owner)


@compiled
def play(
    rounds: int,
    shoe: ShoeState,
    game: GameArrays,
    spread: SpreadArrays,
    classes: Classes,
    worths: Worths,
    tally: Counters,
    trace: RoundTrace | None,
) -> int:
    """Plays so many rounds, starting with a new shoe; returns how many were played before a shoe could not continue."""
    cards, deck, numbers, generator, log = shoe
    seats, most_hands, cut, lead, most_cards, tables = game
    spots = len(seats)
    bins, low, inverse, bet_of = spread.bins, spread.low, spread.inverse, spread.bet
    bets, flat_after, insure_from, insures = spread.bets, spread.flat_after, spread.insure_from, spread.insures
    bonus_of, keeps_of, slot_of = spread.bonus, spread.keeps, spread.slot
    rank_class, suit_class, suit_classes = classes.ranks, classes.suits, classes.suit_classes
    join = classes.join
    hole_read, deals, dealers, insurances = classes.hole_read, classes.deals, classes.dealers, classes.insured
    results, dealer_class = classes.results, classes.dealer
    unplayed = classes.unplayed
    cells, split_hands, squares, block = tally.cells, tally.split_hands, tally.squares, tally.block
    # all of one type: each type of new array takes a fifth of a second to compile
    ends, forfeits = np.zeros(8, np.int64), np.zeros(8, np.int64)
    deal_classes, dealer_classes, spot_cells = np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(8, np.int64)
    hands = np.zeros(HAND_NUMBERS, np.int64)
    spot_worth, main_worth, gains = worths.spot, worths.main, worths.gains
    bank, banked, blocks = 0, 0, 0
    deal_cells = insurances * results  # the classes' numbers come multiplied by the cells of one
    dealer_cells = deals * deal_cells
    slot_cells = dealers * dealer_cells
    one_class = (1 << 32) // deal_cells + 1  # times a cell: its classes' number, above 32 bits
    dealt = 2 * spots + 2
    ahead = cut + lead
    totals = spots > 1 or block > 0
    side_wagers = gains.size // (bets * dealers * deals)
    sums = side_wagers + 3
    place, shuffled, start, base = 0, 0, 0, 0
    over = True
    shoe_rounds, first_bet = 0, 0
    acts = np.empty(0, np.uint8)
    acts_made, traced_hands, first_owner = as_int(0), 0, 0
    if trace is not None:
        acts = trace.acts
    if numbers[RESUMED]:
        place, shuffled, over = numbers[NEXT], numbers[SHUFFLED], False
        shoe_rounds, first_bet = numbers[SHOE_ROUNDS], numbers[FIRST_BET]
    for number in range(rounds):
        new = over
        if over:
            place, shuffled, shoe_rounds = 0, 0, 0
            if numbers[IS_LANE]:
                begin_lane_shoe(cards, deck, generator)
        start = place
        near_end = cards - place < most_cards
        # the bet at this count
        column, bet = 0, 0
        if bins > 1:
            true = as_int((numbers[np.uint32(start)] * 52 + 0.5) * inverse[np.uint32(start)] + SHIFT) - 1048576
            column = as_int(min(max(true - low, 0), bins - 1))
            bet = as_int(bet_of[column])
            if shoe_rounds == 0:
                first_bet = bet
            elif shoe_rounds >= flat_after:
                bet = first_bet
            shoe_rounds += 1
        # the deal: each spot a card, the dealer's up card, each spot another, the hole card
        if cards - place >= dealt:
            if shuffled < place + dealt:
                shuffled = shuffle(
                    cards, deck, numbers, generator, shuffled, min(cards, max(ahead, place + dealt + lead))
                )
            base = place
            place += dealt
        if near_end:
            numbers[START], numbers[UNLOGGED], numbers[SERIAL] = start, start, spots
            for spot in range(spots):
                deck[DEAD + spot] = 0
            if place == start:
                base = DEALT
            numbers[SPOTS], numbers[BASE] = spots, base
            if place == start:
                numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                deal_slowly(cards, deck, numbers, generator, log, spots)
                place, shuffled = numbers[NEXT], numbers[SHUFFLED]
        up = as_int(deck[np.uint32(base + spots)])
        hole = as_int(deck[np.uint32(base + 2 * spots + 1)])
        up_rank, hole_rank = up >> 2, hole >> 2
        up_value = as_int(tables[VALUE + up_rank])
        dealer = as_int(tables[DEALER_TWO + up_rank * 13 + hole_rank])
        if deals > 1:  # not after the dealer's play, where it would cost 3 ns more per spot
            for spot in range(spots):
                first = as_int(deck[np.uint32(base + spot)])
                second = as_int(deck[np.uint32(base + spots + 1 + spot)])
                ranks = ((first >> 2) * 13 + (second >> 2)) * 13 + up_rank
                suits = ((first & 3) * 4 + (second & 3)) * 4 + (up & 3)
                if hole_read:
                    ranks, suits = ranks * 13 + hole_rank, suits * 4 + (hole & 3)
                pattern = as_int(rank_class[np.uint32(ranks)]) * suit_classes + as_int(suit_class[np.uint32(suits)])
                deal_classes[spot] = join[np.uint32(pattern)]
        insured = 0
        if insures and tables[INSURABLE + up_rank]:
            last_seen = place - 1  # all but the hole card
            true = as_int((numbers[np.uint32(last_seen)] * 52 + 0.5) * inverse[np.uint32(last_seen)] + SHIFT) - 1048576
            if true >= insure_from:
                insured = INSURANCE_WON if dealer >= BLACKJACK else INSURANCE_LOST
        bonus = as_int(bonus_of[bet])
        score = 0
        if dealer >= BLACKJACK:
            for spot in range(spots):
                rank = as_int(deck[np.uint32(base + spot)] >> 2)
                pair = rank * 13 + as_int(deck[np.uint32(base + spots + 1 + spot)] >> 2)
                is_natural = tables[SPECIAL + pair * UPS + up_value] == NATURAL
                ends[spot] = END_PUSHED_NATURAL if is_natural else END_DEALER_NATURAL
                dealer_classes[spot] = unplayed[
                    (as_int(is_natural) * 13 + up_rank) * 2 + as_int((up & 3) == (hole & 3))
                ]
        else:
            live, last = 0, as_int(0)
            for spot in range(spots):
                rank = as_int(deck[np.uint32(base + spot)] >> 2)
                pair = rank * 13 + as_int(deck[np.uint32(base + spots + 1 + spot)] >> 2)
                act = as_int(tables[FIRST + pair * UPS + up_value])
                state = as_int(tables[TWO + pair])
                while act == HIT:
                    if place == shuffled:
                        numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                        prepare_cards(cards, deck, numbers, generator, log)
                        place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                        if near_end:
                            base = numbers[BASE]
                    if near_end:
                        deck[OWNER + place] = spot
                    moved = as_int(tables[STEP + (up_value * 64 + state) * WIDTH + as_int(deck[np.uint32(place)] >> 2)])
                    place += 1
                    state = moved & STATE
                    act = moved >> 6
                    if trace is not None:
                        acts[acts_made] = HIT
                        acts_made += 1
                end = state
                if act != STAND:
                    act = as_int(tables[SPECIAL + pair * UPS + up_value])
                    if act == DOUBLE:
                        if place == shuffled:
                            numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                            prepare_cards(cards, deck, numbers, generator, log)
                            place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                            if near_end:
                                base = numbers[BASE]
                        if near_end:
                            deck[OWNER + place] = spot
                        state = (
                            as_int(tables[STEP + (up_value * 64 + state) * WIDTH + as_int(deck[np.uint32(place)] >> 2)])
                            & STATE
                        )
                        place += 1
                        end = state | DOUBLED
                    elif act == NATURAL:
                        end, state = END_PAID_NATURAL, 0
                    elif act == SURRENDER:
                        end, state = END_SURRENDERED, 0
                    else:
                        end, state = END_SPLIT, 0
                        hands[BEGINS + spot] = last
                        if not near_end:  # owners were not recorded, and are not needed
                            numbers[START], numbers[SERIAL] = start, spots
                        elif base != DEALT:
                            mark_deal(deck, numbers)
                        numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                        first_owner = numbers[SERIAL]
                        last, acts_made = play_split(
                            cards, deck, numbers, generator, log, tables, hands, acts,
                            acts_made, spot, up_value, last, pair, most_hands, as_int(keeps_of[bet]),
                        )  # fmt: skip
                        place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                        if near_end:
                            base = numbers[BASE]
                ends[spot] = end
                alive = as_int(tables[POINTS + state])
                forfeited = as_int(tables[FORFEITS + state])
                if end == END_SPLIT:
                    hands[BEGINS + spot + 1] = last
                    for hand in range(hands[BEGINS + spot], last):
                        alive |= as_int(tables[POINTS + hands[hand]])
                        forfeited |= as_int(tables[FORFEITS + hands[hand]])
                    if near_end and alive == 0 and keeps_of[bet] == 2:  # its last wager went with the last hand
                        deck[DEAD + spot] = 1
                        for owner in range(first_owner, numbers[SERIAL]):
                            deck[DEAD + owner] = 1
                elif near_end and alive == 0 and end != END_PAID_NATURAL and not keeps_of[bet] & 1:
                    deck[DEAD + spot] = 1
                live |= alive
                if bonus:
                    if end == END_PAID_NATURAL:
                        forfeited = 2
                    elif bonus & LOST_WITH_HAND and alive == 0:
                        forfeited = 1
                    forfeits[spot] = forfeited
                    live |= (bonus & 1) | ((bonus >> 1) & as_int(forfeited != 1))
                if trace is not None:
                    hands[BEGINS + spot + 1] = last
                    if end == END_SURRENDERED:
                        acts[acts_made] = SURRENDER
                        acts_made += 1
                    elif end < DOUBLED and alive:
                        acts[acts_made] = STAND
                        acts_made += 1
                    elif act == DOUBLE:
                        acts[acts_made] = DOUBLE
                        acts_made += 1
            # the dealer draws if a hand or a wager depends on it
            drawn = place
            if live:
                while dealer & AGAIN:
                    if place == shuffled:
                        numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                        prepare_cards(cards, deck, numbers, generator, log)
                        drawn += numbers[NEXT] - place
                        place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                    if near_end:
                        deck[OWNER + place] = DEALER
                    dealer = as_int(
                        tables[DEALER_STEP + (dealer & STATE) * WIDTH + as_int(deck[np.uint32(place)] >> 2)]
                    )
                    place += 1
                score = as_int(tables[DEALER_POINTS + (dealer & STATE)])
            if bonus:
                suits = (1 << (up & 3)) | (1 << (hole & 3))
                eights = as_int(up_rank == EIGHT) + as_int(hole_rank == EIGHT)
                for back in range(drawn, place):
                    suits |= 1 << as_int(deck[back] & 3)
                    eights += as_int(deck[back] >> 2 == EIGHT)
                feature = (up_rank * MOST_CARDS + 2 + place - drawn) * 8
                feature += score - TOTAL_16 if score > TOTAL_16 else score
                feature = (feature * 2 + as_int(suits & (suits - 1) == 0)) * 2 + as_int(eights == 3)
                for spot in range(spots):
                    dealer_classes[spot] = dealer_class[forfeits[spot] * FEATURES + feature]
            elif dealers > 1:
                for spot in range(spots):
                    dealer_classes[spot] = 0
        # one cell for each spot
        slot = as_int(slot_of[np.uint32(column * bets + bet)]) * slot_cells
        main, worth = 0, 0
        for spot in range(spots):
            result = as_int(tables[OUTCOME + ends[spot] * 32 + score])
            if result == SPLITS:
                result = SPLITS + 2 * most_hands
                for hand in range(hands[BEGINS + spot], hands[BEGINS + spot + 1]):
                    times = hands[TIMES + hand]
                    points = as_int(tables[POINTS + hands[hand]])
                    compared = as_int(points > score) - as_int(points < score) if points else -1
                    hand_result = (2 + compared) * as_int(points > 0) + TWICE * (times - 1)
                    result += compared * times
                    split_hands[bet * 8 + hand_result] += 1
                    if trace is not None:
                        trace.hands[traced_hands, 0] = number
                        trace.hands[traced_hands, 1] = spot
                        trace.hands[traced_hands, 2] = hand_result
                        traced_hands += 1
            dealer_end = dealer_classes[spot]
            cell = insured * results + dealer_end + deal_classes[spot] + result
            cells[np.uint32(slot + cell)] += np.uint32(1)
            if totals:
                worth += spot_worth[np.uint32(bet * slot_cells + cell)]
            if spots > 1:
                main += main_worth[np.uint32(bet * results + result)]
                spot_cells[spot] = cell
            if trace is not None:
                trace.spots[number, spot, 0] = deal_classes[spot] // deal_cells
                trace.spots[number, spot, 1] = dealer_end // dealer_cells
                trace.spots[number, spot, 2] = insured
                trace.spots[number, spot, 3] = result
        if totals:
            total = worth >> GAINED
            if spots > 1:  # spots are correlated, so sums are squared; for side wagers, rarely won, products of gains
                row = (column * bets + bet) * sums
                squares[np.uint32(row + sums - 3)] += main * main
                squares[np.uint32(row + sums - 1)] += total * total
                if worth & ((1 << GAINED) - 1) > 1:
                    for wager in range(side_wagers):
                        gained, own_squares = 0, 0
                        for spot in range(spots):
                            class_number = bet * dealers * deals + ((spot_cells[spot] * one_class) >> 32)
                            gain = gains[np.uint32(class_number * side_wagers + wager)]
                            gained += gain
                            own_squares += gain * gain
                        squares[np.uint32(row + wager)] += gained * gained - own_squares
            if block:
                bank += total
                banked += 1
                if banked == block:
                    tally.blocks[blocks] = bank
                    bank, banked = 0, 0
                    blocks += 1
        over = place > cut
        if near_end and numbers[OVER]:
            over = True
            numbers[OVER] = 0
            if numbers[FAILED]:
                return number
        if trace is not None:
            if not near_end:
                numbers[UNLOGGED] = start
            for dealt_place in range(numbers[UNLOGGED], place):
                log[numbers[LOGGED]] = deck[dealt_place]
                numbers[LOGGED] += 1
            trace.rounds[number, 0] = numbers[LOGGED]
            trace.rounds[number, 1] = acts_made
            trace.rounds[number, 2] = bet
            trace.rounds[number, 3] = column
            trace.rounds[number, 4] = as_int(new)
            trace.rounds[number, 5] = as_int(over)
    return rounds
