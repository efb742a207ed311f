"""Hints: what each thing that may be done with a hand on the felt is worth, from the cards that can be seen."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support import blackjack_oracle as plain

from upcard.cards import read_card
from upcard.catalog import shipped
from upcard.engine import Round, Terms, apply, awaiting
from upcard.engine import commands as c
from upcard.engine.awaiting import DealerCard, PlayerCard
from upcard.frozen import replace as with_fields
from upcard.odds.main.action_values import action_values
from upcard.odds.main.hint_question import HintQuestion, hint_question
from upcard.odds.main.position import FIRST, PAIRS, SECOND, TEN
from upcard.odds.main.rank_shoe import full_shoe
from upcard.odds.main.solve import solve
from upcard.pit import open_table
from upcard.pit.terms import derive
from upcard.problems import BadRequest
from upcard.units import Cents, Odds

CATALOG = shipped()
CLOSE = 1e-10
Felt = tuple[Round, Terms]


def dealt(cards: str, *orders: c.Command, layout: str = "the-brook", spots: tuple[int, ...] = (3,)) -> Felt:
    """A table where $10 lies on each spot, these cards have come out, and these orders were given between them."""
    terms = derive(with_fields(open_table(CATALOG, CATALOG.layout(layout)), seats={spot: f"P{spot}" for spot in spots}))
    state, waiting, pile = Round(), list(orders), [read_card(text) for text in cards.split()]
    for spot in spots:
        state, _ = apply(state, terms, c.PlaceWager(spot, terms.main.name, Cents(1000)))
    state, _ = apply(state, terms, c.CloseBetting())
    while True:
        while isinstance(awaiting(state, terms), PlayerCard | DealerCard):
            state, _ = apply(state, terms, c.DealCard(pile.pop(0)))
        if not waiting:
            assert not pile
            return state, terms
        state, _ = apply(state, terms, waiting.pop(0))


def asked(felt: Felt, spot: int = 3) -> HintQuestion:
    asked_hand = hint_question(*felt, spot)
    assert asked_hand is not None
    return asked_hand[0]


def by_plain_recursion(question: HintQuestion) -> dict[str, float]:
    """The same hand by a recursion that knows nothing of the solver."""
    values = (*question.shoe[:9], sum(question.shoe[9:]))
    table = plain.Table(values, hands=question.rules.hands, soft17=question.rules.soft17)
    hand = plain.cards(*(min(rank, 9) + 1 for rank in question.hand))
    action_values = table.actions(hand, min(question.up, 9))
    return {{"stand": "stay"}.get(name, name): worth for name, worth in action_values.items()}


@pytest.mark.parametrize(
    ("cards", "spots", "orders"),
    [
        ("Th 9d 6c 8h", (3,), ()),  # sixteen against nine
        ("Th 7d 4c 8h 2s", (3,), (c.Hit(3),)),  # three cards: nothing to double
        ("As 6d 7c 8h", (3,), ()),  # soft eighteen
        (
            "Ts Kd 6c 9s 5h 5c Jd 4h",
            (2, 3, 5),
            (c.Stay(2), c.Stay(3)),
        ),  # two others' cards are seen, and a peek was made
    ],
)
def test_staying_hitting_and_doubling_are_worth_what_playing_on_gives(
    cards: str, spots: tuple[int, ...], orders: tuple[c.Command, ...]
) -> None:
    question = asked(dealt(cards, *orders, spots=spots), spots[-1])
    exact, slow = action_values(question), by_plain_recursion(question)
    assert slow.keys() <= exact.keys() | {"double"}
    for action in exact.keys() & slow.keys():
        assert exact[action] == pytest.approx(slow[action], abs=CLOSE), action


def test_a_pair_is_worth_what_the_whole_solution_says() -> None:
    question = asked(dealt("8s 6d 8c 8h"))
    options = solve(full_shoe(6), question.rules).optimum.options
    eights = int(PAIRS[7])
    assert (FIRST[eights], SECOND[eights]) == (7, 7)
    values = action_values(question)
    for action, table in {"split": options.split, "stay": options.stand, "hit": options.hit}.items():
        assert values[action] == pytest.approx(float(table[eights, 5]), abs=CLOSE)
    assert values["surrender"] == -0.5
    assert max(values, key=values.__getitem__) == "split"


def test_kings_are_split_as_kings() -> None:
    """Against a ten the printed rank of the up card counts; over all up cards the mean is the solver's."""
    same_up, other_up = (asked(dealt(f"Ks {up} Kc 8h")) for up in ("Kd", "Qd"))
    same, unlike = action_values(same_up)["split"], action_values(other_up)["split"]
    assert same != unlike
    solved = solve(full_shoe(6), same_up.rules)
    chances = solved.position._ten_pairs(TEN)
    total = sum(share for share, _, _ in chances)
    of_its_own = sum(share for share, of_rank, _ in chances if of_rank == 23) / total
    mean = of_its_own * same + (1 - of_its_own) * unlike
    assert mean == pytest.approx(float(solved.optimum.options.split[PAIRS[TEN], TEN]), abs=CLOSE)


def test_a_split_hand_sees_its_sister_and_may_become_fewer_hands() -> None:
    """Eights split, the first drew an eight: two hands of three are there, so a split makes the last one."""
    question = asked(dealt("8s 6d 8c 8h 8d", c.Split(3)))
    assert question.rules.hands == 2
    assert question.shoe[7] == 23  # the sister's eight; the hand's own two stay among those to be weighed
    assert set(action_values(question)) == {"stay", "hit", "double", "split"}


def test_insurance_is_priced_by_the_cards_in_sight() -> None:
    felt = dealt("Th Ts Ad Kc Kh 5h", spots=(2, 3))
    values = action_values(asked(felt))
    tens = 96 - 4
    assert values == {
        "decline-insurance": 0.0,
        "insure": pytest.approx(float(Fraction(1, 2) * (Fraction(tens, 312 - 5) * 3 - 1))),
    }


def test_even_money_beside_a_blackjack_that_waits() -> None:
    values = action_values(asked(dealt("As Ad Kc 5h")))
    unseen = Fraction(95, 312 - 3)
    assert values["even-money"] == 1
    assert values["decline-insurance"] == pytest.approx(float(Fraction(3, 2) * (1 - unseen)))
    assert values["insure"] == pytest.approx(float(Fraction(3, 2) * (1 - unseen) + (unseen * 3 - 1) / 2))


def test_the_hole_card_changes_no_hint() -> None:
    assert len({asked(dealt(f"Th 9d 6c {hole}")) for hole in ("2h", "Kd", "9s", "Ac")}) == 1


def test_nobody_is_asked_out_of_turn() -> None:
    felt = dealt("Ts Th 9d 6c 7c 8h", spots=(2, 3))
    assert hint_question(*felt, 2) is not None
    assert hint_question(*felt, 3) is None
    assert hint_question(*felt, 4) is None


def test_what_cannot_be_priced_is_refused_in_words() -> None:
    state, terms = dealt("Th 9d 6c 8h")
    strange = replace(terms, rules=terms.rules.model_copy(update={"win": Odds.parse("11:10")}))
    with pytest.raises(BadRequest, match="where a winning hand pays even money; here it pays 11:10"):
        hint_question(state, strange, 3)
    short = replace(asked((state, terms)), shoe=(4,) * 13, rules=replace(asked((state, terms)).rules, hands=4))
    few = replace(short, shoe=tuple(1 if rank in (*short.hand, short.up) else 0 for rank in range(13)))
    with pytest.raises(BadRequest, match="too small"):
        action_values(few)
