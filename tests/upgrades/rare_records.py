"""What happens seldom at a house, so that a golden book has a record of it too."""

import shutil
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

import sqlalchemy as sa
from upgrades.small_house import BY_HAND, JACKPOT, PASSWORD, House

from upcard.catalog import shipped
from upcard.catalog.index import Catalog
from upcard.ledger.jackpots import requests as j
from upcard.ledger.journal import FLOOR
from upcard.ledger.requests import AcknowledgeAlert
from upcard.people import PeopleRefused, Role
from upcard.people.person import CLOCK
from upcard.service import commands as s
from upcard.service.publishing import propose
from upcard.service.refusals import Refused
from upcard.service.rules_in_force import take_new_rules
from upcard.service.schema import history
from upcard.service.timers import fire_due
from upcard.units import Cents

EXTRA = "Extra"
OWN_KIND = (
    '[[kind]]\nname = "nines"\ntitle = "Nines"\nreads = ["first", "second"]\n\n[kind.events]\nnine = "all are 9"\n'
)
OTHER_READINGS = {"lucky-ladies-six-games": 'R9 = "before-peek"', "lucky-ladies-jackpot-two-decks": 'R1 = "literal"'}


def write_rare_records(house: House, folder: Path) -> None:
    """At a table of their own, a table dealt by hand, the jackpots and the door."""
    house.do(s.OpenTable(table=EXTRA, layout="the-brook", tray=1_000_000, pace=s.Pace(betting=5, decision=5)))
    _seats_and_chips(house)
    _timers(house)
    _hands(house)
    _orders(house)
    _to_the_cut_card(house)
    _by_hand(house)
    _jackpots(house)
    _jackpot_wagers(house)
    _flat_bet_without_a_jackpot(house)
    _floor_log(house)
    _people(house)
    _new_rules(house, folder)
    _new_day(house)
    house.do(s.RenewShoe(table=EXTRA), CLOCK, CLOCK)
    _own_catalog(house)


def _own_catalog(house: House) -> None:
    """A kind of wager is published; the next shoe names the revision of the catalog."""
    proposal = propose(house.service.desk, {"kinds/nines.toml": OWN_KIND})
    house.do(s.House(request=s.PublishCatalog(revision=proposal.revision, content=proposal.content, note="nines")))
    house.do(s.Seat(table=EXTRA, player="Cy", spot=1), "Cy", "player")
    house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500}), "Cy", "player")
    house.do(s.Void(table=EXTRA, why="only the shoe was wanted"))


def _seats_and_chips(house: House) -> None:
    for player, spot in (("Cy", 1), ("Cy", 2), ("Di", 4)):
        house.do(s.Seat(table=EXTRA, player=player, spot=spot), player, "player")
    for player in ("Cy", "Di"):
        house.do(s.BuyIn(table=EXTRA, player=player, amount=200_000))
    house.do(s.Cut(table=EXTRA, player="Cy", words="lucky", place=150), "Cy", "player")
    house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500}), "Cy", "player")
    house.do(s.ClearWagers(table=EXTRA, spot=1), "Cy", "player")
    house.do(s.BetSpots(table=EXTRA, player="Cy", spots={1: {"Ante": 500}}), "Cy", "player")
    house.do(s.ClearSpots(table=EXTRA, player="Cy"), "Cy", "player")
    house.do(s.SitOut(table=EXTRA, player="Di"), "Di", "player")
    house.do(s.Back(table=EXTRA, player="Di"), "Di", "player")
    house.do(s.CallFloor(table=EXTRA, player="Di"), "Di", "player")
    house.do(s.AnswerCall(table=EXTRA, player="Di"))
    house.do(s.Away(table=EXTRA, player="Di"))
    house.do(s.Back(table=EXTRA, player="Di"), "Di", "player")
    house.do(s.Leave(table=EXTRA, player="Di"), "Di", "player")
    house.do(s.CashOut(table=EXTRA, player="Di", amount=50_000))
    house.do(s.Tip(table=EXTRA, player="Cy", amount=500))
    house.do(s.PayTips(table=EXTRA, amount=500))
    house.do(s.Fill(table=EXTRA, amount=100_000))
    house.do(s.Credit(table=EXTRA, amount=50_000))


def _timers(house: House) -> None:
    """Somebody bets and falls asleep: the deal begins, and the hand stays."""
    house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500}), "Cy", "player")
    while house.live(EXTRA).table.round is not None:
        house.now += timedelta(seconds=40)
        assert fire_due(house.service.desk, house.service.queries)


