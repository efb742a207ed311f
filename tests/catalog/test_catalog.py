"""The shipped catalog: all of the five filings, under their own names."""

from collections import Counter

import pytest

from upcard.catalog import shipped
from upcard.catalog.game_checks import layout_notices
from upcard.catalog.jackpot import Bonus, DailyAccrual, Posted, Progressive
from upcard.catalog.pays import Fixed, Share
from upcard.problems import UnknownName
from upcard.units import Basis

CATALOG = shipped()
FILED_GAMES = ("the-brook", "lucky-ladies-jackpot", "bet-bigger", "lucky-ladies", "double-action")


def test_all_85_paytables_of_the_five_filings_are_there() -> None:
    """Tables of no filing may stand beside them."""
    by_filing = Counter(table.filing for table in CATALOG.paytables.values() if table.filing)
    assert by_filing == {"000": 3, "001": 3, "002": 2, "003": 44, "004": 33}
    by_kind = Counter(table.kind.name for table in CATALOG.paytables.values() if table.filing in ("003", "004"))
    assert by_kind == {
        "lucky-ladies-dealer-blackjack": 4,
        "bust-bonus": 1,
        "21+3": 3,
        "top-3": 2,
        "lucky-ladies-jackpot": 23,
        "21+3-jackpot": 11,
        "double-action": 25,
        "match-madness": 8,
    }


def test_every_paytable_of_a_filing_belongs_to_a_wager_of_its_game_and_no_other() -> None:
    for game in map(CATALOG.game, FILED_GAMES):
        named = {name for wager in game.wager for name in wager.paytables}
        assert named == {table.name for table in CATALOG.paytables.values() if table.filing == game.number}


def test_jackpots_of_003_are_for_1_and_felt_wagers_to_1() -> None:
    for table in CATALOG.paytables.values():
        assert (table.basis is Basis.FOR_ONE) == (table.printed_wager is not None)


def test_dollars_become_units_of_the_printed_wager() -> None:
    galaxy = CATALOG.paytable("000 Galaxy Bonus Jackpot")
    assert [pay.units for pay in galaxy.lines.values() if isinstance(pay, Fixed)] == [125, 25, 10, 3]
    ladies = CATALOG.paytable("001 Lucky Ladies")  # R7: 4, 10, 25 as the felt table
    assert [pay.units for pay in ladies.lines.values() if isinstance(pay, Fixed)] == [50, 25, 10, 4]
    shares = [pay.largest for pay in ladies.lines.values() if isinstance(pay, Share)]
    assert shares == [1, 1, 1]


@pytest.mark.parametrize("name", ["LL/JP 7", "ll-jp-7", "ll/jp 7", "LL JP 7"])
def test_a_paytable_is_found_by_name_or_slug(name: str) -> None:
    assert CATALOG.paytable(name).name == "LL/JP 7"


@pytest.mark.parametrize("name", ["003", "lucky-ladies", "Lucky Ladies"])
def test_a_game_is_found_by_number_slug_or_name(name: str) -> None:
    assert CATALOG.game(name).number == "003"


@pytest.mark.parametrize(("asked", "offered"), [("LL-3", "PT-BJS-LL-30"), ("DA9/1", "DA4/1"), ("DA6", "DA6/1")])
def test_an_unknown_name_suggests_the_nearest(asked: str, offered: str) -> None:
    with pytest.raises(UnknownName) as unknown:
        CATALOG.paytable(asked)
    assert offered in unknown.value.suggestions


def test_slugs_are_unique() -> None:
    slugs = [table.slug for table in CATALOG.paytables.values()]
    assert len(set(slugs)) == len(slugs)


def test_every_game_answers_every_question_of_its_filing() -> None:
    for game in CATALOG.games.values():
        open_questions = {number for number, reading in CATALOG.readings.items() if game.number in reading.filings}
        assert set(game.readings) == open_questions
    assert list(CATALOG.readings) == [f"R{number}" for number in range(1, 34)]


