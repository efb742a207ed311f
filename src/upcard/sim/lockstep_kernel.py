"""Two groups of sixteen tables in lockstep, in vector registers: one spot, any rules, chart, count and side wagers.

Each lane is a table with a shoe of its own, and plays exactly the rounds that the scalar kernel plays from the same
seeds (`chunk.play_lanes` plays them one lane after the other). A step takes the next four cards of every lane: a lane
that begins a round uses all of them, any other lane uses one. Rounds that end go to a queue; scalar code counts them.

The lanes of a group begin their shoes together. Rows of the sixteen shoes are shuffled ahead and never change
while they are dealt, so a round can be played again from its first card: pairs that are split are played by scalar
code, and a round that uses up the shoe is played by the scalar kernel.
"""

from typing import Any, NamedTuple

import numpy as np

from upcard.odds.main.jit import compiled, compiled_part, inlined
from upcard.sim import kernel as k
from upcard.sim.compile import Program
from upcard.sim.kernel import (
    Bytes,
    Classes,
    Counters,
    Counts,
    GameArrays,
    Ints,
    RoundTrace,
    ShoeState,
    SpreadArrays,
    Words,
    as_int,
)
from upcard.sim.lane_tables import (
    DEAL,
    END,
    END_BITS,
    FIRST_ROWS,
    HAND_CODES,
    IDLE,
    KINDS,
    NO_WAGER,
    PAIR_KINDS,
    RESULT_BITS,
    SOFT_KINDS,
    SPLIT,
    LaneTables,
)
from upcard.sim.lanes import (
    ahead,
    append,
    as_bytes,
    begin,
    bits,
    choose,
    count_bits,
    first_bit,
    gather,
    high_product,
    least_bytes,
    load,
    look_up,
    rarely,
    ratio,
    same,
    store,
)

Lanes = Any  # a vector of sixteen numbers: a type of compiled code only
Place = Any  # an address: a type of compiled code only

GROUP, GROUPS = 16, 2
LANES = GROUP * GROUPS
STRIDE = 448  # bytes from one lane's shoe to the next: eight decks, and a whole number of cache lines
STEPS = 64  # at most, between two counts of the queue
ROOM = STEPS * LANES + GROUP  # of each word of the queue
ROWS = 4  # shuffled at a time; a shoe has four suits, so it is a whole number of them
COPY = 1 << RESULT_BITS  # cells of a copy
LEAD = 6  # rows shuffled beyond the cut card
LEAD_OF_FRESH = 8  # where every round has a new shoe
ZERO_COUNT = 1 << 16  # in a packed start of a round: the running count is zero
COUNT_AT, BET_AT = 9, 26  # bits of the running count and of the bet there
# A group's numbers.
SHUFFLED, WAITING, STUCK, GROUP_NUMBERS = 0, 1, 2, 8  # rows; lanes that still play; lanes for the scalar kernel
# A group's words: its lanes' generators, those of the current shoes, and registers while scalar code changes them.
MASTER, GENERATOR = 0, 4 * GROUP
POS, STATE, RUNNING, HAND, FIRST, BEGAN, LEFT, WAY, ROUNDS_OF_SHOE, FIRST_BET, INDEX = range(
    8 * GROUP, 19 * GROUP, GROUP
)
GROUP_WORDS = INDEX + ROWS * GROUP
WORD = 0xFFFFFFFF


class LockstepMemory(NamedTuple):
    """What the kernel works on."""

    shoes: Words  # [lane, place] bytes, two by two: first those shuffled, then the rest
    sorted_deck: Bytes  # [lane of a group, place] in its first order
    words: Counts  # [group]
    numbers: Ints  # [group]
    queue: Counts  # [word, round] the end; the first cards; count, place and bet when the round began
    lane_numbers: Counts
    tag_words: Counts  # [rank] the count's tags, modulo 2^32
    insurable: Counts  # [rank of the up card]
    copies: Counts  # of the cells, where there are no more than results
    hands: Ints  # of a split pair, as the scalar kernel has them
    first_rows: int  # shuffled when a shoe begins
    counting: int  # 1: cards are counted