def _hands(house: House) -> None:
    """Rounds until somebody could surrender and double."""
    commands_done: set[str] = set()
    for _ in range(60):
        house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500}), "Cy", "player")
        house.do(s.Deal(table=EXTRA))
        while house.live(EXTRA).table.round is not None:
            once: list[s.Command] = [kind(table=EXTRA, spot=1) for kind in (s.Surrender, s.Double, s.Hit)]
            commands = [candidate for candidate in once if type(candidate).__name__ not in commands_done]
            commands += [s.DeclineInsurance(table=EXTRA, spot=1), s.Stay(table=EXTRA, spot=1)]
            for command in commands:
                with suppress(Refused):
                    house.do(command, "Cy", "player")
                    commands_done.add(type(command).__name__)
                    break
        if {"Surrender", "Double", "Hit", "Stay"} <= commands_done:
            return
    raise AssertionError(f"only {commands_done} came up")


def _orders(house: House) -> None:
    _order_while_bets_are_down(house)
    house.do(s.SetShuffler(table=EXTRA, shuffler="automatic"))
    house.do(s.Shuffle(table=EXTRA))
    house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500}), "Cy", "player")
    house.do(s.Shuffle(table=EXTRA))  # after this round
    house.do(s.ClearWagers(table=EXTRA, spot=1), "Cy", "player")
    house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500}), "Cy", "player")
    house.do(s.AnnounceClosing(table=EXTRA))
    house.do(s.Void(table=EXTRA, why="the table closes"))
    with suppress(Refused):
        house.do(s.Shuffle(table=EXTRA))
    for by_hand in (True, False):  # for a day a dealer deals here
        house.do(s.CloseTable(table=EXTRA, tray=1_000_000, why="counted by two"))
        house.do(s.OpenTable(table=EXTRA, layout="the-brook", tray=1_000_000, by_hand=by_hand))


def _order_while_bets_are_down(house: House) -> None:
    """A minimum, a flat bet that does not fit and a spot that is given up: wagers come back."""
    house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500, "Lucky Ladies": 200}), "Cy", "player")
    house.do(s.Bet(table=EXTRA, spot=2, stakes={"Ante": 500}), "Cy", "player")
    house.do(s.PostMinimum(table=EXTRA, amount=Cents(600)))
    house.do(s.AskToRelinquish(table=EXTRA, player="Cy"))
    house.do(s.NotifyFlatBet(table=EXTRA, player="Cy"))
    house.do(s.ClearWagers(table=EXTRA, spot=1), "Cy", "player")
    house.do(s.PostMinimum(table=EXTRA, amount=Cents(500)))


def _to_the_cut_card(house: House) -> None:
    house.do(s.OpenTable(table="Two", layout="lucky-ladies-jackpot-two-decks", tray=1_000_000))
    for player, spot in (("Cy", 1), ("Cy", 2), ("Cy", 3), ("Cy", 4), ("Cy", 5)):
        house.do(s.Seat(table="Two", player=player, spot=spot), player, "player")
    while house.live("Two").shoe == 1:
        for spot in range(1, 6):
            house.do(s.Bet(table="Two", spot=spot, stakes={"Ante": 500}), "Cy", "player")
        house.do(s.Deal(table="Two"))
        while house.live("Two").table.round is not None:
            for spot in range(1, 6):
                for command in (s.DeclineInsurance(table="Two", spot=spot), s.Stay(table="Two", spot=spot)):
                    with suppress(Refused):
                        house.do(command, "Cy", "player")


def _by_hand(house: House) -> None:
    house.do(s.Bet(table=BY_HAND, spot=1, stakes={"Blackjack": 500}), "Ann", "player")
    house.do(s.Deal(table=BY_HAND), "Dan", "dealer")
    house.do(s.EnterCard(table=BY_HAND, card="Ah"), "Dan", "dealer")
    house.do(s.TakeBack(table=BY_HAND), "Dan", "dealer")
    for card in ("As", "Ac", "Kd"):
        house.do(s.EnterCard(table=BY_HAND, card=card), "Dan", "dealer")
    house.do(s.DeclineInsurance(table=BY_HAND, spot=1), "Ann", "player")
    house.do(s.TakeEvenMoney(table=BY_HAND, spot=1), "Ann", "player")  # after all
    house.do(s.CutCard(table=BY_HAND), "Dan", "dealer")
    house.deal_by_hand(BY_HAND, "9d", insured=True)
    house.do(s.LogOff(table=BY_HAND), "Dan", "dealer")
    house.do(s.LogOn(table=BY_HAND), "Dan", "dealer")
    house.do(s.PlaceShoe(table=BY_HAND), "Dan", "dealer")
    _jackpot_by_a_wrong_card(house)


