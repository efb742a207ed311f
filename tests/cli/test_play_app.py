"""The terminal table, driven by keys: what the player reads on the screen at each step."""

import asyncio
import random

import pytest
from support.cli_runner import upcard
from support.terminal_player import screen_text, shuffled, sit, watch

from upcard.cards import card_text
from upcard.catalog import shipped
from upcard.catalog.layout import AggregateLimit
from upcard.cli.play.app import PlayApp
from upcard.cli.play.sitting import Sitting
from upcard.pit import open_table
from upcard.units import Cents


def test_a_hand_of_the_brook_from_the_first_chip_to_the_slips() -> None:
    """000: all seven wagers."""
    screens: list[str] = []
    keys = "5 down 5 down 5 down 5 down 5 down 5 down 5 enter s"
    last = watch(sit("the-brook", "Qh 6c Th 9d Kd"), keys, on_screen=screens.append)
    betting = screens[0]
    for line in (
        "Bet Bigger Blackjack with Lucky Ladies, Suited Royals",
        "The Brook: all wagers",
        "Minimum $5. Shoe: 312 of 312 cards left, cut card after 200 more.",
        "Key SHA-256 66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
        "Ante                  $5 to $10          [$5]",
        "Bet Bigger 4          equal to the Ante   -",
        "Lucky Ladies          $2 to $10           -",
        "Galaxy Bonus Jackpot  $5                  -",
        "Bankroll $995   on the felt $5",
        "1 $0.50  2 $1  3 $2  4 $2.50  5 $5",
    ):
        assert line in betting
    dealt = screens[-2]
    assert "Dealer shows 6" in dealt
    assert "won     Lucky Ladies: Suited 20 pays 9 to 1: +$45" in dealt
    assert "Spot 1: you have 20." in dealt
    for line in ("Dealer 25, bust", "20, wins", "Ante: 20 wins, pays 1 to 1: +$5", "You win $70 this round."):
        assert line in last
    assert "Bankroll $1,070" in last


@pytest.mark.parametrize(
    ("layout", "cards", "keys", "sentences"),
    [
        (
            "lucky-ladies-jackpot",
            "Qh Qh Qh 5d Ts",
            "5 down 5 down down down 6 enter s",
            ("Queens of Hearts wins 100% of MEGA (posted at $10,000), to be paid", "The jackpot comes on top."),
        ),
        (
            "bet-bigger",
            "Ah 6h Ad Td Kc 9s Tc",
            "5 down 5 up up 5 enter p",
            ("Ante, hand 1: 21 wins, pays 1 to 1: +$5", "Ante, hand 2: 20 wins", "Break Bonus: "),
        ),
        (
            "lucky-ladies",
            "Qh 6c Qh 9d Td",
            "5 down 5 enter 5 enter s",
            ("Lucky Ladies: Queen of Hearts Pair pays 125 to 1: +$625", "Bust Bonus: 6 up: Dealer Busts"),
        ),
        (
            "double-action",
            "7h 7c 7h 7d 9d",
            "5 down 5 down 5 enter s",
            ("Double Action: 3 of a Kind pays 21 to 1: +$105", "Match Madness: Triple Match"),
        ),
    ],
)
def test_the_other_games_are_played_and_explained(
    layout: str, cards: str, keys: str, sentences: tuple[str, ...]
) -> None:
    screen = watch(sit(layout, cards), keys)
    for sentence in sentences:
        assert sentence in screen


@pytest.mark.parametrize(
    ("layout", "cards", "decisions"),
    [
        ("the-brook", "Th Ad 5h 9c 2h Td", "n h s"),
        ("lucky-ladies-jackpot", "Th Kd 5h 9c 2h Td", "h s"),
        ("bet-bigger", "Th 6d 5h 9c 2h Td Td", "h s"),
        ("lucky-ladies", "Th Ad 5h 9c 2h Td", "n 5 enter h s"),
        ("double-action", "5h Kd 5d 9c 2h 3h Td Td", "p s s"),
    ],
)
def test_the_hole_card_is_not_on_the_screen_before_the_dealers_turn(layout: str, cards: str, decisions: str) -> None:
    """The nine of clubs is the hole card; nothing on the screen names it before the dealer's turn."""
    sitting = sit(layout, cards)
    hidden: list[str] = []

    def look(screen: str) -> None:
        if sitting.table.round is None:
            assert "9c♣" in screen
            return
        assert "9c" not in screen
        if sitting.view.dealer:
            assert "??" in screen
            hidden.append(screen)

    watch(sitting, f"5 down 5 enter t {decisions}", on_screen=look)
    assert len(hidden) >= 2
    assert sitting.rounds == 1


