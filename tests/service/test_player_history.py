"""A player's own rounds: with their cards, filtered, in sums by game and wager, and shared without names."""

import json

from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver, play_on

from upcard.service import commands as s
from upcard.service.player_history import CURVE_POINTS, RoundFilter, _curve, round_page, statistics
from upcard.service.replays import replay, replay_token


def _two_players(new_driver: NewDriver, stack_shoe: StackedShoe, rounds: int = 3) -> TableDriver:
    stack_shoe("Ts Tc 6d Th 7c Td 9d")  # Ann has 20, Bob 17; the dealer breaks with 25
    driver = new_driver("bet-bigger")
    driver.sit("Ann", "Bob")
    for number in range(rounds):
        driver.bet("Ann", 1, **({"Break Bonus": 5_00} if number == 0 else {}))
        driver.bet("Bob", 2)
        driver.floor(s.Deal)
        play_on(driver)
    return driver


def test_a_round_is_listed_with_its_cards_time_and_money(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = _two_players(new_driver, stack_shoe)
    page = round_page(driver.service.queries, "Ann", RoundFilter(), before="~", most=10)
    assert [row["round"] for row in page["rounds"]] == [3, 2, 1]
    first = page["rounds"][-1]
    assert first["game"] == "bet-bigger"
    assert first["dealer"] == ["6d", "Td", "9d"]
    assert first["hands"] == [{"spot": 1, "cards": ["Ts", "Th"]}], "only her own"
    assert first["net"]["Ante"] == 10_00
    assert first["net"]["Break Bonus"] > 0
    assert first["back"] - first["staked"] == sum(first["net"].values())
    assert first["at"] < page["rounds"][0]["at"]


def test_rounds_are_filtered_and_paged(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    queries = _two_players(new_driver, stack_shoe, rounds=4).service.queries
    bonus = round_page(queries, "Ann", RoundFilter(wager="Break Bonus"), before="~", most=10)
    assert [row["round"] for row in bonus["rounds"]] == [1]
    assert round_page(queries, "Ann", RoundFilter(game="the-brook"), before="~", most=10)["rounds"] == []
    every = round_page(queries, "Ann", RoundFilter(), before="~", most=10)["rounds"]
    nets = {row["round"]: row["back"] - row["staked"] for row in every}
    for result, wanted in (("won", 1), ("lost", -1), ("push", 0)):
        rows = round_page(queries, "Ann", RoundFilter(result=result), before="~", most=10)["rounds"]  # type: ignore[arg-type]
        assert {row["round"] for row in rows} == {
            number for number, net in nets.items() if (net > 0) - (net < 0) == wanted
        }
    newest = round_page(queries, "Ann", RoundFilter(), before="~", most=3)
    assert newest["before"]
    oldest = round_page(queries, "Ann", RoundFilter(), before=newest["before"], most=3)
    assert [row["round"] for row in newest["rounds"] + oldest["rounds"]] == [4, 3, 2, 1]
    assert oldest["before"] == ""


def test_statistics_add_up_by_game_and_by_wager(new_driver: NewDriver, stack_shoe: StackedShoe) -> None:
    driver = _two_players(new_driver, stack_shoe)
    queries = driver.service.queries
    career = statistics(queries, "Ann")
    played = queries.played_by("Ann")
    assert (career["rounds"], career["staked"]) == (3, sum(row["staked"] for row in played))
    assert career["back"] - career["staked"] == driver.bankroll("Ann") - 1000_00
    assert career["curve"][0] == 0
    assert career["curve"][-1] == career["back"] - career["staked"]
    wagers = {wager["wager"]: wager for wager in career["wagers"]}
    assert (wagers["Ante"]["times"], wagers["Break Bonus"]["times"]) == (3, 1)
    assert sum(wager["staked"] for wager in wagers.values()) == career["staked"]
    assert sum(wager["back"] for wager in wagers.values()) == career["back"]
    assert [game["game"] for game in career["games"]] == ["bet-bigger"]
    session = statistics(queries, "Ann", since=played[0]["at"])
    assert session["rounds"] == sum(row["at"] >= played[0]["at"] for row in played) < 3
    assert statistics(queries, "Eve")["rounds"] == 0


def test_a_curve_has_no_more_points_than_a_graph_can_show() -> None:
    for rounds in (0, 1, CURVE_POINTS, CURVE_POINTS + 1, 12_345):
        curve = _curve([1] * rounds)
        assert len(curve) <= CURVE_POINTS + 1
        assert (curve[0], curve[-1]) == (0, rounds)


def test_a_shared_round_has_no_names_and_its_token_opens_no_other(
    new_driver: NewDriver, stack_shoe: StackedShoe
) -> None:
    driver = _two_players(new_driver, stack_shoe)
    queries, keyring = driver.service.queries, driver.service.desk.context.keyring
    token = replay_token(keyring, queries, "Ann", "T1", 1)
    assert token is not None
    assert replay_token(keyring, queries, "Eve", "T1", 1) is None, "she did not play it"
    shared = replay(keyring, queries, "T1", 1, token)
    assert shared is not None
    text = json.dumps(shared)
    assert "Ann" not in text
    assert "Bob" not in text
    players = {event["spot"]: event["player"] for event in shared["events"] if event["event"] == "slip"}
    assert players == {1: "player", 2: ""}
    assert replay(keyring, queries, "T1", 2, token) is None
    assert replay(keyring, queries, "T1", 1, token.replace("1.", "2.", 1)) is None
    assert replay(keyring, queries, "T1", 1, token[:-1] + ("0" if token[-1] != "0" else "1")) is None
