"""Stakes of one bet are one entry; only stakes on jackpot wagers make the deal an entry of its own."""

from ledger.book_driver import BookDriver
from ledger.jackpot_setups import refused

from upcard.ledger import requests as r
from upcard.ledger.refusals import BookRefusal

GALAXY = "Galaxy Bonus Jackpot"


def bet(*stakes: tuple[str, int], number: int = 1) -> r.PlaceStakes:
    return r.PlaceStakes(table="T1", round=number, spot=1, player="Ann", stakes=stakes)


def lost(*stakes: tuple[str, int]) -> r.SettleRound:
    slips = tuple(r.SlipLine(spot=1, player="Ann", wager=wager, stake=amount) for wager, amount in stakes)
    return r.SettleRound(table="T1", round=1, slips=slips)


def jackpot_entries(driver: BookDriver) -> int:
    return driver.read(lambda book: chain.number if (chain := book.unit.chain("jackpot:BJ")) else 0)


def seat_ann(driver: BookDriver, chips: int) -> None:
    driver.jackpot("BJ", "the-brook", GALAXY)
    driver.table("T1", "the-brook", BJ=GALAXY)
    driver.do(r.BuyIn(table="T1", player="Ann", amount=chips))


def test_each_stake_of_a_bet_can_be_cleared_by_its_own_id(driver: BookDriver) -> None:
    seat_ann(driver, 1_000)
    driver.do(bet(("Ante", 500), ("Lucky Ladies", 200)), id="bet")
    on_felt = driver.state_of_table("T1").open
    assert on_felt is not None
    assert {key: (stake.wager, stake.amount) for key, stake in on_felt.stakes.items()} == {
        "bet": ("Ante", 500),
        "bet#0.1": ("Lucky Ladies", 200),
    }
    driver.do(r.ClearStake(table="T1", stake="bet#0.1"))
    driver.do(lost(("Ante", 500)))
    assert (driver.own("player:Ann"), driver.own("win:T1")) == (500, 500)
    assert driver.check().sound


def test_a_bet_is_placed_whole_or_not_at_all(driver: BookDriver) -> None:
    seat_ann(driver, 600)
    refused(driver, bet(("Ante", 500), ("Lucky Ladies", 200)), BookRefusal.PLAYER_NOT_ENOUGH)
    refused(driver, bet(("Ante", 100), (GALAXY, 400)), BookRefusal.NOT_THE_STAKE)
    refused(driver, bet((GALAXY, 500), (GALAXY, 500)), BookRefusal.STAKED_ALREADY)
    assert driver.state_of_table("T1").open is None
    assert driver.own("player:Ann") == 600


def test_a_round_without_a_jackpot_wager_is_settled_without_telling_the_jackpot(driver: BookDriver) -> None:
    seat_ann(driver, 1_000)
    entries = jackpot_entries(driver)
    driver.do(bet(("Ante", 500)))
    driver.do(lost(("Ante", 500)))
    assert jackpot_entries(driver) == entries
    assert driver.check().sound


def test_a_jackpot_wager_is_settled_only_after_its_jackpot_recorded_the_deal(driver: BookDriver) -> None:
    seat_ann(driver, 1_000)
    stakes = (("Ante", 500), (GALAXY, 500))
    driver.do(bet(*stakes))
    refused(driver, lost(*stakes), BookRefusal.ROUND_NOT_LOCKED)
    driver.do(r.LockRound(table="T1", round=1))
    refused(driver, bet((GALAXY, 500)), BookRefusal.ROUND_LOCKED)
    driver.do(lost(*stakes))
    assert driver.state("BJ").wagers == 1
    assert driver.check().sound
