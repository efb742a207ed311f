"""A whole table in compiled code: shoe, deal, peek, play, dealer, and one tally for every spot of every round.

The kernel knows no wager, no chart and no paytable: `compile` turns them into the arrays below. What happened at a
spot is one cell of one histogram: the count before the deal, the plan of stakes, the class of the dealer's hand, the
class of the first cards, insurance, and the result of the hand. Hits, sums, squares and joint results follow from it.
"""

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from upcard.odds.main.jit import compiled

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]
Counts = npt.NDArray[np.uint32]
Seeds = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

whole = cast(type[int], np.int64)  # a signed number, whatever it was before

VERSION = 1  # of the compiled code, for the note that it was compiled here

# What a chart makes of a hand; ALONE is a split ace that nobody is asked about.
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
# Numbers: the running count before each position, what the count adds for each card, and where we stand.
RUNNING, TAGS, NEXT, SHOE_NUMBERS = 0, 512, 564, 576
SHUFFLED, START, OVER, FAILED, LOGGED, UNLOGGED, SERIAL, COUNTING, SPOTS, BASE = range(NEXT + 1, NEXT + 11)
# The hands of split pairs: their states, their wagers, and where each spot's begin.
TIMES, BEGINS, HAND_NUMBERS = 64, 128, 144
# The rules and the chart as automata over ranks, in one array.
VALUE = 0  # [rank] up card as a column of the chart
INSURABLE = 16  # [rank]
TWO = 32  # [rank, rank] the state of two cards
FIRST = 208  # [rank, rank, up] what the chart does with them: STAND, HIT or another, which is SPECIAL's
SPLIT_ACT = 1904  # [more hands may be made, rank, rank, up] and with two cards of a split hand
POINTS = 5288  # [state] what it counts against the dealer, nothing for a bust
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
FEATURES = 13 * MOST_CARDS * 8  # of a dealer's final hand
MASK = np.uint64(0xFFFFFFFF)
SHIFT = 1048576.0  # added before a count is cut off to a whole number, so that this rounds downwards


class Shoe(NamedTuple):
    """The cards and where we are in them; positions behind SHUFFLED are not in any order yet."""

    cards: int
    bytes: Bytes
    numbers: Ints
    generator: Seeds
    log: Bytes  # every card in the order dealt; empty: none is kept


class House(NamedTuple):
    """The rules and the chart."""

    seats: tuple[int, ...]  # the spots, as a tuple: for each length of it the compiler makes code of its own
    hands: int
    cut: int
    ahead: int  # so many cards more than are due are put in order at a time
    most_cards: int  # a round cannot take more
    tables: Bytes


class Bets(NamedTuple):
    """What the player makes of the count, bin by bin."""

    bins: int
    low: int
    inverse: Floats  # [cards dealt] one over what is left
    plan: Bytes  # [bin] the plan of stakes
    plans: int
    flat_after: int  # rounds of a shoe before he is held to its first wagers
    insure_from: int
    insures: int  # 0: never
    bonus: Bytes  # [plan] a wager on the dealer's hand: 1 that nothing forfeits, 2 that a total does, 3 both
    waits: Bytes  # [plan] 1 where a side wager is undecided while hands are played
    slot: Words  # [bin, plan] the place of the two among those that occur together


class Classes(NamedTuple):
    """The side wagers, worked out together: a class of cards is one event of each of them."""

    ranks: Words
    suits: Words
    suit_classes: int
    join: Counts  # times the cells of a class
    hole_read: int
    deals: int
    dealers: int
    insured: int
    results: int
    dealer: Counts  # times the cells of a class [forfeited, up rank, cards, bust, suited, three eights]
    unplayed: int  # the dealer has a blackjack


class Nets(NamedTuple):
    """Cents won or lost."""

    main: Ints  # [plan, result]
    insurance: Ints  # [plan, insured]
    deal: Ints  # [plan, class, wager]
    dealer: Ints  # [plan, class, wager]
    deal_wagers: int
    dealer_wagers: int