def _jackpot_by_a_wrong_card(house: House) -> None:
    """A jackpot is won at the deal, and lost again when the card is corrected."""
    house.do(s.Bet(table=BY_HAND, spot=1, stakes={"Blackjack": 500, "21+3 Jackpot": 100}), "Ann", "player")
    house.do(s.Deal(table=BY_HAND), "Dan", "dealer")
    for card in ("Kh", "Kh", "Kh"):
        house.do(s.EnterCard(table=BY_HAND, card=card), "Dan", "dealer")
    house.do(s.CorrectCard(table=BY_HAND, number=3, card="9d"), "Dan", "dealer")
    house.do(s.Peek(table=BY_HAND, blackjack=False), "Dan", "dealer")
    house.deal_by_hand(BY_HAND, "7c")


def _jackpots(house: House) -> None:
    progressive = f"{BY_HAND} 21+3 Jackpot"
    requests: list[s.HouseRequest] = [
        j.Suspend(jackpot=progressive, why="a sensor is broken"),
        j.Resume(jackpot=progressive),
        j.SetCap(jackpot=progressive, cap=20_000_000),
        j.Deposit(jackpot=progressive, amount=500_000),
        j.EscrowLost(jackpot=progressive, amount=500, why="a fee of the bank"),
        j.CureEscrow(jackpot=progressive, amount=500),
        j.Post(jackpot="Bust Lucky Ladies Jackpot", values={"Lucky Ladies Jackpot": 1_200_000}),
        j.AccrueDay(jackpot="Brook Galaxy Bonus Jackpot", day=date(2026, 3, 1)),
    ]
    for request in requests:
        house.do(s.House(request=request))
    house.do(s.OpenJackpot(jackpot="Spare", layout="the-brook", wager="Galaxy Bonus Jackpot"))


def _jackpot_wagers(house: House) -> None:
    """Wagers on the felt: a posted value waits for them and is withdrawn; they are returned when the jackpot stops."""
    table, jackpot, wager = "Bonus", f"Bust {JACKPOT}", JACKPOT
    house.do(s.OpenTable(table=table, layout="lucky-ladies", tray=1_000_000, jackpots={wager: jackpot}))
    house.do(s.Seat(table=table, player="Cy", spot=1), "Cy", "player")
    house.do(s.Bet(table=table, spot=1, stakes={"Blackjack": 500, wager: 100}), "Cy", "player")
    requests: list[s.HouseRequest] = [
        j.Post(jackpot=jackpot, values={wager: 900_000}),
        j.WithdrawPost(jackpot=jackpot),
        j.Suspend(jackpot=jackpot, why="the sign is dark"),
    ]
    for request in requests:
        house.do(s.House(request=request))
    house.do(s.Deal(table=table))
    with suppress(Refused):
        house.do(s.Void(table=table, why="a card fell"))
    house.do(s.House(request=j.Resume(jackpot=jackpot)))


def _flat_bet_without_a_jackpot(house: House) -> None:
    """A flat bettor is dealt without the jackpot wager of their first hand, because the jackpot is suspended."""
    table, jackpot, wager = "Flat", "Brook Galaxy Bonus Jackpot", "Galaxy Bonus Jackpot"
    house.do(s.OpenTable(table=table, layout="the-brook", tray=1_000_000, jackpots={wager: jackpot}))
    house.do(s.Seat(table=table, player="Cy", spot=1), "Cy", "player")
    for stakes in ({"Ante": 500, wager: 500}, {"Ante": 500}):
        house.do(s.Bet(table=table, spot=1, stakes=stakes), "Cy", "player")
        house.do(s.Deal(table=table))
        while house.live(table).table.round is not None:
            for command in (s.DeclineInsurance(table=table, spot=1), s.Stay(table=table, spot=1)):
                with suppress(Refused):
                    house.do(command, "Cy", "player")
        if wager in stakes:
            house.do(s.NotifyFlatBet(table=table, player="Cy"))
            house.do(s.House(request=j.Suspend(jackpot=jackpot, why="the sign is dark")))
    house.do(s.House(request=j.Resume(jackpot=jackpot)))