def test_split_hands_are_side_by_side_with_the_turn_marked() -> None:
    screen = watch(sit("the-brook", "8h 6c 8d 9d 3h 8c 2s 5h"), "5 down 5 enter p d")
    line = next(line for line in screen.splitlines() if "Spot 1, hand 1" in line)
    assert "> Spot 1, hand 2" in line
    assert "$10 stacked + $10 beside   $10 on it" in screen  # 000, note iii
    assert "Spot 1, hand 2 of 2: you have 10." in screen


def test_double_for_less_insurance_and_even_money_are_asked() -> None:
    screen = watch(sit("the-brook", "5h 6c 6h 9d Td Kd"), "5 down 5 enter l 2 full_stop 5")
    assert "Double the Ante by how much? $0 to $5 in steps of $0.50. Enter alone: $5. Escape: cancel. 2.5_" in screen
    screen = watch(sit("the-brook", "8h Ac 7d 9d"), "6 enter i")
    assert "Insure the Ante by how much? $0.25 to $5 in steps of $0.25. Enter alone: $5." in screen
    screen = watch(sit("the-brook", "Ah Ac Kd 9d"), "6 enter")
    assert "Or even money, 1 to 1 for your blackjack?" in screen
    assert " I  insurance   E  even money   N  no" in screen


def test_only_legal_actions_are_offered_and_a_refusal_says_why() -> None:
    screen = watch(sit("double-action", "Th 6c Qh 9d Td"), "5 enter p")
    assert " H  hit   S  stay   D  double   L  double for less   ?  rules" in screen
    assert "Only two cards of the same printed rank may be split." in screen
    screen = watch(sit("the-brook"), "9")
    assert "The maximum Ante is $10, not $100." in screen


def test_rebet_clear_and_undo() -> None:
    screens: list[str] = []
    watch(sit("the-brook", "Th 6c Td Td 9s"), "5 down 5 enter s b c backspace backspace", on_screen=screens.append)
    assert "on the felt $10" in screens[-4]
    assert "on the felt" not in screens[-3]
    assert "on the felt $10" in screens[-2]
    assert "on the felt" not in screens[-1]


def test_the_felt_prints_what_the_filing_puts_on_the_lucky_ladies_spot() -> None:
    """003, appendix A, note 3."""
    screens: list[str] = []
    watch(sit("lucky-ladies"), "5", on_screen=screens.append)
    assert "First 2 Cards Equal 20  $1 to $100" in screens[0]
    assert "Lucky Ladies Jackpot" in screens[0]


def test_a_claim_of_a_five_dollar_bonus_wager_shows_its_meter_with_the_notice() -> None:
    """R22: $10,000 for a $1 wager are $50,000 for $5; 003: the notice goes with the amount."""
    layout = shipped().layout("lucky-ladies")
    wagers = tuple(
        wager.model_copy(update={"amount": 500}) if wager.name == "Lucky Ladies Jackpot" else wager
        for wager in layout.wager
    )
    sitting = sit(layout.model_copy(update={"wager": wagers}), "Qh Kh Qh Ah")
    screen = " ".join(watch(sitting, "5 down down down down 5 enter", size=(120, 50)).split())
    assert "wins 100% of Lucky Ladies Jackpot (posted at $50,000)" in screen
    assert "are not components of any progressive prize contest" in screen


def test_an_aggregate_limit_and_a_wager_that_is_off_are_posted_at_their_circles() -> None:
    limit = AggregateLimit.model_validate({"wager": "Double Action", "amount": "$5,000"})
    layout = shipped().layout("double-action").model_copy(update={"aggregate_limit": (limit,)})
    screens: list[str] = []
    watch(sit(layout), "5", on_screen=screens.append, size=(190, 50))
    assert "pays at most $5,000 per deal, all players together" in " ".join(screens[0].split())
    by_hand = shipped().layout("the-brook").model_copy(update={"shuffler": "hand"})
    watch(sit(by_hand), "5", on_screen=screens.append, size=(120, 50))
    assert "off: the shoe is shuffled by hand" in screens[-1]


def test_the_rules_card_opens_scrolls_and_closes() -> None:
    screens: list[str] = []
    watch(sit("the-brook"), "question_mark end escape 5", on_screen=screens.append)
    assert "Surrender, as the first decision, returns 50% of every main wager." in screens[0]
    assert "H S D L P R" in screens[1]
    assert "on the felt $5" in screens[3]