class Worths(NamedTuple):
    """The same for sums of a round's spots; a side wager's gain is its worth above that in class 0, without event."""

    main: Ints  # [plan, result]
    spot: Ints  # [plan, cell of a slot] all wagers, times 1 << GAINED; plus one where a side wager gained
    gains: Ints  # [plan, dealer's class, deal's class, side wager]


class Tally(NamedTuple):
    """What is counted."""

    cells: Counts
    split_hands: Ints  # [plan, result]
    squares: Ints  # [bin, plan, wager], with several spots: of a round's sums; of a side wager products of its gains
    blocks: Ints  # sums of so many rounds each
    block: int


class Trace(NamedTuple):
    """A round as it was played, to be replayed."""

    rounds: Ints  # [round] cards and acts so far, plan, bin, new shoe, shoe over
    spots: Ints  # [round, spot] class of the deal, of the dealer, insured, result
    hands: Ints  # [hand] round, spot, result
    acts: Bytes


@compiled
def shuffle(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, begin: int, end: int) -> int:
    """Puts the next positions in order, one more than asked at times; gives the first that is not.

    Fisher-Yates from the front, two cards out of each word of xoshiro256++.
    """
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
                continue  # words that would favour some cards are thrown away
            here = np.uint32(place)
            other = np.uint32(place + whole(scaled >> np.uint64(32)))
            card = deck[other]
            deck[other] = deck[here]
            deck[here] = card
            place += 1
            left -= np.uint64(1)
            if counting:
                count += numbers[TAGS + whole(card)]
                numbers[np.uint32(place)] = count
    place = min(place, cards)  # the second half of a word may have found no card left, and moved none
    generator[0], generator[1], generator[2], generator[3] = s0, s1, s2, s3
    return place


@compiled
def more(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes) -> None:
    """A card is due behind the last position in order: a few more are put in order, or the discards come back."""
    if numbers[SHUFFLED] == cards:
        refill(cards, deck, numbers, log)
    end = min(numbers[SHUFFLED] + 8, cards)
    numbers[SHUFFLED] = shuffle(cards, deck, numbers, generator, numbers[SHUFFLED], end)


@compiled
def refill(cards: int, deck: Bytes, numbers: Ints, log: Bytes) -> None:
    """R33: what does not lie on the table is shuffled and dealt on."""
    if log.size:
        for place in range(numbers[UNLOGGED], cards):
            log[numbers[LOGGED]] = deck[place]
            numbers[LOGGED] += 1
    if numbers[BASE] != DEALT:
        mark_deal(deck, numbers)
    old = deck.copy()
    lying = 0
    for place in range(numbers[START], cards):
        whose = old[OWNER + place]
        if not deck[DEAD + whole(whose)]:
            deck[lying], deck[OWNER + lying] = old[place], whose
            numbers[RUNNING + lying + 1] = numbers[RUNNING + lying] + numbers[TAGS + whole(old[place])]
            lying += 1
    rest = lying
    for place in range(cards):
        if place < numbers[START] or deck[DEAD + whole(old[OWNER + place])]:
            deck[rest] = old[place]
            rest += 1
    if lying == cards:  # every card lies on the table: nothing to deal on with
        numbers[FAILED] = 1
        lying = 0
    numbers[START], numbers[NEXT], numbers[SHUFFLED], numbers[UNLOGGED], numbers[OVER] = 0, lying, lying, lying, 1


@compiled
def mark_deal(deck: Bytes, numbers: Ints) -> None:
    """Writes down what the first cards are and whose, when it matters: before a split and before a refill."""
    start, spots = numbers[START], numbers[SPOTS]
    for card in range(2 * spots + 2):
        place = card % (spots + 1)
        deck[DEALT + card] = deck[start + card]
        deck[OWNER + start + card] = place if place < spots else DEALER
    numbers[BASE] = DEALT


