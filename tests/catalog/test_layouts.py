"""What the filings want of a layout, each rule broken once."""

import re
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.cli_runner import upcard

from upcard.catalog import shipped
from upcard.catalog.fields import CatalogModel
from upcard.catalog.game import Game, RuleSettings
from upcard.catalog.game_checks import game_complaints, layout_notices
from upcard.catalog.layout import Layout
from upcard.catalog.layout_checks import layout_complaints
from upcard.catalog.load import load_model
from upcard.problems import BadFile

CATALOG = shipped()


def complaints(slug: str, **changes: Any) -> list[str]:
    layout = CATALOG.layouts[slug].model_copy(update=changes)
    return [sentence for _, sentence in layout_complaints(CATALOG, layout)]


def offering(slug: str, *extra: dict[str, str], without: str = "") -> tuple[Any, ...]:
    """The wagers of a layout, some added, one left out."""
    from upcard.catalog.layout import Offered

    others = [wager for wager in CATALOG.layouts[slug].wager if wager.name != without]
    return (*others, *(Offered.model_validate(wager) for wager in extra))


def settings(slug: str, number: int, **changes: Any) -> tuple[Any, ...]:
    jackpots = list(CATALOG.layouts[slug].jackpot)
    jackpots[number] = jackpots[number].model_copy(update=changes)
    return tuple(jackpots)


MATCH_MADNESS = {"name": "Match Madness", "paytable": "MM6/2", "min": "$1", "max": "$5"}
CLASSIC = {"name": "21+3 Classic", "paytable": "PT-FLT-213-03", "min": "$1", "max": "$100"}


