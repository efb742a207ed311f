"""Through the API: a wager is settled when it is decided, and winnings can be staked before they can be taken away."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from api.house import ApiUser, House, Json, receive, running_house, send
from support.empty_books import NewAddress, write_key
from websockets.sync.client import ClientConnection

from upcard.people import Role
from upcard.service import commands as s

TABLE = "by hand"


@pytest.fixture
def house(new_address: NewAddress, tmp_path: Path) -> Iterator[House]:
    """A house on each kind of database, with a table that a person deals at."""
    with running_house(tmp_path, book=new_address(), key=write_key(tmp_path / "operator.key")) as opened:
        jackpots = {"Galaxy Bonus Jackpot": "Galaxy"}
        opened.do(s.OpenTable(table=TABLE, layout="the-brook", tray=1_000_000, by_hand=True, jackpots=jackpots))
        opened.do(s.PlaceShoe(table=TABLE))
        yield opened


@contextmanager
def dealt(house: House, chips: int, stakes: dict[str, int], cards: str) -> Iterator[tuple[ApiUser, ClientConnection]]:
    """Ann bets, and a dealer enters these cards; the socket shows the record of the last card."""
    ann, dealer = house.player(name="Ann", chips=chips), house.somebody(Role.DEALER, name="Dan")
    assert dealer.say(TABLE, "log-on").status_code == 200
    with ann.socket() as watching:
        send(watching, {"type": "watch", "table": TABLE, "shown": True})
        receive(watching, "snapshot")
        assert ann.say(TABLE, "seat", player="Ann", spot=1).status_code == 200
        assert ann.say(TABLE, "bet", spot=1, stakes=stakes).status_code == 200
        assert dealer.say(TABLE, "deal").status_code == 200
        for card in cards.split():
            answer = dealer.say(TABLE, "card", card=card)
            assert answer.status_code == 200, answer.text
        yield dealer, watching


def record_with(watching: ClientConnection, event: str) -> Json:
    """The next record with such an event."""
    while True:
        message = receive(watching, "events")
        if any(logged["event"] == event for logged in message["events"]):
            return message


def test_a_side_wager_is_paid_at_the_deal_staked_in_the_round_and_cashed_out_after_it(house: House) -> None:
    with dealt(house, 1500, {"Ante": 1000, "Suited Royals": 500}, "6h 5c 5h") as (dealer, watching):
        record = record_with(watching, "slip")
        (slip,) = (event for event in record["events"] if event["event"] == "slip")
        assert (slip["wager"], slip["paid"], slip["returned"]) == ("Suited Royals", 1000, 500)
        assert record["mine"]["bankroll"] == 1500
        assert [shown["wager"] for shown in record["state"]["round"]["slips"]] == ["Suited Royals"]
        refused = dealer.say(TABLE, "cash-out", player="Ann", amount=1000)
        assert refused.status_code == 409
        assert refused.json()["reason"] == "WINNINGS_HELD"
        assert dealer.say(TABLE, "tip", player="Ann", amount=600).json()["reason"] == "WINNINGS_HELD"
        ann = house.sign_in("Ann")
        assert ann.get("/api/me").json()["bankroll"] == 1500
        assert ann.say(TABLE, "double", spot=1).status_code == 200  # with the winnings
        for card in ("Td", "Tc", "9s"):
            assert dealer.say(TABLE, "card", card=card).status_code == 200
        assert dealer.say(TABLE, "settle").status_code == 200
        assert record_with(watching, "round-over")["mine"]["bankroll"] == 4500
        assert dealer.say(TABLE, "cash-out", player="Ann", amount=4500).status_code == 200


def test_a_corrected_card_and_a_void_take_early_payments_back(house: House) -> None:
    with dealt(house, 2500, {"Ante": 1000, "Suited Royals": 500}, "6h 5c 5h") as (dealer, watching):
        assert record_with(watching, "slip")["mine"]["bankroll"] == 2500
        assert dealer.say(TABLE, "correct-card", number=3, card="5d").status_code == 200
        corrected = record_with(watching, "slip-reversed")
        assert [event["event"] for event in corrected["events"]] == ["card-corrected", "slip-reversed", "slip"]
        assert corrected["mine"]["bankroll"] == 1000
        flo = house.somebody(Role.FLOOR, name="Fay")
        assert flo.say(TABLE, "void", why="a card was exposed").status_code == 200
        assert record_with(watching, "round-over")["mine"]["bankroll"] == 2500


def test_a_jackpot_claim_is_locked_at_the_deal(house: House) -> None:
    with dealt(house, 2500, {"Ante": 1000, "Galaxy Bonus Jackpot": 500}, "Ah Ah Ah") as (dealer, watching):
        record_with(watching, "slip")
        (jackpot,) = (jackpot for jackpot in dealer.get("/api/jackpots").json() if jackpot["jackpot"] == "Galaxy")
        (win,) = jackpot["wins"].values()
        assert [(award["player"], award["amount"]) for award in win["awards"]] == [("Ann", 125_000)]
