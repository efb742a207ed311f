"""Tables a person deals at: the order of the cards, cards that cannot be, entries put right, and the same slips."""

from pathlib import Path
from typing import Any

import pytest
from service.conftest import NewEvening
from service.evening import Evening, Laid, events
from support.empty_books import KEYRING

from upcard.cards import card_text
from upcard.catalog import shipped
from upcard.service import commands as s
from upcard.service.check import check
from upcard.service.doctor import Mark, Patient, examine

CATALOG = shipped()
LAYOUTS = ("the-brook", "lucky-ladies-jackpot", "bet-bigger", "lucky-ladies", "double-action")


def by_hand(evening: NewEvening, layout: str = "bet-bigger", **opening: Any) -> Evening:
    """A table a person deals at, with a shoe on it."""
    e = evening(layout, by_hand=True, **opening)
    e.floor(s.PlaceShoe)
    return e


def enter(e: Evening, cards: str) -> None:
    for card in cards.split():
        e.floor(s.EnterCard, card=card)


def dealt(e: Evening, cards: str, *players: str) -> None:
    """The players bet ten dollars each, and these cards are dealt."""
    for spot, player in enumerate(players or ("Ann",), 1):
        if player not in e.live.players:
            e.sit(player) if spot == 1 else e.say(player, s.Seat, spot=spot)
        e.bet(player, spot)
    e.floor(s.Deal)
    enter(e, cards)


def sound(e: Evening) -> None:
    """Every record done again, from the first one on."""
    with e.service.desk.book.look() as clerk:
        report = check(clerk.unit, KEYRING)
    assert report.findings == []
    assert report.replayed == report.records


# --- the order of the cards


def test_cards_go_where_one_is_due_and_the_hole_card_lies_unseen(evening: NewEvening) -> None:
    e = by_hand(evening)
    dealt(e, "Th 9c 8h")
    state = e.live.table.round
    assert state is not None
    assert [card_text(one) for one in state.spots[0].hands[0].cards] == ["Th", "8h"]
    assert (len(state.dealer), state.hole_unknown) == (1, True)
    e.floor(s.Stay, spot=1)
    assert "hole-revealed" in events(e.floor(s.EnterCard, card="9d"))
    sound(e)


@pytest.mark.parametrize(
    ("cards", "then", "sentence"),
    [
        ("Th 9c 8h", (s.EnterCard, {"card": "5d"}), "not now: the table waits for spot 1 to play"),
        ("Th Ac 8h", (s.EnterCard, {"card": "5d"}), "not now: the table waits for insurance decisions"),
        ("Th Kc 8h", (s.EnterCard, {"card": "5d"}), "not now: the table waits for the peek"),
        ("Th 9c 8h", (s.Peek, {"blackjack": True}), "not now: the table waits for spot 1 to play"),
        ("Th 9c 8h", (s.Settle, {}), "the round is not over: the table waits for spot 1 to play"),
        ("Th", (s.Hit, {"spot": 1}), "not now: the table waits for the dealer's up card"),
        (
            "",
            (s.CorrectCard, {"number": 1, "card": "5d"}),
            "there is no card number 1 in this round: 0 were entered",
        ),
        ("", (s.TakeBack, {}), "this round has no entry to take back"),
    ],
)
def test_what_is_out_of_order_is_refused_in_words(
    evening: NewEvening, cards: str, then: tuple[type[s.TableCommand], dict[str, Any]], sentence: str
) -> None:
    e = by_hand(evening)
    dealt(e, cards)
    assert e.no_floor(then[0], **then[1])[1] == sentence


def test_a_seventh_queen_of_hearts_is_not_in_six_decks(evening: NewEvening) -> None:
    e = by_hand(evening)
    dealt(e, "Qh Qh Qh")  # the up card makes the dealer peek
    e.floor(s.Peek, blackjack=False)
    e.floor(s.Split, spot=1)
    for _ in range(2):
        enter(e, "Qh")
        e.floor(s.Stay, spot=1)
    enter(e, "Qh")  # the hole card
    assert e.no_floor(s.CorrectCard, number=6, card="Ah")[0] == "CONTRADICTS_LATER_ENTRIES"  # the peek found none
    e.floor(s.Settle)
    e.bet("Ann", 1)
    e.floor(s.Deal)
    refused = e.no_floor(s.EnterCard, card="Qh")
    assert refused == ("NO_COPY_LEFT", "all 6 copies of Qh have come out of this shoe")
    e.floor(s.EnterCard, card="Qd")
    e.floor(s.Void, why="a card was seen")
    sound(e)