@compiled
def draw(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes, owner: int) -> int:
    """The next card, for the ways that are seldom gone."""
    if numbers[NEXT] == numbers[SHUFFLED]:
        more(cards, deck, numbers, generator, log)
    place = numbers[NEXT]
    deck[OWNER + place] = owner
    numbers[NEXT] += 1
    return whole(deck[place])


@compiled
def deal_slowly(cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes, spots: int) -> None:
    """A deal that the end of the shoe may interrupt."""
    for card in range(2 * spots + 2):
        place = card % (spots + 1)
        owner = place if place < spots else DEALER
        deck[DEALT + card] = draw(cards, deck, numbers, generator, log, owner)


@compiled
def play_split(
    cards: int, deck: Bytes, numbers: Ints, generator: Seeds, log: Bytes, tables: Bytes, hands: Ints, acts: Bytes,
    said: int, spot: int, shown: int, begin: int, pair: int, most: int, waits: int,
) -> tuple[int, int]:  # fmt: skip
    """Plays a pair as its hands, left to right; gives the number behind the last hand, and of acts said.

    While a hand waits, its first card's rank stands for its state, and its owner for its wager.
    """
    last, turn = begin + 2, begin
    hands[begin], hands[begin + 1] = pair // 13, pair % 13
    hands[TIMES + begin], hands[TIMES + begin + 1] = spot, pass_on(deck, numbers, spot)
    if acts.size:
        acts[said] = SPLIT
        said += 1
    while turn < last:
        owner = hands[TIMES + turn]
        other = draw(cards, deck, numbers, generator, log, owner) >> 2
        pair = hands[turn] * 13 + other
        act = tables[SPLIT_ACT + (whole(last - begin < most) * 169 + pair) * UPS + shown]
        if act == SPLIT:
            for place in range(last, turn + 1, -1):
                hands[place], hands[TIMES + place] = hands[place - 1], hands[TIMES + place - 1]
            hands[turn + 1], hands[TIMES + turn + 1] = other, pass_on(deck, numbers, owner)
            last += 1
            if acts.size:
                acts[said] = SPLIT
                said += 1
            continue
        state = whole(tables[TWO + pair])
        hands[TIMES + turn] = 1
        again = act in (HIT, DOUBLE)
        while again:
            card = draw(cards, deck, numbers, generator, log, owner)
            moved = tables[STEP + (shown * 64 + state) * WIDTH + (card >> 2)]
            state = whole(moved) & STATE
            again = moved >= AGAIN and act == HIT
            if acts.size:
                acts[said] = act
                said += 1
        if act == DOUBLE:
            hands[TIMES + turn] = 2
        elif acts.size and act != ALONE and tables[POINTS + state]:
            acts[said] = STAND
            said += 1
        hands[turn] = state
        if not waits and not tables[POINTS + state]:
            deck[DEAD + owner] = 1
        turn += 1
    return last, said


@compiled
def pass_on(deck: Bytes, numbers: Ints, owner: int) -> int:
    """The last card of an owner becomes that of a new one."""
    heir = numbers[SERIAL]
    numbers[SERIAL] += 1
    deck[DEAD + heir] = 0
    for place in range(numbers[NEXT] - 1, numbers[START] - 1, -1):
        if deck[OWNER + place] == owner:
            deck[OWNER + place] = heir
            break
    return whole(heir)