@pytest.mark.parametrize(
    ("slug", "changes", "sentence"),
    [
        ("the-brook", {"decks": 8}, "is played with 6 decks, not 8"),
        ("lucky-ladies-jackpot", {"decks": 4}, "is played with 2, 6, 8 decks, not 4"),
        ("the-brook", {"spots": 7}, "at most 6 spots, not 7"),
        ("the-brook", {"posted_minimum": 150}, "the posted minimum must be $2 to $10, not $1.50"),
        ("the-brook", {"posted_minimum": 250}, "posted in steps of $1"),
        ("the-brook", {"chip": 300}, "not a multiple of the smallest chip"),
        ("the-brook", {"shuffler": "hand"}, "not offered on a table shuffled by hand (R25)"),
        ("the-brook", {"equipment": ()}, "needs the lit jackpot button"),
        ("bet-bigger", {"wager": offering("bet-bigger", without="Ante")}, "a table must offer Ante"),
        (
            "bet-bigger",
            {"wager": offering("bet-bigger", {"name": "Match the Deeler"})},
            "did you mean Match the Dealer?",
        ),
        (
            "bet-bigger",
            {"aggregate_limit": [{"wager": "Match the Dealer", "amount": 10}]},
            "does not allow an aggregate limit",
        ),
        ("lucky-ladies", {"wager": offering("lucky-ladies", without="21+3 Xtreme")}, "only together with 21+3 Classic"),
        ("lucky-ladies", {"decks": 3}, "Top 3 is played with 4-8 decks, not 3"),
        ("lucky-ladies", {"decks": 5}, "PT-FLT-LL-03 is for 6-8 decks, not 5"),
        ("lucky-ladies", {"equipment": ()}, "needs the jackpot system"),
        ("lucky-ladies", {"jackpot": settings("lucky-ladies", 0, plan="progressive", rate=1)}, "must be of one type"),
        ("lucky-ladies", {"jackpot": settings("lucky-ladies", 1, sensor=1)}, "its own wagering sensor"),
        ("lucky-ladies", {"jackpot": CATALOG.layouts["lucky-ladies"].jackpot * 2}, "at most 2 jackpots, not 4"),
        ("lucky-ladies", {"jackpot": settings("lucky-ladies", 0, rate=1)}, "never moves with wagers"),
        ("lucky-ladies", {"jackpot": settings("lucky-ladies", 0, posted={})}, "posted must give one value for each of"),
        ("lucky-ladies", {"jackpot": ()}, "PT-BJS-LL-34 pays from a jackpot, but the layout has none"),
        ("lucky-ladies-jackpot", {"jackpot": ()}, "001 Lucky Ladies pays from a jackpot, but the layout has none"),
        ("lucky-ladies", {"jackpot": settings("lucky-ladies", 0, cap=1)}, "leave out rate and cap"),
        (
            "the-brook",
            {"jackpot": settings("the-brook", 0, posted={"Bonus Jackpot": 1})},
            "opens at its seed of $1,250",
        ),
        ("the-brook", {"house_rules": ()}, "this game needs posted house rules"),
        ("the-brook", {"rules": RuleSettings(soft17="stand")}, "fixes the main game's rules: leave out rules"),
        (
            "bet-bigger",
            {"wager": offering("bet-bigger", {**CLASSIC, "game": "lucky-ladies"})},
            "not approved in new-ham",
        ),
        ("lucky-ladies-progressive", {"jackpot": settings("lucky-ladies-progressive", 0, rate=None)}, "give rate"),
        (
            "the-brook",
            {"jackpot": settings("the-brook", 0, plan="progressive", rate=1)},
            "progressives are not allowed",
        ),
        (
            "lucky-ladies-progressive",
            {"jackpot": settings("lucky-ladies-progressive", 0, rate=Fraction(97, 100))},
            "rate and reserve_rate together take 102% of each wager",
        ),
        (
            "lucky-ladies-progressive",
            {"jackpot": settings("lucky-ladies-progressive", 1, cap=4_999_99)},
            "its cap of $4,999.99 is below the $5,000 posted for 21+3 Jackpot",
        ),
        (
            "the-brook",
            {"jackpot": settings("the-brook", 0, suit="clubs")},
            "000 Galaxy Bonus Jackpot has no award for one suit: leave out suit",
        ),
        (
            "double-action",
            {"wager": offering("double-action-second-action", MATCH_MADNESS)},
            "may not be on the same layout",
        ),
        ("double-action", {"decks": 2}, "Match Madness is played with 4-6, 8 decks, not 2"),
        ("double-action", {"readings": {"R15": "pair"}}, "there is no reading R15 = 'pair'"),
        ("double-action", {"readings": {"R25": "offered"}}, "R25 is not a question of filing 004"),
        ("bet-bigger", {"wager": offering("bet-bigger", {"name": "Ante"})}, "the layout offers Ante twice"),
        (
            "bet-bigger",
            {"wager": offering("bet-bigger", {"name": "Ante", "amount": "$5"}, without="Ante")},
            "Ante is not a wager of one fixed amount: leave out amount",
        ),
    ],
)
def test_a_layout_that_breaks_a_rule_is_told_so(slug: str, changes: dict[str, Any], sentence: str) -> None:
    if "aggregate_limit" in changes:
        from upcard.catalog.layout import AggregateLimit

        limits = [AggregateLimit.model_construct(**limit) for limit in changes["aggregate_limit"]]
        changes = {"aggregate_limit": tuple(limits)}
    sentences = complaints(slug, **changes)
    assert any(sentence in complaint for complaint in sentences), sentences


def test_a_progressive_may_take_whole_wagers_and_be_capped_at_its_seed() -> None:
    """Neither is sensible, and neither is wrong: 100% of each wager, and a meter that never grows."""
    seed = CATALOG.layouts["lucky-ladies-progressive"].jackpot[0].posted["Lucky Ladies Jackpot"]
    whole = settings("lucky-ladies-progressive", 0, rate=Fraction(95, 100), cap=seed)
    assert complaints("lucky-ladies-progressive", jackpot=whole) == []


def test_check_names_the_jackpot_whose_rates_or_cap_are_wrong(tmp_path: Path) -> None:
    text = (CATALOG.folder / "layouts" / "lucky-ladies-progressive.toml").read_text()
    first, jackpot, second = text.partition('[[jackpot]]\nwager = "21+3 Jackpot"')
    path = tmp_path / "layout.toml"
    second = second.replace('rate = "15%"', 'rate = "96%"', 1).replace('cap = "$100,000"', 'cap = "$4,000"')
    path.write_text(first + jackpot + second)
    result = upcard("check", str(path))
    assert result.code == 2
    assert result.err.splitlines() == [
        f"upcard: {path}: jackpot 21+3 Jackpot, line 62, column 1: rate and reserve_rate together take 101% of each "
        "wager: lower one, so that they take 100% or less",
        f"upcard: {path}: jackpot 21+3 Jackpot, line 62, column 1: its cap of $4,000 is below the $5,000 posted for "
        "21+3 Jackpot: raise the cap",
    ]