def _floor_log(house: House) -> None:
    """The house's name, a note, a dispute that is settled, a handover, and an alert that somebody looks after."""
    house.do(s.NameHouse(name="The Lucky Fox"))
    house.do(s.WriteNote(table=EXTRA, text="the shuffler is slow"))
    claim = s.OpenDispute(table=EXTRA, round=1, player="Cy", spot=1, claim="the hand was to be surrendered")
    house.do(claim)
    dispute = _last_floor_record(house)
    house.do(s.SettleDispute(dispute=dispute, outcome="partly-upheld", why="the camera shows half of it", paid=250))
    house.do(s.HandOver(text="one dispute is settled"))
    house.do(s.TakeOver(hand_over=_last_floor_record(house)), "Fay")
    house.do(s.House(request=AcknowledgeAlert(alert="hold-outside:Brook:2026-03-03")), "Fay")


def _last_floor_record(house: House) -> int:
    numbers = sa.select(sa.func.max(history.c.number)).where(history.c.stream == FLOOR)
    with house.store.view() as unit:
        return int(unit.connection.execute(numbers).scalar_one())


def _people(house: House) -> None:
    (flo,) = (person for person in house.people.people() if person.name == "Flo")
    house.people.accept(house.people.recovery_token("Dan"), PASSWORD)
    session = house.people.sign_in("Dan", PASSWORD)
    house.people.change_password(session, PASSWORD, f"{PASSWORD}, again")
    house.people.open_walk_in(flo, "Wim")
    house.people.disable(flo, "Wim")
    house.people.enable(flo, "Wim")
    house.people.change_roles(flo, "Dan", [Role.DEALER, Role.DISPLAY])
    for _ in range(8):
        with suppress(PeopleRefused):
            house.people.sign_in("Ada", "a wrong password")
    guest = house.people.add_guest()
    house.people.sign_out(house.people.sign_in_guest(guest).token)


def _new_rules(house: House, folder: Path) -> None:
    """The table that is between two shoes takes the rules of an edited file."""
    shutil.copytree(shipped().folder, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    path = folder / "layouts/the-brook.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("spots = 6", "spots = 5").replace('chip = "$0.50"', 'chip = "$2.50"'),
        encoding="utf-8",
    )
    for layout, reading in OTHER_READINGS.items():
        path = folder / f"layouts/{layout}.toml"
        path.write_text(
            path.read_text(encoding="utf-8").replace("[[", f"[readings]\n{reading}\n\n[[", 1), encoding="utf-8"
        )
    house.do(s.PostMinimum(table=EXTRA, amount=Cents(800)))  # which cannot be made up of those chips
    house.now += timedelta(minutes=1)
    later = House(house.store, house.now, Catalog(folder), seed="edited")
    take_new_rules(later.service.desk, later.service.queries)
    assert later.live(EXTRA).table.layout.spots == 5
    _other_readings(later)


def _other_readings(house: House) -> None:
    """Tables dealt by hand, by readings that no shipped layout chooses: R9 before the peek, R1 until hard."""
    for number, (layout, cards) in enumerate(
        (("lucky-ladies-six-games", "Tc Th 9d 7s"), ("lucky-ladies-jackpot-two-decks", "Tc 6h 9d Ad 5c 7s"))
    ):
        table, player = f"Otherwise {number}", f"Eve {number}"
        house.do(s.OpenTable(table=table, layout=layout, tray=1_000_000, by_hand=True))
        house.do(s.LogOn(table=table), "Dan", "dealer")
        house.do(s.PlaceShoe(table=table), "Dan", "dealer")
        house.do(s.BuyIn(table=table, player=player, amount=100_000))
        house.do(s.Seat(table=table, player=player, spot=1))
        main = next(wager.name for wager in house.live(table).rules.game.wager if wager.role == "main")
        house.do(s.Bet(table=table, spot=1, stakes={main: 500}))
        house.do(s.Deal(table=table), "Dan", "dealer")
        house.deal_by_hand(table, cards, insured=True)  # the peek finds nothing


def _new_day(house: House) -> None:
    """A table left open overnight ends its shoe before the first hand of the day."""
    house.do(s.Seat(table=EXTRA, player="Cy", spot=1), "Cy", "player")
    house.do(s.Bet(table=EXTRA, spot=1, stakes={"Ante": 500}), "Cy", "player")
    house.do(s.ClearWagers(table=EXTRA, spot=1), "Cy", "player")
    house.now += timedelta(days=1)
    house.do(s.Leave(table=EXTRA, player="Cy"), "Cy", "player")