@compiled
def play(
    rounds: int,
    shoe: Shoe,
    house: House,
    bets: Bets,
    classes: Classes,
    worths: Worths,
    tally: Tally,
    trace: Trace | None,
) -> int:
    """Plays so many rounds, beginning with a new shoe; gives how many were played before a shoe could not go on."""
    cards, deck, numbers, generator, log = shoe
    seats, most_hands, cut, lead, most_cards, tables = house
    spots = len(seats)
    bins, low, inverse, plan_of = bets.bins, bets.low, bets.inverse, bets.plan
    plans, flat_after, insure_from, insures = bets.plans, bets.flat_after, bets.insure_from, bets.insures
    bonus_of, waits_of, slot_of = bets.bonus, bets.waits, bets.slot
    rank_class, suit_class, suit_classes = classes.ranks, classes.suits, classes.suit_classes
    join = classes.join
    hole_read, deals, dealers, insurances = classes.hole_read, classes.deals, classes.dealers, classes.insured
    results, dealer_class, unplayed = classes.results, classes.dealer, classes.unplayed
    cells, split_hands, squares, block = tally.cells, tally.split_hands, tally.squares, tally.block
    ends, forfeits = np.zeros(8, np.uint8), np.zeros(8, np.uint8)
    dealer_classes = np.zeros(8, np.uint32)
    hands = np.zeros(HAND_NUMBERS, np.int64)
    spot_worth, main_worth, gains = worths.spot, worths.main, worths.gains
    kinds, spot_cells = np.zeros(8, np.uint32), np.zeros(8, np.uint32)
    bank, banked, blocks = 0, 0, 0
    deal_cells = insurances * results  # the classes' numbers come multiplied by the cells of one
    dealer_cells = deals * deal_cells
    slot_cells = dealers * dealer_cells
    one_class = (1 << 32) // deal_cells + 1  # times a cell: its classes' number, above 32 bits
    dealt = 2 * spots + 2
    ahead = cut + lead
    totals = spots > 1 or block > 0
    side_wagers = gains.size // (plans * dealers * deals)
    sums = side_wagers + 3
    place, shuffled, start, base = 0, 0, 0, 0
    over = True
    shoe_rounds, held = 0, 0
    acts = np.empty(0, np.uint8)
    said, traced_hands = 0, 0
    if trace is not None:
        acts = trace.acts
    for number in range(rounds):
        new = over
        if over:
            place, shuffled, shoe_rounds = 0, 0, 0
        start = place
        near = cards - place < most_cards
        # what the count says of the wagers
        column, plan = 0, 0
        if bins > 1:
            true = whole((numbers[np.uint32(start)] * 52 + 0.5) * inverse[np.uint32(start)] + SHIFT) - 1048576
            column = whole(min(max(true - low, 0), bins - 1))
            plan = whole(plan_of[column])
            if shoe_rounds == 0:
                held = plan
            elif shoe_rounds >= flat_after:
                plan = held
            shoe_rounds += 1
        # the deal: each spot a card, the dealer's up card, each spot another, the hole card
        if cards - place >= dealt:
            if shuffled < place + dealt:
                shuffled = shuffle(
                    cards, deck, numbers, generator, shuffled, min(cards, max(ahead, place + dealt + lead))
                )
            base = place
            place += dealt
        if near:
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
        up = whole(deck[np.uint32(base + spots)])
        hole = whole(deck[np.uint32(base + 2 * spots + 1)])
        up_rank, hole_rank = up >> 2, hole >> 2
        shown = whole(tables[VALUE + up_rank])
        dealer = whole(tables[DEALER_TWO + up_rank * 13 + hole_rank])
        if deals > 1:  # not behind the dealer's play, where it would cost 3 ns a spot more
            for spot in range(spots):
                one = whole(deck[np.uint32(base + spot)])
                two = whole(deck[np.uint32(base + spots + 1 + spot)])
                ranks = ((one >> 2) * 13 + (two >> 2)) * 13 + up_rank
                suits = ((one & 3) * 4 + (two & 3)) * 4 + (up & 3)
                if hole_read:
                    ranks, suits = ranks * 13 + hole_rank, suits * 4 + (hole & 3)
                both = whole(rank_class[np.uint32(ranks)]) * suit_classes + whole(suit_class[np.uint32(suits)])
                kinds[spot] = join[np.uint32(both)]
        insured = 0
        if insures and tables[INSURABLE + up_rank]:
            seen = place - 1  # all but the hole card
            true = whole((numbers[np.uint32(seen)] * 52 + 0.5) * inverse[np.uint32(seen)] + SHIFT) - 1048576
            if true >= insure_from:
                insured = INSURANCE_WON if dealer >= BLACKJACK else INSURANCE_LOST
        bonus = whole(bonus_of[plan])
        score = 0
        if dealer >= BLACKJACK:
            for spot in range(spots):
                one = whole(deck[np.uint32(base + spot)] >> 2)
                pair = one * 13 + whole(deck[np.uint32(base + spots + 1 + spot)] >> 2)
                is_natural = tables[SPECIAL + pair * UPS + shown] == NATURAL
                ends[spot] = END_PUSHED_NATURAL if is_natural else END_DEALER_NATURAL
                dealer_classes[spot] = unplayed
        else:
            live, last = 0, 0
            for spot in range(spots):
                one = whole(deck[np.uint32(base + spot)] >> 2)
                pair = one * 13 + whole(deck[np.uint32(base + spots + 1 + spot)] >> 2)
                act = whole(tables[FIRST + pair * UPS + shown])
                state = whole(tables[TWO + pair])
                while act == HIT:
                    if place == shuffled:
                        numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                        more(cards, deck, numbers, generator, log)
                        place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                        if near:
                            base = numbers[BASE]
                    if near:
                        deck[OWNER + place] = spot
                    moved = whole(tables[STEP + (shown * 64 + state) * WIDTH + whole(deck[np.uint32(place)] >> 2)])
                    place += 1
                    state = moved & STATE
                    act = moved >> 6
                    if trace is not None:
                        acts[said] = HIT
                        said += 1
                end = state
                if act != STAND:
                    act = whole(tables[SPECIAL + pair * UPS + shown])
                    if act == DOUBLE:
                        if place == shuffled:
                            numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                            more(cards, deck, numbers, generator, log)
                            place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                            if near:
                                base = numbers[BASE]
                        if near:
                            deck[OWNER + place] = spot
                        state = (
                            whole(tables[STEP + (shown * 64 + state) * WIDTH + whole(deck[np.uint32(place)] >> 2)])
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
                        if not near:  # whose card is whose was not kept, and need not be
                            numbers[START], numbers[SERIAL] = start, spots
                        elif base != DEALT:
                            mark_deal(deck, numbers)
                        numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                        last, said = play_split(
                            cards, deck, numbers, generator, log, tables, hands, acts,
                            said, spot, shown, last, pair, most_hands, whole(waits_of[plan]),
                        )  # fmt: skip
                        place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                        if near:
                            base = numbers[BASE]
                ends[spot] = end
                alive = whole(tables[POINTS + state])
                forfeited = whole(tables[FORFEITS + state])
                if end == END_SPLIT:
                    hands[BEGINS + spot + 1] = last
                    for hand in range(hands[BEGINS + spot], last):
                        alive |= whole(tables[POINTS + hands[hand]])
                        forfeited |= whole(tables[FORFEITS + hands[hand]])
                elif near and alive == 0 and end != END_PAID_NATURAL and not waits_of[plan]:
                    deck[DEAD + spot] = 1
                live |= alive
                if bonus:
                    forfeits[spot] = forfeited
                    live |= (bonus & 1) | ((bonus >> 1) & (1 - forfeited))
                if trace is not None:
                    hands[BEGINS + spot + 1] = last
                    if end == END_SURRENDERED:
                        acts[said] = SURRENDER
                        said += 1
                    elif end < DOUBLED and alive:
                        acts[said] = STAND
                        said += 1
                    elif act == DOUBLE:
                        acts[said] = DOUBLE
                        said += 1
            # the dealer draws where a hand or a wager waits for it
            drawn = place
            if live:
                while dealer & AGAIN:
                    if place == shuffled:
                        numbers[NEXT], numbers[SHUFFLED] = place, shuffled
                        more(cards, deck, numbers, generator, log)
                        drawn += numbers[NEXT] - place
                        place, shuffled = numbers[NEXT], numbers[SHUFFLED]
                    if near:
                        deck[OWNER + place] = DEALER
                    dealer = whole(tables[DEALER_STEP + (dealer & STATE) * WIDTH + whole(deck[np.uint32(place)] >> 2)])
                    place += 1
                score = whole(tables[DEALER_POINTS + (dealer & STATE)])
            if bonus:
                suits = (1 << (up & 3)) | (1 << (hole & 3))
                eights = whole(up_rank == EIGHT) + whole(hole_rank == EIGHT)
                for back in range(drawn, place):
                    suits |= 1 << whole(deck[back] & 3)
                    eights += whole(deck[back] >> 2 == EIGHT)
                feature = (up_rank * MOST_CARDS + 2 + place - drawn) * 2 + whole(score == 1)
                feature = (feature * 2 + whole(suits & (suits - 1) == 0)) * 2 + whole(eights == 3)
                for spot in range(spots):
                    dealer_classes[spot] = dealer_class[whole(forfeits[spot]) * FEATURES + feature]
            elif dealers > 1:
                for spot in range(spots):
                    dealer_classes[spot] = 0
        # one cell for each spot
        slot = whole(slot_of[np.uint32(column * plans + plan)]) * slot_cells
        main, worth = 0, 0
        for spot in range(spots):
            result = whole(tables[OUTCOME + whole(ends[spot]) * 32 + score])
            if result == SPLITS:
                result = SPLITS + 2 * most_hands
                for hand in range(hands[BEGINS + spot], hands[BEGINS + spot + 1]):
                    times = hands[TIMES + hand]
                    points = whole(tables[POINTS + hands[hand]])
                    compared = whole(points > score) - whole(points < score) if points else -1
                    one = (2 + compared) * whole(points > 0) + TWICE * (times - 1)
                    result += compared * times
                    split_hands[plan * 8 + one] += 1
                    if trace is not None:
                        trace.hands[traced_hands, 0] = number
                        trace.hands[traced_hands, 1] = spot
                        trace.hands[traced_hands, 2] = one
                        traced_hands += 1
            ended = whole(dealer_classes[spot])
            cell = insured * results + ended + whole(kinds[spot]) + result
            cells[np.uint32(slot + cell)] += np.uint32(1)
            if totals:
                worth += spot_worth[np.uint32(plan * slot_cells + cell)]
            if spots > 1:
                main += main_worth[np.uint32(plan * results + result)]
                spot_cells[spot] = cell
            if trace is not None:
                trace.spots[number, spot, 0] = whole(kinds[spot]) // deal_cells
                trace.spots[number, spot, 1] = ended // dealer_cells
                trace.spots[number, spot, 2] = insured
                trace.spots[number, spot, 3] = result
        if totals:
            total = worth >> GAINED
            if spots > 1:  # they hang together, so sums are squared; of a side wager, seldom won, products of gains
                row = (column * plans + plan) * sums
                squares[np.uint32(row + sums - 3)] += main * main
                squares[np.uint32(row + sums - 1)] += total * total
                if worth & ((1 << GAINED) - 1) > 1:
                    for wager in range(side_wagers):
                        gained, alone = 0, 0
                        for spot in range(spots):
                            class_number = plan * dealers * deals + ((whole(spot_cells[spot]) * one_class) >> 32)
                            one = gains[np.uint32(class_number * side_wagers + wager)]
                            gained += one
                            alone += one * one
                        squares[np.uint32(row + wager)] += gained * gained - alone
            if block:
                bank += total
                banked += 1
                if banked == block:
                    tally.blocks[blocks] = bank
                    bank, banked = 0, 0
                    blocks += 1
        over = place > cut
        if near and numbers[OVER]:
            over = True
            numbers[OVER] = 0
            if numbers[FAILED]:
                return number
        if trace is not None:
            if not near:
                numbers[UNLOGGED] = start
            for one in range(numbers[UNLOGGED], place):
                log[numbers[LOGGED]] = deck[one]
                numbers[LOGGED] += 1
            trace.rounds[number, 0] = numbers[LOGGED]
            trace.rounds[number, 1] = said
            trace.rounds[number, 2] = plan
            trace.rounds[number, 3] = column
            trace.rounds[number, 4] = whole(new)
            trace.rounds[number, 5] = whole(over)
    return rounds
