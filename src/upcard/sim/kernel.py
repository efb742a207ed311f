"""A whole table in compiled code: shoe, deal, peek, play, dealer, and one tally for every spot of every round.

The kernel knows no wager, no chart and no paytable: `compile` turns them into the arrays below. What happened at a spot
is one cell of one histogram: the count before the deal, the plan of stakes, the class of the dealer's hand, the class of
the first cards, insurance, and the result of the hand. Hits, sums, squares and joint results all follow from its cells.
"""

from typing import NamedTuple

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

NOT_INSURED, INSURANCE_LOST, INSURANCE_WON = range(3)

NEXT, SHUFFLED, START, OVER, FAILED, LOGGED, UNLOGGED, SERIAL, UP, HOLE, NEAR = range(11)  # where a shoe stands
PLACES = 11
DEALER = 255  # owns the dealer's cards
MOST_CARDS = 24  # of a dealer's hand, and more than any can have
FEATURES = 13 * MOST_CARDS * 8  # of a dealer's final hand
MASK = np.uint64(0xFFFFFFFF)
SHIFT = 1048576.0  # added before a count is cut off to a whole number, so that this rounds downwards


class Shoe(NamedTuple):
    """The cards and where we are in them; positions behind SHUFFLED are not in any order yet."""

    deck: Bytes
    running: Small  # [position] the running count of the cards before it
    owner: Bytes  # [position] whose card it is, kept while the shoe may run out
    dead: Bytes  # [owner] whether his cards lie in the discards
    tags: Small  # [card] what the count adds for it
    generator: Seeds
    at: Ints
    log: Bytes  # every card in the order dealt; empty: none is kept


class House(NamedTuple):
    """The rules and the chart as automata over ranks."""

    spots: int
    hands: int
    cut: int
    fresh: int
    ahead: int
    most_cards: int  # a round cannot take more
    value: Bytes  # [rank] up card as a column of the chart
    insurable: Bytes  # [rank]
    two: Bytes  # [rank, rank] the state of two cards
    first: Bytes  # [rank, rank, up] what the chart does with them
    split: Bytes  # [more hands may be made, rank, rank, up] and with two cards of a split hand
    step: Bytes  # [up, state, rank] the next state, with AGAIN where the chart hits it
    points: Bytes  # [state] what it counts against the dealer, nothing for a bust
    forfeits: Bytes  # [state] 1 for the total that loses a wager on the dealer's hand
    dealer_two: Bytes  # [up, hole]
    dealer_step: Bytes  # [state, rank]
    dealer_points: Bytes  # [state] one for a bust, which beats nothing but one


class Bets(NamedTuple):
    """What the player makes of the count."""

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


class Classes(NamedTuple):
    """The side wagers, worked out together: a class of cards is one event of each of them."""

    ranks: Words
    suits: Words
    suit_classes: int
    join: Words
    rank_factor: int  # 13 and 4 where the hole card is read, else 1
    suit_factor: int
    hole_read: int
    deals: int
    dealers: int
    insured: int
    results: int
    dealer: Words  # [forfeited, up rank, cards, bust, suited, three eights]
    unplayed: int  # the dealer has a blackjack


class Nets(NamedTuple):
    """Cents won or lost."""

    main: Ints  # [plan, result]
    insurance: Ints  # [plan, insured]
    deal: Ints  # [plan, class, wager]
    dealer: Ints  # [plan, class, wager]
    deal_wagers: int
    dealer_wagers: int


class Tally(NamedTuple):
    """What is counted."""

    cells: Counts
    split_hands: Ints  # [plan, result]
    squares: Ints  # [bin and plan, wager]: of a round's sum over its spots, where there are several
    blocks: Ints  # sums of so many rounds each
    block: int


class Trace(NamedTuple):
    """A round as it was played, to be replayed."""

    rounds: Ints  # [round] cards and acts so far, plan, bin, new shoe, shoe over
    spots: Ints  # [round, spot] class of the deal, of the dealer, insured, result
    hands: Ints  # [hand] round, spot, result
    acts: Bytes


