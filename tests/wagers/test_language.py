"""Kinds written as conditions: the shipped ones mean what they always meant, and the language means what it says."""

import hashlib
import json
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.cards import DECK, Card, rank_of, read_cards, suit_of, value_of_rank
from upcard.catalog import shipped
from upcard.catalog.kind_file import KindEntry, example_complaints, load_kinds
from upcard.problems import BadFile
from upcard.wagers import DealerHandKind
from upcard.wagers.definition import definition_of, every_feature, kind_of
from upcard.wagers.language.parser import parse
from upcard.wagers.language.tokens import ConditionError
from upcard.wagers.pattern_sets import Role
from upcard.wagers.written_kind import highest

# Of the definitions as Python functions gave them, before they were written in the language.
BY_FUNCTIONS = {
    "lucky-ladies": "6945b6e1f142f29d3792e1497b093a52",
    "lucky-ladies-dealer-blackjack": "1e605ab42679465a728607c7d04fd8bc",
    "lucky-ladies-three-queens": "05f4d6a1cdde7ff2eddf2a959973d67e",
    "lucky-ladies-jackpot": "af5eb7695aa9c0a9b412a8471ebb7dd6",
    "suited-royals": "ee65dded17953febaaa03105541f629d",
    "insurance": "077a1369891cd46d22038b2aaf92fcce",
    "21+3": "c11d66f25bb1fe6e3795cd66c05ff889",
    "top-3": "8aa00c6360302c9040618206cb458f4e",
    "galaxy-bonus-jackpot": "edd175b5b612bbc5460828f8a3cdfc68",
    "21+3-jackpot": "82fbd02e35cf2b5334be2919a1f4fa20",
    "perfect-pair": "582c8b9c34a66019d22fc93c034e7abd",
    "match-the-dealer": "0de5cb5ce505d0c4a77d637f03b1cc55",
    "double-action": "bd8c4a8a8ac4d7962cc778a993673f26",
    "second-action": "94e4309bcbb9c0ceeca86839b8c987fa",
    "match-madness": "00ad40dbe15466b944eeb351f22ef5a3",
    "break-bonus": "9ac9af4350fd4892d581395b8b6c1c29",
    "bust-bonus": "598ade0f21a53d604b464e099d9ebc84",
}
THREE = (Role.FIRST, Role.SECOND, Role.UP)


def test_kinds_written_as_data_mean_what_the_functions_they_replaced_meant() -> None:
    for name, digest in BY_FUNCTIONS.items():
        text = json.dumps([definition_of(shipped().kind(name), suit) for suit in range(4)], sort_keys=True)
        assert hashlib.sha256(text.encode()).hexdigest()[:32] == digest, name


def test_every_example_of_a_shipped_kind_is_its_event() -> None:
    for path in sorted((shipped().folder / "kinds").glob("*.toml")):
        assert load_kinds(path)  # which checks conditions and examples