def test_every_game_ships_a_default_layout_with_its_filing_at_its_best() -> None:
    for slug, game in CATALOG.games.items():
        layout = CATALOG.layouts[slug]
        offered = {wager.name for wager in layout.wager}
        missing = {wager.name for wager in game.wager} - offered
        # 2nd Action excludes Match Madness; Classic and Xtreme are two tables of the same three cards
        assert missing <= {"2nd Action", "21+3 Classic"}
    assert len(CATALOG.layouts["lucky-ladies"].jackpot) == 2
    assert CATALOG.layouts["lucky-ladies-jackpot"].decks == 6


def test_the_four_jackpot_plans() -> None:
    plans = {type(plan): game.number for game in CATALOG.games.values() for plan in game.jackpot}
    assert plans == {DailyAccrual: "000", Posted: "001", Bonus: "003", Progressive: "003"}


def test_splits_resplits_and_surrender_follow_each_filing() -> None:
    rules = {game.number: game.rules for game in CATALOG.games.values()}
    assert {number: game_rules.hands for number, game_rules in rules.items()} == {
        "000": 3,
        "001": 4,
        "002": 4,
        "003": 4,
        "004": 4,
    }
    assert [number for number, game_rules in rules.items() if game_rules.resplit_aces] == ["002"]
    assert [number for number, game_rules in rules.items() if game_rules.surrender == "late"] == ["000", "001", "002"]
    assert [
        number for number, game in ((g.number, g) for g in CATALOG.games.values()) if game.conduct.flat_betting
    ] == [
        "000",
        "001",
    ]


def test_awards_that_cannot_happen_are_said_of_a_layout() -> None:
    """R21: two decks hold no three equal queens."""
    notices = list(layout_notices(CATALOG, CATALOG.layouts["lucky-ladies-jackpot-two-decks"]))
    assert notices == [
        "001 Lucky Ladies: Three Queens of Hearts cannot happen with 2 decks (R21)",
        "001 Lucky Ladies: Three Queens Same Suit (other than hearts) cannot happen with 2 decks (R21)",
        "001 Match the Dealer: 2 Suited Match cannot happen with 2 decks (R21)",
    ]
    assert list(layout_notices(CATALOG, CATALOG.layouts["lucky-ladies-jackpot"])) == []


def test_the_four_wager_rule_of_004_does_not_bind_on_its_own_wagers() -> None:
    """R31."""
    (notice,) = layout_notices(CATALOG, CATALOG.layouts["double-action"])
    assert "does not apply here" in notice
    added = CATALOG.layouts["double-action-with-21-3"]
    assert not any("does not apply here" in notice for notice in layout_notices(CATALOG, added))


def test_the_six_game_layout_of_003_stays_within_washingtons_numbers() -> None:
    assert not any("on one hand" in text for text in layout_notices(CATALOG, CATALOG.layouts["lucky-ladies-six-games"]))
    every = list(layout_notices(CATALOG, CATALOG.layouts["lucky-ladies"]))
    assert ["7 games on one hand" in every[0], "5 games over $5" in every[1]] == [True, True]


def test_tables_are_dealt_with_a_peek_and_round_in_the_players_favour() -> None:
    from pydantic import ValidationError

    from upcard.catalog.game import RuleSettings

    for setting in ({"hole": "none"}, {"hole": "peek"}, {"surrender": "early"}):
        with pytest.raises(ValidationError):
            RuleSettings.model_validate(setting)
    assert {layout.rounding for layout in CATALOG.layouts.values()} == {"up"}


def test_an_operator_may_set_the_rules_that_the_filing_leaves_to_the_house() -> None:
    """R23."""
    from upcard.catalog.game import RuleSettings

    settings = RuleSettings.model_validate({"soft17": "stand", "surrender": "late"})
    rules = settings.over(CATALOG.games["lucky-ladies"].rules)
    assert (rules.soft17, rules.surrender, rules.hands) == ("stand", "late", 4)