def test_the_shipped_layouts_break_no_rule() -> None:
    for layout in CATALOG.layouts.values():
        assert list(layout_complaints(CATALOG, layout)) == []


def test_a_hand_shuffled_table_may_offer_the_jackpot_where_the_operator_reads_r25_so() -> None:
    assert complaints("the-brook", shuffler="hand", readings={"R25": "offered"}) == []


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (
            {"name": "Lucky Ladies", "paytable": "000 Lucky Ladies", "min": "$1"},
            "the filing's least wager is $2, not $1",
        ),
        ({"name": "Lucky Ladies", "paytable": "000 Lucky Ladies", "max": "$1"}, "is below the filing's least, $2"),
        ({"name": "Lucky Ladies", "paytable": "000 Lucky Ladies", "max": "$20"}, "the filing's largest wager is $10"),
        ({"name": "Lucky Ladies", "paytable": "000 Lucky Ladies", "min": "$9", "max": "$8"}, "is above its largest"),
        ({"name": "Lucky Ladies", "paytable": "001 Lucky Ladies"}, "its paytable must be one of 000 Lucky Ladies"),
        (
            {"name": "Galaxy Bonus Jackpot", "paytable": "000 Galaxy Bonus Jackpot", "amount": "$4"},
            "must be $5, not $4",
        ),
        ({"name": "Galaxy Bonus Jackpot", "paytable": "000 Galaxy Bonus Jackpot"}, "one fixed amount: give amount"),
        ({"name": "Ante", "paytable": "000 Lucky Ladies"}, "Ante has no paytable"),
    ],
)
def test_an_operators_limits_stay_within_the_filings(limits: dict[str, str], sentence: str) -> None:
    sentences = complaints("the-brook", wager=offering("the-brook", limits, without=limits["name"]))
    assert any(sentence in complaint for complaint in sentences), sentences


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"name": "Blackjack", "max": "$500"}, "$500 is above the lawful $400"),
        ({"name": "Blackjack"}, "leaves its largest wager to the operator: give max"),
        ({**CLASSIC, "max": "$101"}, "$101 is above the lawful $100"),
        ({**CLASSIC, "min": "$0.50"}, "$0.50 is below the lawful $1"),
        ({"name": "21+3 Jackpot", "paytable": "PT-BJS-213-07", "amount": "$2"}, "a jackpot wager must be $1 or $5"),
    ],
)
def test_where_the_filing_is_silent_the_law_binds_the_operator(limits: dict[str, str], sentence: str) -> None:
    sentences = complaints("lucky-ladies", wager=offering("lucky-ladies", limits, without=limits["name"]))
    assert any(sentence in complaint for complaint in sentences), sentences


def test_with_more_than_four_wagers_the_layout_names_the_small_one() -> None:
    """004: the players are limited to four, one of them to $5 (R31)."""
    assert complaints("double-action-with-21-3") == []
    assert list(layout_notices(CATALOG, CATALOG.layout("double-action-with-21-3"))) == []
    (complaint,) = complaints("double-action-with-21-3", small_wager="")
    assert "must name the one limited to $5" in complaint


@pytest.mark.parametrize(
    ("wager", "amount", "sentence"),
    [
        ("Match Madness", "$5,000", None),  # $100 at 50 to 1
        ("Match Madness", "$4,999", "may not be below $5,000"),
        ("Blackjack", "$5,000", "no such wager with a paytable"),
    ],
)
def test_an_aggregate_limit_has_a_lawful_floor(wager: str, amount: str, sentence: str | None) -> None:
    """WAC 230-15-490."""
    from upcard.catalog.layout import AggregateLimit

    sentences = complaints(
        "double-action", aggregate_limit=(AggregateLimit.model_validate({"wager": wager, "amount": amount}),)
    )
    assert (sentences == []) if sentence is None else any(sentence in complaint for complaint in sentences), sentences


def test_an_aggregate_limit_is_refused_where_the_top_odds_are_low() -> None:
    from upcard.catalog.layout import AggregateLimit, Offered

    low = Offered.model_validate({"name": "Double Action", "paytable": "DA2/3", "min": "$1", "max": "$100"})
    limit = AggregateLimit.model_validate({"wager": "Double Action", "amount": "$9,000"})
    wagers = (CATALOG.layouts["double-action"].wager[0], low)
    sentences = complaints("double-action", decks=2, wager=wagers, aggregate_limit=(limit,))
    assert sentences == ["its top odds are below 50 to 1, so payouts may not be limited"]