def holds(condition: str, cards: str) -> bool:
    """Whether a condition on first, second and up holds."""
    kind = KindEntry.model_validate({"name": "x", "reads": ["first", "second", "up"], "events": {"it": condition}})
    return highest(kind.written().kind(), read_cards(cards)) == "it"


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("up is A", "2c 2d As", "As 2d Ks"),
        ("player are red", "2d Ah As", "2d Ac As"),
        ("all are 2-6", "2d 6h 4s", "2d 6h 7s"),
        ("first is face/A", "Kd 2c 2d", "Td 2c 2d"),
        ("all are ten-value", "Td Jc Kd", "Td 9c Kd"),
        ("first is not hearts", "Td 9c Kd", "Th 9c Kd"),
        ("2 of all are 7", "7d 9c 7h", "7d 7c 7h"),
        ("at least 2 of all are 7", "7d 7c 7h", "7d 2c 3h"),
        ("at most 1 of all are 7", "7d 2c 3h", "7d 7c 3h"),
        ("none of all are Qh", "Qd Qs Qc", "Qd Qh Qc"),
        ("player share value", "Kd Th 2c", "9d Th 2c"),
        ("player share color", "Kd Th 2c", "Ks Th 2c"),
        ("all differ in suit", "Kd Th 2c", "Kd Td 2c"),
        ("all differ in rank", "Kd Th 2c", "Kd Th Kc"),
        ("all run (ace low)", "3d Ah 2c", "Qd Kh Ac"),
        ("all run (ace high)", "Ad Qh Kc", "2d Ah 3c"),
        ("all run (ace low or high)", "Ad Qh Kc", "Kd Ah 2c"),
        ("first matches up in card", "Kd Ah Kd", "Kd Ah Kh"),
        ("1 of player match up in suit", "Kd Ah 2h", "Kh Ah 2h"),
        ("total of all is 21 (aces 1 or 11)", "Ad 5h 5c", "Ad 5h 6c"),
        ("total of all < 13 (aces 1)", "Ad Ah Tc", "2d Ah Tc"),
        ("total of player >= 22 (aces 11)", "Ad Ah 2c", "Ad Th 2c"),
        ("total of all is 21 (best)", "Ad Th Tc", "Ad Ah Tc"),
        ("rank of first < rank of up (ace high)", "Kd 2c As", "Ad 2c Ks"),
        ("rank of first < rank of up (ace low)", "Ad 2c Ks", "Kd 2c As"),
        ("player have blackjack", "Ad Kc 2s", "Ad 9c 2s"),
        ("not (up is A or up is K) and player share rank", "2d 2c Qs", "2d 2c As"),
        ("up is A and player share suit or all share rank", "2d 2c 2s", "2d 2c As"),
    ],
)
def test_a_condition_means_what_it_says(condition: str, yes: str, no: str) -> None:
    assert holds(condition, yes)
    assert not holds(condition, no)


@given(st.tuples(*[st.sampled_from(DECK)] * 3))
def test_a_tie_between_ranks_and_suits_holds_card_by_card(cards: tuple[Card, ...]) -> None:
    entry = {
        "name": "x",
        "reads": ["first", "second", "up"],
        "events": {"odd": "1 of all are Qh/Ks/2c", "else": "not odd and any of player match up in card"},
    }
    kind = KindEntry.model_validate(entry).written().kind()
    odd = sum(card in read_cards("Qh Ks 2c") for card in cards) == 1
    matched = cards[2] in cards[:2]
    assert highest(kind, cards) == ("odd" if odd else "else" if matched else None)


def test_totals_with_aces_as_one_or_eleven_hold_for_every_pair_of_ranks() -> None:
    kind = KindEntry.model_validate(
        {"name": "x", "reads": ["first", "second"], "events": {"it": "total of all is 13 (aces 1 or 11)"}}
    )
    for cards in product(DECK[::4], repeat=2):
        low = sum(value_of_rank(rank_of(card)) for card in cards)
        totals = {low + 10 * count for count in range(sum(rank_of(card) == 0 for card in cards) + 1)}
        assert (highest(kind.written().kind(), cards) == "it") == (13 in totals)