def new_memory(program: Program, rounds: Counts, seeds: Counts) -> LockstepMemory:
    """Memory for one chunk, with the rounds and seeds of each lane."""
    cards, cut = len(program.cards), program.game.cut
    sorted_deck = np.zeros((GROUP, STRIDE), np.uint8)
    sorted_deck[:, :cards] = program.cards
    words = np.zeros((GROUPS, GROUP_WORDS), np.uint32)
    words[:, :GENERATOR] = seeds.reshape(GROUPS, GROUP, 4).transpose(0, 2, 1).reshape(GROUPS, -1)
    words[:, LEFT : LEFT + GROUP] = rounds.reshape(GROUPS, GROUP)
    first_rows = cut + LEAD if cut else LEAD_OF_FRESH
    none = [0] * (k.WIDTH - 13)
    return LockstepMemory(
        shoes=np.zeros(LANES * STRIDE // 2 + GROUP, np.uint16),
        sorted_deck=sorted_deck.ravel(),
        words=words.ravel(),
        numbers=np.zeros(GROUPS * GROUP_NUMBERS, np.int64),
        queue=np.zeros(3 * ROOM, np.uint32),
        lane_numbers=np.arange(GROUP, dtype=np.uint32),
        tag_words=(np.append(program.tags[::4], none) % (1 << 32)).astype(np.uint32),
        insurable=np.append(program.game.tables[k.INSURABLE :][:13], none).astype(np.uint32),
        copies=np.zeros(4 * COPY, np.uint32),
        hands=np.zeros(k.HAND_NUMBERS, np.int64),
        first_rows=min(-(-first_rows // 4) * 4, cards),
        counting=int(program.tags.any()),
    )


def try_out() -> None:
    """Raises what numba raises if vectors cannot be compiled."""
    _try_out(np.arange(2 * GROUP, dtype=np.uint32))


@compiled
def _try_out(numbers: Counts) -> int:
    """The operations that numba or LLVM might no longer know."""
    places = begin(numbers)
    lanes = load(places, 16)
    found = gather(places, lanes & 7) + look_up(places, lanes) + high_product(lanes, 3) + least_bytes(lanes, 9)
    found = choose(found > 3, found, same(found, 0)) + ratio(lanes, lanes + 1)
    append(places, found > 20, found)
    return as_int(count_bits(bits(found > 20))) + as_int(numbers[0])


@inlined
def _next_words(s0: Lanes, s1: Lanes, s2: Lanes, s3: Lanes) -> tuple[Lanes, Lanes, Lanes, Lanes, Lanes]:
    """xoshiro128++ in every lane."""
    word = s0 + s3
    word = ((word << 7) | (word >> 25)) + s0
    shifted = s1 << 9
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    s1 = s1 ^ s2
    s0 = s0 ^ s3
    s2 = s2 ^ shifted
    return s0, s1, s2, (s3 << 11) | (s3 >> 21), word


@inlined
def _loaded(words: Place) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    return (
        load(words, 16),
        load(ahead(words, GROUP), 16),
        load(ahead(words, 2 * GROUP), 16),
        load(ahead(words, 3 * GROUP), 16),
    )


@inlined
def _stored(words: Place, s0: Lanes, s1: Lanes, s2: Lanes, s3: Lanes) -> None:
    store(words, s0)
    store(ahead(words, GROUP), s1)
    store(ahead(words, 2 * GROUP), s2)
    store(ahead(words, 3 * GROUP), s3)


@compiled_part
def _redraw(words: Place, row: int, left: int) -> None:
    """Draws again where a word would favour some cards."""
    for lane in range(GROUP):
        place = GENERATOR + lane
        word = np.uint64(words[INDEX + row + lane])
        while (word * np.uint64(left)) & np.uint64(WORD) < np.uint64((1 << 32) - left) % np.uint64(left):
            s0, s1 = np.uint32(words[place]), np.uint32(words[place + GROUP])
            s2, s3 = np.uint32(words[place + 2 * GROUP]), np.uint32(words[place + 3 * GROUP])
            total = np.uint32(s0 + s3)
            word = np.uint64(np.uint32(np.uint32((total << np.uint32(7)) | (total >> np.uint32(25))) + s0))
            shifted = np.uint32(s1 << np.uint32(9))
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= shifted
            s3 = np.uint32((s3 << np.uint32(11)) | (s3 >> np.uint32(21)))
            words[place], words[place + GROUP] = s0, s1
            words[place + 2 * GROUP], words[place + 3 * GROUP] = s2, s3
        words[INDEX + row + lane] = np.uint32(word)


@compiled_part
def _shuffle(deck: Place, dealt: Place, words: Place, lane_numbers: Place, cards: int, start: int, end: int) -> None:
    """Shuffles rows of a group's shoes, a multiple of ROWS, in place: vectors find the cards, and scalar code swaps,
    which gathers cannot beat. `deck` and `dealt` are the same memory, by bytes and two by two."""
    shoes = load(lane_numbers, 16) * STRIDE
    s0, s1, s2, s3 = _loaded(ahead(words, GENERATOR))
    left = same(shoes, cards - start)
    for block in range(start, end, ROWS):
        for row in range(0, ROWS * GROUP, GROUP):
            s0, s1, s2, s3, word = _next_words(s0, s1, s2, s3)
            if rarely(bits(word * left < left)):
                store(ahead(words, INDEX + row), word)
                _stored(ahead(words, GENERATOR), s0, s1, s2, s3)
                _redraw(words, row, cards - block - row // GROUP)
                s0, s1, s2, s3 = _loaded(ahead(words, GENERATOR))
                word = load(ahead(words, INDEX + row), 16)
            store(ahead(words, INDEX + row), high_product(word, left) + shoes)
            left = left - 1
        for place in range(0, ROWS, 2):
            row, here = INDEX + place * GROUP, ahead(deck, block + place)
            there = ahead(dealt, (block + place) >> 1)
            for lane in range(GROUP):
                source, target = as_int(words[row + lane]), lane * STRIDE
                pair = as_int(here[source])
                here[source] = here[target]
                source = as_int(words[row + GROUP + lane]) + 1
                pair |= as_int(here[source]) << 8
                here[source] = here[target + 1]
                there[target >> 1] = np.uint16(pair)
    _stored(ahead(words, GENERATOR), s0, s1, s2, s3)


@compiled_part
def _new_shoes(
    deck: Place, dealt: Place, sorted_deck: Place, words: Place, numbers: Place, lane_numbers: Place, cards: int,
    rows: int,
) -> None:  # fmt: skip
    """Begins new shoes in all lanes of a group, and shuffles their first rows."""
    for place in range(0, GROUP * STRIDE, 64):
        store(ahead(deck, place), load(ahead(sorted_deck, place), 16))
    s0, s1, s2, s3 = _loaded(ahead(words, MASTER))
    for word in range(4):
        s0, s1, s2, s3, seed = _next_words(s0, s1, s2, s3)
        store(ahead(words, GENERATOR + word * GROUP), seed)
    _stored(ahead(words, MASTER), s0, s1, s2, s3)
    for lane in range(GROUP):
        words[ROUNDS_OF_SHOE + lane] = 0
    _shuffle(deck, dealt, words, lane_numbers, cards, as_int(0), rows)
    numbers[SHUFFLED] = rows


@inlined
def _true_count(running: int, seen: int, inverse: Place) -> int:
    return as_int((running * 52 + 0.5) * inverse[seen] + k.SHIFT) - 1048576


@inlined
def _column(began: int, bins: int, low: int, inverse: Place) -> int:
    """The bin of the true count at the beginning of a round."""
    if bins == 1:
        return 0
    running = ((began >> COUNT_AT) & 0x1FFFF) - ZERO_COUNT
    return as_int(min(max(_true_count(running, began & 511, inverse) - low, 0), bins - 1))


@compiled_part
def _plan_bets(
    starting: int, words: Place, bins: int, low: int, inverse: Place, bet_of: Place, flat_after: int, way_of: Place
) -> None:  # fmt: skip
    """The bets of rounds that begin: needed here only by flat bettors, and where bets differ in what the dealer draws
    for."""
    while starting:
        lane = first_bit(starting)
        starting &= starting - 1
        began = as_int(words[BEGAN + lane]) & ((1 << BET_AT) - 1)
        bet = as_int(bet_of[_column(began, bins, low, inverse)])
        rounds = as_int(words[ROUNDS_OF_SHOE + lane])
        if rounds == 0:
            words[FIRST_BET + lane] = np.uint32(bet)
        elif rounds >= flat_after:
            bet = as_int(words[FIRST_BET + lane])
        words[ROUNDS_OF_SHOE + lane] = np.uint32(rounds + 1)
        words[BEGAN + lane] = np.uint32(began | (bet << BET_AT))
        words[WAY + lane] = np.uint32(as_int(way_of[bet]) * (KINDS * k.WIDTH))


@compiled_part
def _play_split(
    lane: int, words: Place, dealt: Place, shuffled: int, tables: Place, tags: Place, hands: Place, most_hands: int,
    bonus_of: Place, bins: int, low: int, inverse: Place, bet_of: Place, planned: int, split_hands: Place,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Plays a round with a split pair to its end: the entry, the next card's place, the running count, the dealer's
    hand. The entry is 0 if too few cards are shuffled."""
    first = as_int(words[FIRST + lane])
    up, hole = (first >> 4) & 15, (first >> 12) & 15
    up_value = as_int(tables[k.VALUE + up])
    began = as_int(words[BEGAN + lane])
    way = as_int(words[WAY + lane]) // (KINDS * k.WIDTH)
    bonus = as_int(bonus_of[way])
    place, running = as_int(words[POS + lane]), as_int(words[RUNNING + lane])
    shoe = lane * STRIDE
    hands[0], hands[1] = first & 15, (first >> 8) & 15
    last, turn, enough = 2, 0, True
    while turn < last and enough:
        enough = place < shuffled
        rank = as_int(dealt[shoe + place]) >> 2
        running += tags[rank]
        place += 1
        pair = hands[turn] * 13 + rank
        act = tables[k.SPLIT_ACT + (as_int(last < most_hands) * 169 + pair) * k.UPS + up_value]
        if act == k.SPLIT:
            for other in range(last, turn + 1, -1):
                hands[other] = hands[other - 1]
            hands[turn + 1] = rank
            last += 1
            continue
        state = as_int(tables[k.TWO + pair])
        again = act in (k.HIT, k.DOUBLE)
        while again and enough:
            enough = place < shuffled
            rank = as_int(dealt[shoe + place]) >> 2
            running += tags[rank]
            place += 1
            moved = tables[k.STEP + (up_value * 64 + state) * k.WIDTH + rank]
            state = as_int(moved) & k.STATE
            again = moved >= k.AGAIN and act == k.HIT
        hands[turn], hands[k.TIMES + turn] = state, 1 + as_int(act == k.DOUBLE)
        turn += 1
    alive, forfeited, score = 0, 0, 0
    for hand in range(last):
        alive |= as_int(tables[k.POINTS + hands[hand]])
        forfeited |= as_int(tables[k.FORFEITS + hands[hand]])
    if bonus & k.LOST_WITH_HAND and alive == 0:
        forfeited = 1
    code = as_int(words[HAND + lane])
    if alive or bonus & 1 or (bonus & 2 and forfeited == 0):
        dealer = as_int(tables[k.DEALER_TWO + up * 13 + hole])
        while dealer & k.AGAIN and enough:
            enough = place < shuffled
            card = as_int(dealt[shoe + place])
            rank = card >> 2
            running += tags[rank]
            place += 1
            code = (code + (1 << 6) + (as_int(rank == k.EIGHT) << 4)) | (1 << (card & 3))
            dealer = as_int(tables[k.DEALER_STEP + (dealer & k.STATE) * k.WIDTH + rank])
        score = as_int(tables[k.DEALER_POINTS + (dealer & k.STATE)])
    if not enough:
        return 0, 0, 0, 0
    bet = began >> BET_AT if planned else as_int(bet_of[_column(began, bins, low, inverse)])
    result = k.SPLITS + 2 * most_hands
    for hand in range(last):
        points, times = as_int(tables[k.POINTS + hands[hand]]), hands[k.TIMES + hand]
        compared = as_int(points > score) - as_int(points < score) if points else -1
        result += compared * times
        split_hands[bet * 8 + (2 + compared) * as_int(points > 0) + k.TWICE * (times - 1)] += 1
    total = score - k.TOTAL_16 if score > k.TOTAL_16 else score
    reading = 8 * forfeited + total if bonus else NO_WAGER
    return END | result | (reading << RESULT_BITS), place, running, code


@inlined
def _four_cards(cards: Place) -> int:
    return as_int(cards[0]) | as_int(cards[1]) << 8 | as_int(cards[2]) << 16 | as_int(cards[3]) << 24


@compiled_part
def _count(
    filled: int, queue: Place, cells: Place, deals: int, hole_read: int, ranks: Place, with_hole: Place, suits: Place,
    join: Place, dealers: int, hand_of: Place, dealer_class: Place, dealer_cells: int, bins: int, low: int, cards: int,
    scale: int, columns: Place, bets: int, slots: Place, planned: int, insures: int, insured_from: int, results: int,
    insurable: Place, tags: Place, copies: Place,
) -> None:  # fmt: skip
    """Counts the finished rounds: vectors find their cells, and scalar code adds one to each."""
    if deals == 1 and dealers == 1 and bins == 1 and not insures:  # few cells: in four copies, to wait less for each
        for number in range(0, filled & -4, 4):
            for copy in range(4):
                copies[copy * COPY + (as_int(queue[number + copy]) & (COPY - 1))] += np.uint32(1)
        for number in range(filled & -4, filled):
            copies[as_int(queue[number]) & (COPY - 1)] += np.uint32(1)
        return
    for number in range(0, filled, GROUP):
        end = load(ahead(queue, number), 16)
        result = end & ((1 << RESULT_BITS) - 1)
        cell = result
        first, began = load(ahead(queue, number + ROOM), 16), load(ahead(queue, number + 2 * ROOM), 16)
        running = ((began >> COUNT_AT) & 0x1FFFF) - ZERO_COUNT
        seen = began & 511
        if deals > 1:
            pattern = gather(ranks, first & 0xFFF) & 0xFFFF
            if hole_read:
                pattern = gather(with_hole, pattern * k.WIDTH + ((first >> 12) & 15)) & 0xFFFF
            cell = cell + gather(join, pattern + (gather(suits, (first >> 16) & 0xFF) & 0xFFFF))
        if dealers > 1:
            reading = ((end >> RESULT_BITS) & 31) * k.WIDTH + ((first >> 4) & 15)
            hand = gather(hand_of, (end >> 16) & (HAND_CODES - 1)) & 0xFF
            cell = cell + (gather(dealer_class, reading * 128 + hand) & 0xFFFF) * dealer_cells
        if insures:
            known = look_up(tags, first) + look_up(tags, first >> 4) + look_up(tags, first >> 8)
            true = ratio((running + known) * 52, (cards - 3 - seen) * scale)
            won = (result == k.PUSHED_NATURAL) | (result == k.DEALER_NATURAL)
            insured = choose(won, same(cell, k.INSURANCE_WON), k.INSURANCE_LOST) * results
            made = (look_up(insurable, first >> 4) != 0) & (true >= insured_from)
            cell = cell + choose(made, insured, 0)
        if bins > 1:
            true = ratio(running * 52, (cards - seen) * scale)
            if planned:
                column = choose(true < low, same(true, 0), true - low)
                column = choose(column >= bins, same(true, bins - 1), column)
                cell = cell + gather(slots, column * bets + (began >> BET_AT))
            else:
                cell = cell + gather(columns, true)
        store(ahead(queue, number), cell)
    for number in range(filled):
        cells[as_int(queue[number])] += np.uint32(1)


@inlined
def _step(
    lanes: Any, filled: int, words: Place, numbers: Place, deck: Place, dealt: Place, lane_numbers: Place,
    shoes: Lanes, queue: Place, rows: Place, tables: Place, tags: Place, tag_words: Place, hands: Place,
    split_hands: Place, bonus_of: Place, bet_of: Place, inverse: Place, settings: Any,
) -> Any:  # fmt: skip
    """One step of a group: the lanes' registers, and how many rounds are in the queue."""
    (
        cards, cut, _, dealer_rows, by_value, most_hands, firsts, dealers, began_read, counting, planned, bins, low,
    ) = settings  # fmt: skip
    place, state, following, first, began, left, running, hand, way = lanes
    if numbers[SHUFFLED] == cards:  # the shoe may run out in this round
        needed = place + choose(state == DEAL, same(place, 4), 1)
        stuck = bits((state != IDLE) & (needed > cards))
        if rarely(stuck):
            numbers[STUCK] |= stuck
            store(ahead(words, BEGAN), began)
            state = choose((state != IDLE) & (needed > cards), IDLE, state)
            place = choose(state == IDLE, 0, place)
    # the next four cards: a round that begins takes all of them, any other the first
    cards_now = following
    dealing = state == DEAL
    place = place + choose(dealing, same(place, 4), 1)
    if rarely(bits(place + 4 > numbers[SHUFFLED])) and numbers[SHUFFLED] < cards:
        more = min(numbers[SHUFFLED] + 8, cards)
        _shuffle(deck, dealt, words, lane_numbers, cards, numbers[SHUFFLED], more)
        numbers[SHUFFLED] = more
    following = gather(as_bytes(dealt), place + shoes)
    ranks = (cards_now >> 2) & 0x0F0F0F0F
    values = least_bytes(ranks, 9)
    one, other = values & 15, (values >> 16) & 15
    kind = one + other + choose((one == 0) | (other == 0), same(one, SOFT_KINDS), 0)
    unlike = values if by_value else ranks
    kind = choose(((unlike ^ (unlike >> 16)) & 15) == 0, one + PAIR_KINDS, kind)
    row = choose(dealing, kind * k.WIDTH + FIRST_ROWS + ((values >> 8) & 15) + way, state)
    entry = gather(rows, row * k.UPS + choose(dealing, values >> 24, one)) & 0xFFFF
    if firsts:
        paired = (ranks | (ranks >> 4)) & 0x00FF00FF
        suits = cards_now & 0x03030303
        suits = (suits | (suits >> 6)) & 0x000F000F
        suits = ((suits | (suits >> 12)) & 0xFF) << 16
        first = choose(dealing, ((paired | (paired >> 8)) & 0xFFFF) | suits, first)
    if counting:
        of_deal = look_up(tag_words, ranks >> 8) + look_up(tag_words, ranks >> 16) + look_up(tag_words, ranks >> 24)
        running = running + look_up(tag_words, ranks) + choose(dealing, of_deal, 0)
    if dealers > 1:
        up, down = (cards_now >> 8) & 0xFF, cards_now >> 24
        eights = choose((up >> 2) == k.EIGHT, same(up, 16), 0) + choose((down >> 2) == k.EIGHT, same(up, 16), 0)
        of_deal = (1 << (up & 3)) | (1 << (down & 3)) | (eights + 2 * 64)
        drawn = cards_now & 0xFF
        eight = choose((drawn >> 2) == k.EIGHT, same(up, 16), 0)
        of_draw = (hand + eight + 64) | (1 << (drawn & 3))
        hand = choose(dealing, of_deal, choose(row >= dealer_rows, of_draw, hand))
    leaving = bits((entry & SPLIT) != 0)
    if rarely(leaving):
        paired = (ranks | (ranks >> 4)) & 0x00FF00FF
        store(ahead(words, FIRST), choose(dealing, (paired | (paired >> 8)) & 0xFFFF, first))
        store(ahead(words, POS), place)
        store(ahead(words, RUNNING), running)
        store(ahead(words, HAND), hand)
        store(ahead(words, BEGAN), began)
        store(ahead(words, WAY), way)
        numbers_of_lanes = load(lane_numbers, 16)
        while leaving:
            lane = first_bit(leaving)
            ended, next_place, next_running, next_hand = _play_split(
                lane, words, as_bytes(dealt), numbers[SHUFFLED], tables, tags, hands, most_hands,
                bonus_of, bins, low, inverse, bet_of, planned, split_hands,
            )  # fmt: skip
            if ended == 0:
                if numbers[SHUFFLED] < cards:
                    more = min(numbers[SHUFFLED] + 32, cards)
                    _shuffle(deck, dealt, words, lane_numbers, cards, numbers[SHUFFLED], more)
                    numbers[SHUFFLED] = more
                    continue
                numbers[STUCK] |= 1 << lane
                ended = IDLE
            leaving &= leaving - 1
            this = numbers_of_lanes == lane
            entry, place = choose(this, ended, entry), choose(this, next_place, place)
            running, hand = choose(this, next_running, running), choose(this, next_hand, hand)
            following = choose(this, _four_cards(ahead(as_bytes(dealt), lane * STRIDE + next_place)), following)
    over = entry >= END
    append(ahead(queue, filled), over, (entry & END_BITS) | (hand << 16))
    if firsts:
        append(ahead(queue, filled + ROOM), over, first)
    if began_read:
        append(ahead(queue, filled + 2 * ROOM), over, began)
    filled += count_bits(bits(over))
    left = left - choose(over, same(left, 1), 0)
    state = choose(over, DEAL, entry)
    done = over & (place > cut)
    if rarely(bits(done)):
        state = choose(done, IDLE, state)
        place = choose(done, 0, place)
        numbers[WAITING] -= count_bits(bits(done))
    began = choose(over, place, began)
    if counting:
        began = choose(over, place | ((running + ZERO_COUNT) << COUNT_AT), began)
    return (place, state, following, first, began, left, running, hand, way), filled


@inlined
def _begin_shoes(
    lanes: Any, words: Place, numbers: Place, deck: Place, dealt: Place, sorted_deck: Place, lane_numbers: Place,
    settings: Any,
) -> Any:  # fmt: skip
    """New shoes for the lanes that still have rounds to play."""
    _, _, _, first, _, left, _, hand, way = lanes
    _new_shoes(deck, dealt, sorted_deck, words, numbers, lane_numbers, settings[0], settings[2])
    active = bits(left != 0)
    numbers[WAITING] = count_bits(active) if active else -1
    zero = left ^ left
    following = gather(as_bytes(dealt), load(lane_numbers, 16) * STRIDE)
    state = choose(left != 0, zero + DEAL, IDLE)
    return zero, state, following, first, zero + (ZERO_COUNT << COUNT_AT), left, zero, hand, way


@compiled
def play_lanes(
    memory: LockstepMemory, tables: LaneTables, cards: int, game: GameArrays, spread: SpreadArrays, classes: Classes,
    tally: Counters,
) -> int:  # fmt: skip
    """Plays each lane's rounds; returns 0, or 1 as soon as a shoe runs out: to be called again after `finish_shoes`."""
    # every address, so that nothing counts references
    lane_numbers, sorted_deck = begin(memory.lane_numbers), begin(memory.sorted_deck)
    dealt_a = begin(memory.shoes)
    dealt_b = ahead(dealt_a, GROUP * STRIDE // 2)
    deck_a, deck_b = as_bytes(dealt_a), as_bytes(dealt_b)
    words_a, numbers_a, queue = begin(memory.words), begin(memory.numbers), begin(memory.queue)
    words_b, numbers_b = ahead(words_a, GROUP_WORDS), ahead(numbers_a, GROUP_NUMBERS)
    rows, bonus_of, way_of = begin(tables.rows), begin(tables.bonus), begin(tables.way)
    ranks, with_hole, suits = begin(tables.ranks), begin(tables.ranks_with_hole), begin(tables.suits)
    join, hand_of, dealer_class = begin(tables.join), begin(tables.hands), begin(tables.dealer)
    tags, tag_words, hands = begin(tables.tags), begin(memory.tag_words), begin(memory.hands)
    rules, bet_of, inverse = begin(game.tables), begin(spread.bet), begin(spread.inverse)
    columns, slots, insurable = begin(tables.columns), begin(tables.slots), begin(memory.insurable)
    cells, split_hands, copies = begin(tally.cells), begin(tally.split_hands), begin(memory.copies)
    bins, planned = spread.bins, tables.planned
    deal_cells = classes.insured * classes.results
    firsts = as_int(classes.deals > 1 or classes.dealers > 1 or spread.insures != 0)
    began_read = as_int(bins > 1 or spread.insures != 0)
    settings = (
        cards, game.cut, memory.first_rows, tables.dealer_rows, tables.by_value, game.hands, firsts, classes.dealers,
        began_read, memory.counting, planned, bins, spread.low,
    )  # fmt: skip
    shoes = load(lane_numbers, 16) * STRIDE
    a, b = _resumed(words_a, dealt_a, shoes), _resumed(words_b, dealt_b, shoes)
    steps = _fewest_left(words_a, words_b)
    stuck = as_int(0)
    while steps and not stuck:
        filled = as_int(0)
        turn = min(steps, STEPS)
        steps -= turn
        for _ in range(turn):
            if numbers_a[WAITING] == 0:
                a = _begin_shoes(a, words_a, numbers_a, deck_a, dealt_a, sorted_deck, lane_numbers, settings)
            if numbers_b[WAITING] == 0:
                b = _begin_shoes(b, words_b, numbers_b, deck_b, dealt_b, sorted_deck, lane_numbers, settings)
            if planned:
                a = _planned(a, words_a, bins, spread.low, inverse, bet_of, spread.flat_after, way_of)
                b = _planned(b, words_b, bins, spread.low, inverse, bet_of, spread.flat_after, way_of)
            if numbers_a[WAITING] > 0:
                a, filled = _step(
                    a, filled, words_a, numbers_a, deck_a, dealt_a, lane_numbers, shoes, queue, rows, rules, tags,
                    tag_words, hands, split_hands, bonus_of, bet_of, inverse, settings,
                )  # fmt: skip
            if numbers_b[WAITING] > 0:
                b, filled = _step(
                    b, filled, words_b, numbers_b, deck_b, dealt_b, lane_numbers, shoes, queue, rows, rules, tags,
                    tag_words, hands, split_hands, bonus_of, bet_of, inverse, settings,
                )  # fmt: skip
            stuck = numbers_a[STUCK] | numbers_b[STUCK]
            if stuck:
                break
        _count(
            filled, queue, cells, classes.deals, classes.hole_read, ranks, with_hole, suits, join, classes.dealers,
            hand_of, dealer_class, classes.deals * deal_cells, bins, spread.low + 32, cards, tables.scale, columns,
            spread.bets, slots, planned, spread.insures, tables.insured_from, classes.results, insurable, tag_words,
            copies,
        )  # fmt: skip
        if steps == 0:  # lanes may have played their last round; no other can in as many steps as it has rounds left
            a, b = _finished(a, numbers_a), _finished(b, numbers_b)
            store(ahead(words_a, LEFT), a[5])
            store(ahead(words_b, LEFT), b[5])
            steps = _fewest_left(words_a, words_b)
    _put_aside(a, words_a)
    _put_aside(b, words_b)
    for copied in range(4 * COPY):
        if copies[copied]:
            cells[copied & (COPY - 1)] += copies[copied]
            copies[copied] = 0
    return as_int(stuck != 0)


@compiled_part
def _fewest_left(words_a: Place, words_b: Place) -> int:
    """The rounds of the lane that has the fewest left, or 0 when all are played."""
    fewest = as_int(0)
    for lane in range(GROUP):
        for rest in (as_int(words_a[LEFT + lane]), as_int(words_b[LEFT + lane])):
            if rest and (fewest == 0 or rest < fewest):
                fewest = rest
    return fewest


@inlined
def _resumed(words: Place, dealt: Place, shoes: Lanes) -> Any:
    """The registers of a group as they were put aside."""
    place = load(ahead(words, POS), 16)
    following = gather(as_bytes(dealt), place + shoes)
    return (
        place, load(ahead(words, STATE), 16), following, load(ahead(words, FIRST), 16), load(ahead(words, BEGAN), 16),
        load(ahead(words, LEFT), 16), load(ahead(words, RUNNING), 16), load(ahead(words, HAND), 16),
        load(ahead(words, WAY), 16),
    )  # fmt: skip


@inlined
def _put_aside(lanes: Any, words: Place) -> None:
    place, state, _, first, began, left, running, hand, way = lanes
    store(ahead(words, POS), place)
    store(ahead(words, STATE), state)
    store(ahead(words, FIRST), first)
    store(ahead(words, BEGAN), began)
    store(ahead(words, LEFT), left)
    store(ahead(words, RUNNING), running)
    store(ahead(words, HAND), hand)
    store(ahead(words, WAY), way)


@inlined
def _finished(lanes: Any, numbers: Place) -> Any:
    """Lanes that have played their last round wait for ever."""
    place, state, following, first, began, left, running, hand, way = lanes
    ended = (left == 0) & (state == DEAL)
    numbers[WAITING] -= count_bits(bits(ended))
    return choose(ended, 0, place), choose(ended, IDLE, state), following, first, began, left, running, hand, way


@inlined
def _planned(
    lanes: Any, words: Place, bins: int, low: int, inverse: Place, bet_of: Place, flat_after: int, way_of: Place
) -> Any:  # fmt: skip
    place, state, following, first, began, left, running, hand, way = lanes
    starting = bits(state == DEAL)
    if starting:
        store(ahead(words, BEGAN), began)
        store(ahead(words, WAY), way)
        _plan_bets(starting, words, bins, low, inverse, bet_of, flat_after, way_of)
        began, way = load(ahead(words, BEGAN), 16), load(ahead(words, WAY), 16)
    return place, state, following, first, began, left, running, hand, way


def finish_shoes(memory: LockstepMemory, program: Program, spare: tuple[ShoeState, RoundTrace], tally: Counters) -> int:
    """Lets the scalar kernel play the rounds in which shoes run out, as it brings the discards back; returns 0, or 1 if
    a shoe cannot continue. Such rounds are rare, and compiled code that called the scalar kernel would compile it once
    more."""
    words, numbers = memory.words.reshape(GROUPS, GROUP_WORDS), memory.numbers.reshape(GROUPS, GROUP_NUMBERS)
    dealt = memory.shoes[: LANES * STRIDE // 2].view(np.uint8).reshape(GROUPS, GROUP, STRIDE)
    shoe, trace = spare
    for group in range(GROUPS):
        for lane in range(GROUP):
            if int(numbers[group, STUCK]) >> lane & 1:
                _hand_over(words[group, lane::GROUP], dealt[group, lane], shoe)
                if not k.play(
                    1, shoe, program.game, program.spread, program.classes, program.worths, tally, trace
                ):  # fmt: skip
                    return 1
                words[group, LEFT + lane] -= 1
                numbers[group, WAITING] -= 1
        numbers[group, STUCK] = 0
    return 0


def _hand_over(words: Counts, dealt: Bytes, shoe: ShoeState) -> None:
    """Gives a lane's shoe to the scalar kernel, as it was at the beginning of the round."""
    numbers, cards = shoe.numbers, shoe.cards
    began = int(words[BEGAN // GROUP])
    start = began & 511
    running = ((began >> COUNT_AT) & 0x1FFFF) - ZERO_COUNT if numbers[k.COUNTING] else 0
    shoe.bytes[start:cards] = dealt[start:cards]
    tags = numbers[k.TAGS + dealt[start:cards].astype(np.int64)]
    numbers[k.RUNNING + start : k.RUNNING + cards + 1] = running + np.append(0, np.cumsum(tags))
    shoe.generator[k.OF_SHOE : k.OF_SHOE + 4] = words[GENERATOR // GROUP : GENERATOR // GROUP + 4]
    numbers[k.NEXT], numbers[k.SHUFFLED], numbers[k.RESUMED], numbers[k.LOGGED] = start, cards, 1, 0
    numbers[k.OVER], numbers[k.FAILED] = 0, 0
    numbers[k.SHOE_ROUNDS] = int(words[ROUNDS_OF_SHOE // GROUP]) - 1
    numbers[k.FIRST_BET] = int(words[FIRST_BET // GROUP])