def test_promotions_go_on_003s_bonus_wagers_only() -> None:
    from upcard.catalog.layout import Promotion

    text = {"award": "$50", "consent": "letter of 2026-01-01", "since": date(2026, 1, 1), "until": date(2026, 2, 1)}
    for slug, wager, event, told in [
        ("lucky-ladies", "Bust Bonus", "three-eights-suited", []),
        ("lucky-ladies", "Bust Bonus", "three-nines", ["there is no line in PT-FLT-BB-01 'three-nines'"]),
        ("lucky-ladies", "Blackjack", "match", ["this wager allows no promotion on this layout"]),
        ("double-action", "Double Action", "match", ["this wager allows no promotion on this layout"]),
    ]:
        promotion = Promotion.model_validate({**text, "wager": wager, "event": event})
        sentences = complaints(slug, promotion=(promotion,))
        assert len(sentences) == len(told)
        assert all(sentence.startswith(start) for sentence, start in zip(sentences, told, strict=True)), sentences
    backwards = promotion.model_copy(update={"since": date(2026, 3, 1)})
    assert any("before it begins" in complaint for complaint in complaints("double-action", promotion=(backwards,)))


def test_a_game_file_that_does_not_fit_the_catalog_is_told_all_of_it() -> None:
    game = CATALOG.games["the-brook"]
    royals = game.wager_named("Suited Royals")
    assert royals is not None
    broken: Game = game.model_copy(
        update={
            "readings": {**game.readings, "R1": "literal", "R99": "x", "R8": "pro-rata"},
            "wager": (royals.model_copy(update={"paytables": ("DA4/1", "Nonsense"), "excludes": ("Luck",)}),),
        }
    )
    sentences = [sentence for _, sentence in game_complaints(CATALOG, broken)]
    for sentence in (
        "DA4/1 is a table for double-action, not for suited-royals",
        "DA4/1 allows 4 decks, outside the game's 6",
        "there is no paytable 'Nonsense'",
        "there is no wager 'Luck'",
        "this contradicts the reading R1 = 'literal'",
        "there is no reading 'R99'",
        "R8 is not a question of filing 000",
    ):
        assert any(sentence in complaint for complaint in sentences), (sentence, sentences)


def test_a_layout_of_an_unknown_game_suggests_the_nearest() -> None:
    assert complaints("the-brook", game="the-brock") == ["there is no game 'the-brock'; did you mean the-brook?"]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("0.25", None),
        ('"1/4"', None),
        ("nan", "must be a finite number"),
        ("-1", "cannot be negative"),
        ("1e-999999999", "at most 12 decimals"),
        ('"1/0"', 'is not a number of decks like 1, 0.25 or "1/4"'),
        ("true", "is not a number of decks like"),
    ],
)
def test_a_part_of_a_deck_is_an_exact_fraction(tmp_path: Path, written: str, sentence: str | None) -> None:
    text = (CATALOG.folder / "games" / "000-the-brook.toml").read_text()
    path = tmp_path / "game.toml"
    path.write_text(text.replace("tolerance = 0.25", f"tolerance = {written}"))
    if sentence is None:
        assert load_model(path, Game).shuffle.tolerance == Fraction(1, 4)
        return
    with pytest.raises(BadFile, match=sentence):
        load_model(path, Game)


@pytest.mark.parametrize(
    ("model", "folder", "name", "key"),
    [(Layout, "layouts", "the-brook.toml", "chip"), (Game, "games", "000-the-brook.toml", "step")],
)
def test_a_step_of_nothing_is_refused_when_the_file_is_read(
    tmp_path: Path, model: type[CatalogModel], folder: str, name: str, key: str
) -> None:
    text = (CATALOG.folder / folder / name).read_text()
    path = tmp_path / "zero.toml"
    path.write_text(re.sub(rf'^{key} = "\$[\d.]+"', f'{key} = "$0"', text, flags=re.MULTILINE))
    with pytest.raises(BadFile, match=rf"{key}: this must be more than zero, not \$0"):
        load_model(path, model)