@pytest.mark.parametrize(
    ("condition", "column", "sentence"),
    [
        ("up is", 6, "the end is no rank"),
        ("up is Zh", 7, "'Zh' is no rank"),
        ("hole is A", 1, "does not read the hole card"),
        ("upp is A", 1, "did you mean up"),
        ("first, first share rank", 8, "named twice"),
        ("first share rank", 7, "needs two cards"),
        ("all run", 8, "(ace low), (ace high) or (ace low or high), not the end"),
        ("all run (ace middle)", 14, "expected low or high, not 'middle'"),
        ("total of all is 21", 19, "say how aces count: (aces 1 or 11), (aces 1), (aces 11) or (best)"),
        ("4 of all are A", 1, "only 3 cards"),
        ("first and second are red", 7, "join cards with a comma"),
        ("first = K", 7, "write is"),
        ("first is King", 10, "did you mean king?"),
        ("first is heart", 10, "did you mean hearts?"),
        ("up is t", 7, "did you mean T?"),
        ("up is 11", 7, "an ace is A"),
        ("player are suited", 12, "write share suit"),
        ("two of all are 7", 1, "write a number: 2 of all are 7"),
        ("up is A and", 12, "ends too early"),
        ("(up is A", 9, "expected ), not the end"),
        ("up is A up is K", 9, "expected the end, not 'up'"),
        ("up is A & first is K", 9, "'&' has no meaning"),
        ("first matches first in rank", 7, "not matched with itself"),
        ("(" * 60 + "up is A" + ")" * 60, 41, "at most 40 levels"),
        ("up is A " * 500, 1, "at most 2,000 letters"),
    ],
)
def test_a_mistake_has_its_column_and_says_what_would_be_right(condition: str, column: int, sentence: str) -> None:
    with pytest.raises(ConditionError) as refusal:
        parse(condition, THREE, ())
    assert sentence in refusal.value.sentence
    assert refusal.value.column == column


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("bust", "Th 6c Kd", "Th 7c"),
        ("total is 20", "Th Kc", "Th 6c Kd"),
        ("total <= 18", "Th 8c", "Th 9c"),
        ("total >= 20", "5h 6c Td", "Th 6c Kd"),
        ("not total is 21", "Th 6c Kd", "Ah Kc"),
        ("blackjack", "Ah Kc", "5h 6c Td"),
        ("player has blackjack", "Th 7c, player has blackjack", "Th 7c"),
        ("cards is 3 and suited", "5h 6h Th", "5h 6h Td"),
        ("three eights", "8h 8c 8d", "8h 8c Td"),
        ("up is 5", "5h 6c Td", "6h 5c Td"),
    ],
)
def test_a_condition_on_the_dealers_hand_means_what_it_says(condition: str, yes: str, no: str) -> None:
    kind = KindEntry.model_validate({"name": "x", "reads": "dealer hand", "events": {"it": condition}}).written().kind()
    assert list(example_complaints({"it": [yes], "none": [no]}, ("it",), None, kind)) == []
    assert len(list(example_complaints({"none": [yes], "it": [no]}, ("it",), None, kind))) == 2


@pytest.mark.parametrize(
    ("condition", "column", "sentence"),
    [
        ("total is 22", 10, "17 to 21, or a bust"),
        ("total of player is 20", 7, "expected = or"),
        ("up is hearts", 7, "only the rank of the up card"),
        ("up is K", 7, "write ten-value"),
        ("player have blackjack", 8, "expected has"),
        ("first is A", 1, "'first' is unknown here"),
    ],
)
def test_a_mistake_on_the_dealers_hand_has_its_column(condition: str, column: int, sentence: str) -> None:
    with pytest.raises(ConditionError) as refusal:
        parse(condition, None, ())
    assert sentence in refusal.value.sentence
    assert refusal.value.column == column


@pytest.mark.parametrize(
    "condition", ["bust and cards is 2", "three eights and total is 21", "cards is 20", "bust and total is 21"]
)
def test_an_event_that_no_hand_of_the_dealer_is_is_refused(condition: str) -> None:
    kind = KindEntry.model_validate({"name": "x", "reads": "dealer hand", "events": {"it": condition}})
    assert [mistake.sentence for mistake in kind.written().mistakes()] == ["no hand of the dealer can be this event"]


@pytest.mark.parametrize(
    "condition", ["total >= 19 and up is 6", "bust and player has blackjack", "bust and suited", "suited"]
)
def test_a_stored_kind_on_the_dealers_hand_needs_no_language(condition: str) -> None:
    """A book keeps the definition: every hand, as bits."""
    kind = KindEntry.model_validate({"name": "x", "reads": "dealer hand", "events": {"it": condition}}).written().kind()
    stored = kind_of({0: json.loads(json.dumps(definition_of(kind)))})
    assert isinstance(kind, DealerHandKind)
    assert isinstance(stored, DealerHandKind)
    assert stored.only_busts == kind.only_busts
    hands = every_feature(totals=True)
    assert [stored.highest(hand, ("it",)) for hand in hands] == [kind.highest(hand, ("it",)) for hand in hands]


