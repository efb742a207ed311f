"""What a circle tells about itself: the figures of `upcard odds`, and on any hand what the round itself would pay."""

from fractions import Fraction

import pytest
from service.conftest import NewDriver
from service.table_driver import StackedShoe, TableDriver
from support.cli_runner import upcard

from upcard.cards import Card, read_cards
from upcard.service import commands as s
from upcard.service.circle_facts import CircleFacts, ShownCards, circle_facts
from upcard.service.side_hold import terms_of

NOTHING = ShownCards(first_cards=(), dealer=(), totals=())


def _facts(driver: TableDriver, shown: ShownCards = NOTHING) -> dict[str, CircleFacts]:
    signs = driver.service.queries.signs(["T1"])["T1"]
    return {facts["wager"]: facts for facts in circle_facts(driver.live.rules, signs, shown)}


def _shown(player: str, dealer: str, *totals: int) -> ShownCards:
    cards: list[Card | None] = [None if card == "?" else read_cards(card)[0] for card in dealer.split()]
    return ShownCards(first_cards=read_cards(player), dealer=cards, totals=totals)


def test_a_circle_has_the_figures_of_the_odds(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger")
    facts = _facts(driver)
    assert set(facts) == {"Match the Dealer", "Break Bonus"}, "the main game is not a paytable"
    for name, wager in facts.items():
        paytable = next(offer.paytable for offer in driver.live.rules.layout.wager if offer.name == name)
        odds = upcard("odds", str(paytable), "--decks", "6", "--json").json
        assert wager["edge"] == pytest.approx(odds["edge_percent"] / 100, abs=1e-12)
        assert wager["hit_rate"] == pytest.approx(float(Fraction(odds["hit_rate"])), abs=1e-12)
        assert [line["event"] for line in wager["chances"]] == [line["event"] for line in odds["lines"]]


def test_a_jackpot_is_priced_with_its_meters(new_driver: NewDriver) -> None:
    driver = new_driver("the-brook", jackpots={"Galaxy Bonus Jackpot": "G"})
    signs = driver.service.queries.signs(["T1"])["T1"]
    assert signs["Galaxy Bonus Jackpot"].meters
    with_meters = _facts(driver)["Galaxy Bonus Jackpot"]["edge"]
    empty = next(
        facts for facts in circle_facts(driver.live.rules, {}, NOTHING) if facts["wager"] == "Galaxy Bonus Jackpot"
    )
    assert with_meters is not None
    assert empty["edge"] is not None
    assert with_meters < empty["edge"]


ROUNDS = [  # layout, cards as they are dealt, the dealer's hand
    ("the-brook", "Qh 7d Qh Td", "7d Td"),
    ("lucky-ladies-jackpot", "9s 9d 9s 8c", "9d 8c"),
    ("bet-bigger", "Ts 6d Tc Th 9d", "6d Th 9d"),
    ("bet-bigger", "Ts 9d Tc Th", "9d Th"),
    ("double-action", "Tc 9d Ts 8h", "9d 8h"),
]


@pytest.mark.parametrize(("layout", "cards", "dealer"), ROUNDS)
def test_what_it_would_have_paid_is_what_it_pays(
    new_driver: NewDriver, stack_shoe: StackedShoe, layout: str, cards: str, dealer: str
) -> None:
    """Each side wager is bet once; its slip says the same as the facts of the cards."""
    stack_shoe(cards)
    driver = new_driver(layout, **({"jackpots": {"Lucky Ladies": "LL"}} if layout == "lucky-ladies-jackpot" else {}))
    driver.sit("Ann")
    facts = _facts(driver, _shown(" ".join(cards.split()[0:3:2]), dealer, 20))
    main = next(name for name, wager in terms_of(driver.live.rules).wagers.items() if wager.role == "main")
    sides = {
        name: wager["stake"]
        for name, wager in facts.items()
        if not wager["jackpot"] and name not in ("Bust Bonus", "Galaxy Bonus Jackpot")
    }
    driver.say("Ann", s.Bet, spot=1, stakes={main: 10_00, **sides})
    driver.say("Ann", s.Ready)
    while driver.live.table.round is not None:
        driver.later(60)
    slips = {slip["wager"]: slip for slip in driver.round(driver.live.round)["slips"]}
    for name in sides:
        assert facts[name]["decided"]
        assert slips[name].get("won") == facts[name]["event"], name
        assert slips[name]["paid"] == facts[name]["paid"], name


def test_a_wager_is_not_decided_by_cards_that_nobody_has_seen(new_driver: NewDriver) -> None:
    driver = new_driver("bet-bigger")
    facts = _facts(driver, _shown("Ts Tc", "6d ?", 20))
    assert facts["Match the Dealer"]["decided"], "it reads the up card only"
    assert not facts["Break Bonus"]["decided"]
    assert not _facts(driver, _shown("Ts Tc", "6d Th", 20))["Break Bonus"]["decided"], "the dealer would draw"
    assert _facts(driver, _shown("Ts Tc", "6d Th 9d", 20))["Break Bonus"]["paid"] > 0
    assert not any(wager["decided"] for wager in _facts(driver).values())