@compiled
def shuffle(shoe: Shoe, begin: int, end: int) -> int:
    """Puts the next positions in order: Fisher-Yates from the front, two cards out of each word of xoshiro256++."""
    deck, running, tags, state = shoe.deck, shoe.running, shoe.tags, shoe.generator
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    left = np.uint64(deck.size - begin)
    place = begin
    count = running[begin]
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
            if place < end:
                other = place + np.int64(scaled >> np.uint64(32))
                card = deck[other]
                deck[other] = deck[place]
                deck[place] = card
                count += tags[card]
                place += 1
                running[place] = count
                left -= np.uint64(1)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return place


@compiled
def more(shoe: Shoe) -> None:
    """A card is due behind the last position in order: a few more are put in order, or the discards come back."""
    at, cards = shoe.at, shoe.deck.size
    if at[SHUFFLED] == cards:
        refill(shoe)
    at[SHUFFLED] = shuffle(shoe, at[SHUFFLED], min(at[SHUFFLED] + 8, cards))


@compiled
def refill(shoe: Shoe) -> None:
    """R33: what does not lie on the table is shuffled and dealt on."""
    deck, owner, at = shoe.deck, shoe.owner, shoe.at
    if shoe.log.size:
        for place in range(at[UNLOGGED], deck.size):
            shoe.log[at[LOGGED]] = deck[place]
            at[LOGGED] += 1
    old, old_owner = deck.copy(), owner.copy()
    lying = 0
    for place in range(at[START], deck.size):
        if not shoe.dead[old_owner[place]]:
            deck[lying], owner[lying] = old[place], old_owner[place]
            shoe.running[lying + 1] = shoe.running[lying] + shoe.tags[old[place]]
            lying += 1
    rest = lying
    for place in range(deck.size):
        if place < at[START] or shoe.dead[old_owner[place]]:
            deck[rest] = old[place]
            rest += 1
    if lying == deck.size:  # every card lies on the table: nothing to deal on with
        at[FAILED] = 1
        lying = 0
    at[START], at[NEXT], at[SHUFFLED], at[UNLOGGED], at[OVER] = 0, lying, lying, lying, 1


@compiled
def draw(shoe: Shoe, owner: int) -> int:
    """The next card, for the ways that are seldom gone."""
    at = shoe.at
    if at[NEXT] == at[SHUFFLED]:
        more(shoe)
    card = shoe.deck[at[NEXT]]
    shoe.owner[at[NEXT]] = owner
    at[NEXT] += 1
    return np.int64(card)


@compiled
def deal_slowly(shoe: Shoe, first: Ints, second: Ints, spots: int) -> None:
    """A deal that the end of the shoe may interrupt."""
    for spot in range(spots):
        first[spot] = draw(shoe, spot)
    shoe.at[UP] = draw(shoe, DEALER)
    for spot in range(spots):
        second[spot] = draw(shoe, spot)
    shoe.at[HOLE] = draw(shoe, DEALER)


@compiled
def play_split(
    shoe: Shoe, house: House, spot: int, up: int, begin: int, first: int, second: int, ends: Ints, times: Ints,
    acts: Bytes, said: int, waits: int,
) -> tuple[int, int]:  # fmt: skip
    """Plays a pair as its hands, left to right; gives the number behind the last hand, and of acts said."""
    at = shoe.at
    cards = np.empty(house.hands, np.int64)
    owners = np.empty(house.hands, np.int64)
    hands, turn = 2, 0
    cards[0], cards[1] = first, second
    owners[0], owners[1] = spot, at[SERIAL]
    pass_on(shoe, spot, at[SERIAL])
    at[SERIAL] += 1
    if acts.size:
        acts[said] = SPLIT
        said += 1
    while turn < hands:
        card = cards[turn]
        other = draw(shoe, owners[turn])
        more_hands = np.int64(hands < house.hands)
        pair = (card >> 2) * 13 + (other >> 2)
        act = house.split[(more_hands * 169 + pair) * UPS + up]
        if act == SPLIT:
            for place in range(hands, turn + 1, -1):
                cards[place], owners[place] = cards[place - 1], owners[place - 1]
            cards[turn + 1], owners[turn + 1] = other, at[SERIAL]
            pass_on(shoe, owners[turn], at[SERIAL])
            at[SERIAL] += 1
            hands += 1
            if acts.size:
                acts[said] = SPLIT
                said += 1
            continue
        state = np.int64(house.two[pair])
        times[begin + turn] = 1
        if act == DOUBLE:
            times[begin + turn] = 2
            state = np.int64(house.step[(up * 64 + state) * WIDTH + (draw(shoe, owners[turn]) >> 2)]) & STATE
            if acts.size:
                acts[said] = DOUBLE
                said += 1
        else:
            again = act == HIT
            while again:
                moved = house.step[(up * 64 + state) * WIDTH + (draw(shoe, owners[turn]) >> 2)]
                state = np.int64(moved) & STATE
                again = moved >= AGAIN
                if acts.size:
                    acts[said] = HIT
                    said += 1
            if acts.size and act != ALONE and house.points[state]:
                acts[said] = STAND
                said += 1
        ends[begin + turn] = state
        if not waits and not house.points[state]:
            shoe.dead[owners[turn]] = 1
        turn += 1
    return begin + hands, said