def test_every_problem_of_a_file_of_kinds_is_listed_with_line_and_column(tmp_path: Path) -> None:
    """At once: a mistake of one condition hides none of another, and none of the examples."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[[kind]]\nname = "mine"\nreads = ["first", "second"]\n\n[kind.events]\n'
        'pair = "all shar rank"\nloop = "pool"\npool = "loop"\nall = "first is A"\n'
        'never = "total of all is 99 (best)"\ntwo_words = "pair and first is A"\n\n'
        '[[kind]]\nname = "other"\nreads = ["first", "second"]\n[kind.let]\nred = "all are red"\n'
        '[kind.events]\nnever = "red and all are black"\npair = "all share rank"\nodd = "first is 1"\n'
        '[kind.examples]\npair = ["5h 6h", "5h", "5h 5x"]\nnone = ["5h 6h"]\n'
    )
    with pytest.raises(BadFile) as refusal:
        load_kinds(path)
    problems = [str(problem).removeprefix(f"{path}: ") for problem in refusal.value.problems]
    assert [problem.partition(": ")[0] for problem in problems] == [
        "kind mine, events.pair, line 6, column 13",
        "kind mine, events.loop, line 7, column 9",
        "kind mine, events.pool, line 8, column 9",
        "kind mine, events.all, line 9, column 8",
        "kind mine, events.never, line 10, column 10",
        "kind mine, events.two_words, line 11, column 14",
        "kind other, events.never, line 19, column 10",
        "kind other, events.odd, line 21, column 17",
        "kind other, examples.pair, line 23, column 8",
        "kind other, examples.pair, line 23, column 8",
    ]
    sentences = "; ".join(problem.partition(": ")[2] for problem in problems)
    for words in (
        "expected is, are, share, differ, run, match or have after the cards, not 'shar'",
        "'pool' leads back to 'loop'",
        "'all' means something else in a condition: choose another name",
        "'two_words' cannot stand in a condition",
        "'1' is no rank",
        "'5h' should be 2 cards",
    ):
        assert words in sentences
    assert sentences.count("no cards can be this event") == 2


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('"""\nall share rank\n  and all share colr\n"""', 6, 17),
        ("'''all share rank\n and all share colr'''", 5, 16),
        ('"""all share rank \\\n\n    and all share colr"""', 6, 19),
        ('"all\\u0020share rank and all share colr"', 4, 47),
        ("'all share rank and all share colr'", 4, 42),
        ('"""\r\nall share rank\r\nand all share colr"""', 6, 15),
    ],
)
def test_a_mistake_is_found_in_its_line_however_the_condition_is_written(
    text: str, line: int, column: int, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(f'[[kind]]\nname = "mine"\nreads = ["first", "second"]\nevents.a = {text}\n'.encode())
    with pytest.raises(BadFile, match=rf"line {line}, column {column}: expected rank or .* not 'colr'"):
        load_kinds(path)


LETS = [f"l{number}" for number in range(60)]


@pytest.mark.parametrize("reads", ['["first", "second"]', '"dealer hand"'])
@pytest.mark.parametrize("step", ["not " * 39 + "{name}", "{name} and ({name} or anything)"])
def test_long_chains_of_names_take_neither_depth_nor_time(step: str, reads: str, tmp_path: Path) -> None:
    chain = [f'{name} = "{step.format(name=before)}"' for before, name in pairwise(LETS)]
    start = 'l0 = "bust"' if "dealer" in reads else 'l0 = "first is A"'
    path = tmp_path / "mine.toml"
    lines = ["[[kind]]", 'name = "mine"', f"reads = {reads}", "[kind.let]", start, *chain]
    path.write_text("\n".join([*lines, f"[kind.events]\na = '{step.format(name='l59')}'\n"]))
    kind = load_kinds(path)["mine"].written().kind()
    hands = ("Td 6c 8h", "Td 7c") if "dealer" in reads else ("Ac 2d", "2d Ac")
    assert [highest(kind, read_cards(hand)) for hand in hands] == ["a", None]


def test_suits_of_every_card_can_be_counted_exactly() -> None:
    kind = KindEntry.model_validate(
        {
            "name": "x",
            "reads": ["first", "second", "up", "hole"],
            "settles": "peek",
            "events": {"it": "3 of all are Qh"},
        }
    )
    compiled = kind.written().kind()
    for hand in ("Qh Qh Qh Qs", "Qh Qs Qh Qh", "Qh Qh Qh Qh", "Qs Qs Qh Qh"):
        cards = read_cards(hand)
        count = sum(suit_of(card) == 2 and rank_of(card) == 11 for card in cards)
        assert (highest(compiled, cards) == "it") == (count == 3)