@pytest.mark.parametrize("spots", [1, 3])
@pytest.mark.parametrize("layout", ["the-brook", "lucky-ladies-six-games"])
def test_an_80_by_24_terminal_shows_everything_a_player_needs(layout: str, spots: int) -> None:
    keys = "5 " + "right 5 " * (spots - 1) + "enter"
    cards = "Th 6d Td 9c 2h Td Td" if spots == 1 else "Th 9h 8h 6d Td 9d 8d Td 2h Td Td"
    screens: list[str] = []
    sitting = sit(layout, cards, spots=spots)
    watch(sitting, keys, size=(80, 24), on_screen=screens.append)
    betting, dealt = screens[0], screens[-1]
    for wager in sitting.terms.wagers:
        assert wager in betting
        assert wager in dealt
    for screen in (betting, dealt):
        lines = screen.splitlines()
        assert len(lines) == 24
        assert max(map(len, lines)) <= 80
        assert "Key SHA-256 " + sitting.shoe.shuffle.commitment in screen
        assert "Q  leave" in screen
        assert "Bankroll" in screen
    assert "6d♦   ??" in dealt
    assert all(f"Spot {spot}" in dealt for spot in range(1, spots + 1))


def test_the_slips_take_the_place_of_the_circles_on_a_small_screen() -> None:
    keys = "5 down 5 down 5 down 5 down 5 down 5 down 5 enter s"
    screen = watch(sit("the-brook", "Qh 6c Th 9d Kd"), keys, size=(80, 24))
    assert "Bet Bigger 4: 20 wins, pays 1 to 1: +$5" in screen
    assert "equal to the Ante" not in screen


def test_a_small_screen_scrolls_to_the_last_slip() -> None:
    keys = "5 down 5 down 5 down 5 down 5 down 5 enter p s s"
    cards = "8h 6c 8d 9d 3h 2s Kh"
    screen = watch(sit("the-brook", cards), f"{keys} pagedown pagedown", size=(60, 16))
    assert "Bet Bigger 4, hand 2:" in screen


def test_a_finished_shoe_shows_its_key_and_the_key_verifies_it() -> None:
    table = open_table(shipped(), shipped().layout("the-brook"))
    shoes = shuffled(random.Random(1), cut_card=3)
    sitting = Sitting(table, spots=1, bankroll=Cents(100_00), shoes=shoes)
    screens: list[str] = []
    screen = watch(sitting, "5 enter s enter", size=(300, 24), on_screen=screens.append)
    assert sitting.shoe.shuffle.key.hex() not in screens[1]
    command = screen[screen.index("upcard verify-shoe") :].splitlines()[0]
    verified = upcard(*command.split()[1:], "--json")
    assert verified.code == 0
    assert verified.json["order"].split()[:4] == [card_text(card) for card in sitting.shoe.order[:4]]


def test_an_empty_bankroll_is_reported_with_how_to_leave() -> None:
    screen = watch(sit("the-brook", "Th 6c 5d Td 5s", bankroll="$5"), "5 enter s enter", size=(80, 24))
    assert "Your bankroll is empty. Press Q to leave the table." in screen


def test_hints_are_off_until_asked_for() -> None:
    screens: list[str] = []
    watch(sit("the-brook"), "5 t t", on_screen=screens.append)
    assert ["Rules, not advice:" in screen for screen in screens] == [False, True, False]


def test_no_colour_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR removes all colour; suits are still letters and results are still words."""
    monkeypatch.setenv("NO_COLOR", "1")
    screens: list[str] = []

    async def play() -> None:
        app = PlayApp(sit("the-brook", "Qh 6c Th 9d Kd"))
        assert app.no_color
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("5", "enter")
            screens.append(screen_text(app))

    asyncio.run(play())
    assert "Qh♥" in screens[0]


@pytest.mark.parametrize(
    ("keys", "exits"), [("q", True), ("5 enter q", False), ("5 enter q q", True), ("ctrl+c", True)]
)
def test_q_and_ctrl_c_leave(keys: str, exits: bool) -> None:
    async def play() -> bool:
        app = PlayApp(sit("the-brook", "Th 6c 5d Td 5s"))
        async with app.run_test() as pilot:
            await pilot.press(*keys.split())
            await pilot.pause()
            return app._exit

    assert asyncio.run(play()) is exits


def test_a_key_on_the_screen_can_be_clicked() -> None:
    async def play() -> int:
        sitting = sit("the-brook", "Th 6c 5d Td 5s")
        app = PlayApp(sitting)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("5")
            await pilot.click("#keys", offset=(3, 0))
            return len(sitting.view.dealer)

    assert asyncio.run(play()) == 2