def test_a_card_that_contradicts_the_peek_is_refused(evening: NewEvening) -> None:
    e = by_hand(evening)
    dealt(e, "Th Kc 8h")
    e.floor(s.Peek, blackjack=True)
    assert e.no_floor(s.EnterCard, card="9d") == ("PEEK_SAID_OTHERWISE", "9d contradicts the peek")
    e.floor(s.EnterCard, card="Ad")
    e.floor(s.Settle)
    assert e.round(1)["slips"][0]["reason"] == "dealer-blackjack"


def test_a_dealer_s_words_mean_nothing_where_the_service_deals(evening: NewEvening) -> None:
    e = evening()
    assert e.no_floor(s.EnterCard, card="Qh")[0] == "NOT_BY_HAND"
    assert e.no_floor(s.PlaceShoe)[0] == "NOT_BY_HAND"


def test_no_wager_before_the_shoe_lies_there_and_no_cut_but_at_the_table(evening: NewEvening) -> None:
    e = evening(by_hand=True)
    e.sit("Ann")
    assert e.no("Ann", s.Bet, spot=1, stakes={"Ante": 10_00})[1] == "the shoe is over: shuffle first"
    assert e.no("Ann", s.Cut, words="luck")[1] == "this shoe is cut by hand, at the table"


# --- the same slips