@compiled
def pass_on(shoe: Shoe, owner: int, heir: int) -> None:
    """The second card of a split hand becomes another's."""
    shoe.dead[heir] = 0
    for place in range(shoe.at[NEXT] - 1, shoe.at[START] - 1, -1):
        if shoe.owner[place] == owner:
            shoe.owner[place] = heir
            return


@compiled
def play(
    rounds: int, shoe: Shoe, house: House, bets: Bets, classes: Classes, nets: Nets, tally: Tally, trace: Trace | None
) -> int:
    """Plays so many rounds, beginning with a new shoe; gives how many were played before a shoe could not go on."""
    deck, running, at, owner, dead = shoe.deck, shoe.running, shoe.at, shoe.owner, shoe.dead
    spots, fresh, cut = house.spots, house.fresh, house.cut
    first, second = np.zeros(8, np.int64), np.zeros(8, np.int64)
    begins, fixed = np.zeros(9, np.int64), np.zeros(8, np.int64)
    dealer_classes = np.zeros(8, np.int64)
    ends, times = np.zeros(64, np.int64), np.ones(64, np.int64)
    sums = np.zeros(nets.deal_wagers + nets.dealer_wagers + 3, np.int64)
    dealt = 2 * spots + 2
    behind_cut = cut + house.ahead
    several = spots > 1
    totals = several or tally.block > 0
    place, shuffled = 0, 0
    over = True
    shoe_rounds, held, bank, banked, block_number = 0, 0, 0, 0, 0
    acts = np.empty(0, np.uint8)
    said, traced_hands = 0, 0
    if trace is not None:
        acts = trace.acts
    for number in range(rounds):
        new = over
        if over:
            place, shuffled, shoe_rounds = 0, 0, 0
            at[OVER] = 0
        start = place
        near = deck.size - place < house.most_cards
        # what the count says of the wagers
        column = 0
        if bets.bins > 1:
            true = np.int64((running[start] * 52 + 0.5) * bets.inverse[start] + SHIFT) - 1048576
            column = min(max(true - bets.low, 0), bets.bins - 1)
        plan = np.int64(bets.plan[column])
        if shoe_rounds == 0:
            held = plan
        elif shoe_rounds >= bets.flat_after:
            plan = held
        shoe_rounds += 1
        # the deal: each spot a card, the dealer's up card, each spot another, the hole card
        if deck.size - place >= dealt:
            if shuffled < place + dealt:
                shuffled = shuffle(shoe, shuffled, min(deck.size, max(behind_cut, place + dealt + house.ahead)))
            for spot in range(spots):
                first[spot] = deck[place + spot]
                second[spot] = deck[place + spots + 1 + spot]
            up = np.int64(deck[place + spots])
            hole = np.int64(deck[place + 2 * spots + 1])
            place += dealt
        if near or place == start:
            at[START], at[UNLOGGED], at[SERIAL] = start, start, spots
            for spot in range(spots):
                dead[spot] = 0
            if place == start:
                at[NEXT], at[SHUFFLED] = place, shuffled
                deal_slowly(shoe, first, second, spots)
                place, shuffled, up, hole = at[NEXT], at[SHUFFLED], at[UP], at[HOLE]
            else:
                for spot in range(spots):
                    owner[start + spot] = spot
                    owner[start + spots + 1 + spot] = spot
                owner[start + spots] = DEALER
                owner[start + 2 * spots + 1] = DEALER
        up_rank, hole_rank = up >> 2, hole >> 2
        shown = np.int64(house.value[up_rank])
        dealer = np.int64(house.dealer_two[up_rank * 13 + hole_rank])
        insured = 0
        if bets.insures and house.insurable[up_rank]:
            seen = place - 1  # all but the hole card
            true = np.int64((running[seen] * 52 + 0.5) * bets.inverse[seen] + SHIFT) - 1048576
            if true >= bets.insure_from:
                insured = INSURANCE_WON if dealer >= BLACKJACK else INSURANCE_LOST
        bonus = np.int64(bets.bonus[plan])
        waits = bets.waits[plan]
        hands, drawn, score = 0, 0, 0
        if dealer >= BLACKJACK:
            for spot in range(spots):
                pair = (first[spot] >> 2) * 13 + (second[spot] >> 2)
                is_natural = house.first[pair * UPS + shown] == NATURAL
                fixed[spot] = PUSHED_NATURAL if is_natural else DEALER_NATURAL
                dealer_classes[spot] = classes.unplayed
        else:
            live = 0
            for spot in range(spots):
                begins[spot] = hands
                pair = (first[spot] >> 2) * 13 + (second[spot] >> 2)
                act = np.int64(house.first[pair * UPS + shown])
                state = np.int64(house.two[pair])
                while act == HIT:
                    if place == shuffled:
                        at[NEXT], at[SHUFFLED] = place, shuffled
                        more(shoe)
                        place, shuffled = at[NEXT], at[SHUFFLED]
                    if near:
                        owner[place] = spot
                    moved = np.int64(house.step[(shown * 64 + state) * WIDTH + (deck[place] >> 2)])
                    place += 1
                    state = moved & STATE
                    act = moved >> 6
                    if trace is not None:
                        acts[said] = HIT
                        said += 1
                fixed[spot] = -1
                forfeited = np.int64(house.forfeits[state])
                if act == STAND:
                    ends[hands] = state
                    times[hands] = 1
                    alive = np.int64(house.points[state])
                    live |= alive
                    if near and alive == 0 and not waits:
                        dead[spot] = 1
                    hands += 1
                    if trace is not None:
                        if alive:
                            acts[said] = STAND
                            said += 1
                elif act == DOUBLE:
                    if place == shuffled:
                        at[NEXT], at[SHUFFLED] = place, shuffled
                        more(shoe)
                        place, shuffled = at[NEXT], at[SHUFFLED]
                    if near:
                        owner[place] = spot
                    state = np.int64(house.step[(shown * 64 + state) * WIDTH + (deck[place] >> 2)]) & STATE
                    place += 1
                    ends[hands] = state
                    times[hands] = 2
                    alive = np.int64(house.points[state])
                    live |= alive
                    forfeited = np.int64(house.forfeits[state])
                    if near and alive == 0 and not waits:
                        dead[spot] = 1
                    hands += 1
                    if trace is not None:
                        acts[said] = DOUBLE
                        said += 1
                elif act == NATURAL:
                    fixed[spot] = PAID_NATURAL
                elif act == SURRENDER:
                    fixed[spot] = SURRENDERED
                    if near and not waits:
                        dead[spot] = 1
                    if trace is not None:
                        acts[said] = SURRENDER
                        said += 1
                else:
                    if not near:  # whose card is whose was not kept
                        at[START], at[SERIAL] = start, spots
                    at[NEXT], at[SHUFFLED] = place, shuffled
                    hands, said = play_split(
                        shoe, house, spot, shown, hands, first[spot], second[spot], ends, times, acts, said, waits
                    )  # fmt: skip
                    place, shuffled = at[NEXT], at[SHUFFLED]
                    forfeited = 0
                    for hand in range(begins[spot], hands):
                        live |= np.int64(house.points[ends[hand]])
                        forfeited |= np.int64(house.forfeits[ends[hand]])
                dealer_classes[spot] = forfeited
                live |= (bonus & 1) | ((bonus >> 1) & (1 - forfeited))
            begins[spots] = hands
            # the dealer draws where a hand or a wager waits for it
            if live:
                while dealer & AGAIN:
                    if place == shuffled:
                        at[NEXT], at[SHUFFLED] = place, shuffled
                        more(shoe)
                        place, shuffled = at[NEXT], at[SHUFFLED]
                    if near:
                        owner[place] = DEALER
                    dealer = np.int64(house.dealer_step[(dealer & STATE) * WIDTH + (deck[place] >> 2)])
                    place += 1
                    drawn += 1
                score = np.int64(house.dealer_points[dealer & STATE])
            if bonus:
                suits, eights = (1 << (up & 3)) | (1 << (hole & 3)), np.int64(up_rank == 7) + np.int64(hole_rank == 7)
                for back in range(place - drawn, place):
                    suits |= 1 << (deck[back] & 3)
                    eights += np.int64(deck[back] >> 2 == 7)
                feature = (up_rank * MOST_CARDS + 2 + drawn) * 2 + np.int64(score == 1)
                feature = (feature * 2 + np.int64(suits & (suits - 1) == 0)) * 2 + np.int64(eights == 3)
                for spot in range(spots):
                    dealer_classes[spot] = classes.dealer[dealer_classes[spot] * FEATURES + feature]
            else:
                for spot in range(spots):
                    dealer_classes[spot] = 0
        # one cell for each spot
        slot = column * bets.plans + plan
        for spot in range(spots):
            result = fixed[spot]
            if result < 0:
                hand = begins[spot]
                if begins[spot + 1] - hand == 1:
                    points = np.int64(house.points[ends[hand]])
                    compared = 2 + np.int64(points > score) - np.int64(points < score)
                    result = compared * np.int64(points > 0) + TWICE * (times[hand] - 1)
                else:
                    result = SPLITS + 2 * house.hands
                    for other in range(hand, begins[spot + 1]):
                        points = np.int64(house.points[ends[other]])
                        compared = np.int64(points > score) - np.int64(points < score)
                        one = (2 + compared) * np.int64(points > 0) + TWICE * (times[other] - 1)
                        if points == 0:
                            compared = -1
                        result += compared * times[other]
                        tally.split_hands[plan * 8 + one] += 1
                        if trace is not None:
                            trace.hands[traced_hands, 0] = number
                            trace.hands[traced_hands, 1] = spot
                            trace.hands[traced_hands, 2] = one
                            traced_hands += 1
            one, two = first[spot], second[spot]
            ranks = (((one >> 2) * 13 + (two >> 2)) * 13 + up_rank) * classes.rank_factor + hole_rank * classes.hole_read
            suits = (((one & 3) * 4 + (two & 3)) * 4 + (up & 3)) * classes.suit_factor + (hole & 3) * classes.hole_read
            kind = np.int64(classes.join[np.int64(classes.ranks[ranks]) * classes.suit_classes + np.int64(classes.suits[suits])])
            cell = (slot * classes.dealers + dealer_classes[spot]) * classes.deals + kind
            cell = (cell * classes.insured + insured) * classes.results + result
            tally.cells[cell] += np.uint32(1)
            if totals:
                main = nets.main[plan * classes.results + result]
                side = nets.insurance[plan * 3 + insured]
                total = main + side
                row = (plan * classes.deals + kind) * nets.deal_wagers
                for wager in range(nets.deal_wagers):
                    net = nets.deal[row + wager]
                    total += net
                    sums[wager] += net
                row = (plan * classes.dealers + dealer_classes[spot]) * nets.dealer_wagers
                for wager in range(nets.dealer_wagers):
                    net = nets.dealer[row + wager]
                    total += net
                    sums[nets.deal_wagers + wager] += net
                sums[sums.size - 3] += main
                sums[sums.size - 2] += side
                sums[sums.size - 1] += total
            if trace is not None:
                trace.spots[number, spot, 0] = kind
                trace.spots[number, spot, 1] = dealer_classes[spot]
                trace.spots[number, spot, 2] = insured
                trace.spots[number, spot, 3] = result
        if totals:
            bank += sums[sums.size - 1]
            for wager in range(sums.size):
                if several:
                    tally.squares[slot * sums.size + wager] += sums[wager] * sums[wager]
                sums[wager] = 0
            banked += 1
            if banked == tally.block:
                tally.blocks[block_number] = bank
                block_number += 1
                bank, banked = 0, 0
        over = bool(fresh) or place > cut or at[OVER] > 0
        if trace is not None:
            if not near:
                at[UNLOGGED] = start
            for one in range(at[UNLOGGED], place):
                shoe.log[at[LOGGED]] = deck[one]
                at[LOGGED] += 1
            trace.rounds[number, 0] = at[LOGGED]
            trace.rounds[number, 1] = said
            trace.rounds[number, 2] = plan
            trace.rounds[number, 3] = column
            trace.rounds[number, 4] = np.int64(new)
            trace.rounds[number, 5] = np.int64(over)
        if at[FAILED]:
            return number
    return rounds