CARDS = {
    "the-brook": ("Kh 7d Qh Td", {"Ante": 10_00, "Bet Bigger 2": 10_00, "Lucky Ladies": 5_00, "Suited Royals": 5_00}),
    "lucky-ladies-jackpot": ("9s 9d 9s 8c", {"Ante": 10_00, "Match the Dealer": 5_00, "Perfect Pair": 5_00}),
    "bet-bigger": ("Ts 6d Tc Th 9d", {"Ante": 10_00, "Match the Dealer": 5_00, "Break Bonus": 5_00}),
    "lucky-ladies": ("Td 9d Kd 8s", {"Blackjack": 10_00, "Lucky Ladies": 5_00, "21+3 Xtreme": 5_00}),
    "double-action": ("Tc 9d Ts 8h", {"Blackjack": 10_00, "Double Action": 5_00, "Match Madness": 5_00}),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_round_by_hand_is_settled_as_the_same_cards_out_of_a_shoe(
    evening: NewEvening, lay: Laid, layout: str
) -> None:
    cards, stakes = CARDS[layout]
    hand, shoe = by_hand(evening, layout), evening(layout)
    lay(cards)
    for e in (shoe, hand):
        e.sit("Ann")
        e.say("Ann", s.Bet, spot=1, stakes=stakes)
        e.floor(s.Deal)
    first, up, second, hole, *draws = cards.split()
    enter(hand, f"{first} {up} {second}")
    for e in (shoe, hand):
        if str(e.live.table.round and e.live.table.round.phase.value) == "late-wagers":
            e.floor(s.Deal)
        e.floor(s.Stay, spot=1)
    enter(hand, " ".join([hole, *draws]))
    hand.floor(s.Settle)
    assert hand.round(1)["slips"] == shoe.round(1)["slips"]
    assert hand.bankroll("Ann") == shoe.bankroll("Ann")
    sound(hand)


# --- entries put right


def test_a_wrong_card_is_corrected_before_the_round_is_booked_and_leaves_a_trace(evening: NewEvening) -> None:
    e = by_hand(evening)
    dealt(e, "Th 9c 8h")
    answer = e.floor(s.CorrectCard, number=3, card="9h")
    assert answer.events == [
        {
            "event": "card-corrected",
            "number": 3,
            "place": {"code": "awaiting/player-card", "spot": 1, "hand": 0},
            "was": "8h",
            "now": "9h",
        }
    ]
    e.floor(s.Stay, spot=1)
    enter(e, "9d")
    e.floor(s.Settle)
    (settled,) = e.round(1)["slips"]
    assert (settled["reason"], settled["points"], settled["pays"]) == ("win", 19, "1")
    trail = [row["command"]["do"] for row in e.service.queries.audit("T1")["done"]]
    assert "correct-card" in trail
    assert e.no_floor(s.CorrectCard, number=3, card="8h")[0] == "NO_SUCH_ENTRY"
    sound(e)


def test_the_last_card_can_be_corrected_too_for_nothing_is_booked_before_the_dealer_says_so(
    evening: NewEvening,
) -> None:
    e = by_hand(evening)
    dealt(e, "Th 9c 9h")
    e.floor(s.Stay, spot=1)
    enter(e, "9d")
    before = e.bankroll("Ann")
    e.floor(s.CorrectCard, number=4, card="Td")
    e.floor(s.Settle)
    assert e.round(1)["slips"][0]["reason"] == "push"
    assert e.bankroll("Ann") == before + 10_00


def test_a_correction_the_round_contradicts_is_refused_and_the_entries_can_be_taken_back(evening: NewEvening) -> None:
    e = by_hand(evening)
    dealt(e, "5h 9c 6h")
    e.floor(s.Hit, spot=1)
    enter(e, "2d")
    e.floor(s.Hit, spot=1)
    enter(e, "3d")
    reason, sentence = e.no_floor(s.CorrectCard, number=2, card="Ac")  # insurance would have been offered
    assert reason == "CONTRADICTS_LATER_ENTRIES"
    assert sentence == (
        "Ac contradicts later entries: not now: the table waits for insurance decisions; "
        "take back what follows it first"
    )
    e.floor(s.TakeBack)
    assert events(e.floor(s.TakeBack)) == ["entry-taken-back"]
    e.floor(s.CorrectCard, number=4, card="Kd")
    e.floor(s.Stay, spot=1)
    enter(e, "Td")
    e.floor(s.Settle)
    assert (e.round(1)["slips"][0]["reason"], e.round(1)["slips"][0]["points"]) == ("win", 21)
    sound(e)


@pytest.mark.parametrize("action", [s.Split, s.Double])
def test_a_double_or_split_that_was_not_so_gives_its_stake_back(
    any_evening: NewEvening, action: type[s.TableCommand]
) -> None:
    e = by_hand(any_evening)
    dealt(e, "8h 9c 8d")
    before = e.bankroll("Ann")
    e.floor(action, spot=1)
    assert e.bankroll("Ann") == before - 10_00
    e.floor(s.TakeBack)
    assert e.bankroll("Ann") == before
    e.floor(s.Stay, spot=1)
    enter(e, "9d")
    e.floor(s.Settle)
    assert [(slip["stake"], slip["reason"], slip["points"]) for slip in e.round(1)["slips"]] == [(10_00, "lose", 16)]
    sound(e)


def test_insurance_taken_back_is_given_back_and_a_late_wager_is_cleared_instead(evening: NewEvening) -> None:
    e = by_hand(evening, "lucky-ladies")
    dealt(e, "8h Ac 8d")
    before = e.bankroll("Ann")
    e.floor(s.Insure, spot=1)  # the only spot: insurance is closed with it
    e.floor(s.TakeBack)
    assert e.bankroll("Ann") == before
    e.floor(s.DeclineInsurance, spot=1)
    e.floor(s.Peek, blackjack=False)
    e.floor(s.Bet, spot=1, stakes={"Bust Bonus": 5_00})
    assert e.no_floor(s.TakeBack)[0] == "CLEAR_INSTEAD"
    e.floor(s.ClearWagers, spot=1, wager="Bust Bonus")
    e.restart()
    assert e.floor(s.TakeBack).events[0]["entry"] == {
        "do": "peek",
        "blackjack": False,
    }  # nothing stands in its way any longer
    e.floor(s.Peek, blackjack=False)
    sound(e)


# --- shoes, timers, restarts


def test_the_doctor_has_nothing_against_a_shoe_without_a_key(evening: NewEvening, tmp_path: Path) -> None:
    e = by_hand(evening)
    key = tmp_path / "key"
    key.write_text(bytes(32).hex())
    key.chmod(0o600)
    patient = Patient(address=e.address, store=e.service.desk.store, catalog=CATALOG, key=key, now=e.now)
    told = {one.what: one.mark for one in examine(patient)}
    assert (told["live shoes"], told["tables"]) == (Mark.OK, Mark.OK)


def test_the_cut_card_ends_the_shoe_after_the_round_and_the_next_one_is_laid(evening: NewEvening) -> None:
    e = by_hand(evening)
    dealt(e, "Th 9c 9h")
    e.floor(s.CutCard)
    assert e.no_floor(s.CutCard)[0] == "CUT_CARD_OUT"
    e.floor(s.Stay, spot=1)
    enter(e, "9d")
    e.floor(s.Settle)
    assert e.live.table.shoe_over
    e.floor(s.PlaceShoe)
    shoes = e.service.queries.shoes("T1")
    assert [(one["number"], one["commitment"], one["key"]) for one in shoes] == [(2, "", None), (1, "", None)]
    sound(e)


def test_a_closing_table_ends_with_its_physical_shoe_and_opens_again_with_a_shoe_of_the_service(
    evening: NewEvening,
) -> None:
    e = by_hand(evening)
    dealt(e, "Th 9c 9h")
    e.floor(s.AnnounceClosing)
    e.floor(s.CutCard)
    e.floor(s.CorrectCard, number=1, card="Td")  # what the house said meanwhile stands
    e.floor(s.Stay, spot=1)
    enter(e, "9d")
    assert not e.live.table.closed
    e.floor(s.Settle)
    assert e.live.table.closed
    e.floor(s.CloseTable, tray=e.own("tray:T1"))
    e.floor(s.OpenTable, layout="bet-bigger", tray=e.own("tray:T1"))
    assert e.live.shoe == 2
    e.sit("Ann")
    e.bet("Ann", 1)
    sound(e)


def test_a_dealer_is_waited_for(evening: NewEvening) -> None:
    e = by_hand(evening)
    dealt(e, "Th 9c 9h")
    assert e.live.due is None
    assert e.later(86_400) == []


def test_a_restart_loses_nothing_that_was_entered(any_evening: NewEvening) -> None:
    e = by_hand(any_evening)
    for number in range(5):  # snapshots within the shoe
        dealt(e, "Th 9c 9h")
        e.floor(s.Stay, spot=1)
        enter(e, "9d")
        e.floor(s.Settle)
        assert e.round(number + 1)["void"] is None
    dealt(e, "5h 9c 6h")
    came_out, entries = dict(e.live.table.came_out), e.live.entries
    e.restart()
    assert (dict(e.live.table.came_out), e.live.entries) == (came_out, entries)
    assert e.live.table.shoe_cards == 312 - 5 * 4 - 4
    e.floor(s.CorrectCard, number=1, card="4h")
    e.floor(s.Void, why="the dealer dropped the shoe")
    e.restart()
    assert e.live.table.round is None
    sound(e)


def test_the_house_may_shuffle_between_rounds_and_with_the_round_on_the_felt(evening: NewEvening, lay: Laid) -> None:
    e = evening()
    lay("Th 9c 9h 9d Th 9c 9h 9d")
    e.sit("Ann")
    e.bet("Ann", 1)
    e.floor(s.Deal)
    assert events(e.floor(s.Shuffle)) == ["last-round-announced"]
    e.say("Ann", s.Stay, spot=1)
    assert (e.live.table.shoe_over, e.live.shoe) == (True, 2)
    assert e.no_floor(s.Shuffle)[0] == "NO_SHOE"
    e.bet("Ann", 1)
    e.floor(s.Deal)
    e.say("Ann", s.Stay, spot=1)
    assert "shoe-revealed" in events(e.floor(s.Shuffle))
    sound(e)
