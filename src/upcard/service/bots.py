"""A bot: given the state of a table, its player's next command. It does not know how commands are sent.

It uses only what a player can see: its own hands and the up card. It plays by a chart, makes every wager of the table
at the minimum stake, declines insurance, and buys in when it is out of chips, as long as it has cash.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from upcard.cards import rank_of, value_of_rank
from upcard.cards.hand import total
from upcard.engine import Round, Terms, apply, awaiting, legal, refusal
from upcard.engine import commands as c
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers
from upcard.engine.offered_choices import Choice
from upcard.engine.stake_ranges import open_range
from upcard.pit.table import spots_of
from upcard.pit.terms import derive
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.strategy import Chart, Letter
from upcard.units import Cents

BotCommand = s.ByPlayers | s.BuyIn
Bankroll = Callable[[], int]  # the player's free chips; called only when needed


def role_of(command: BotCommand) -> str:
    """The role a bot's command is sent with: the floor sells the chips."""
    return "floor" if isinstance(command, s.BuyIn) else "player"


@dataclass
class Bot:
    player: str
    chart: Chart
    buy_in: int = 100_000
    cash: int = 10_000_000  # cash left for buying chips
    main_only_round: int = 0  # the round in which it makes only the main wager, because a side wager was refused

    def next(self, live: LiveTable, bankroll: Bankroll) -> BotCommand | None:
        """Its next command; None if it has to wait, or the table is closed."""
        if not live.opened or live.table.closed:
            return None
        own_spots = spots_of(live.table, self.player)
        if not own_spots:
            return self._sit_down(live)
        state, terms = live.table.round, live.table.terms
        if state is None or terms is None:
            return self._first_wagers(live, own_spots[0], bankroll)
        match awaiting(state, terms):
            case Wagers(late):
                return self._wagers(live, state, terms, own_spots[0], bankroll, late=late)
            case InsuranceAnswers(spots):
                unanswered = [spot for spot in own_spots if spot in spots]
                return s.DeclineInsurance(table=live.name, spot=unanswered[0]) if unanswered else None
            case PlayerDecision(spot, hand) if spot in own_spots:
                return self._decision(live.name, state, terms, spot, hand, bankroll)
            case _:
                return None

    def was_refused(self, command: BotCommand, live: LiveTable) -> None:
        """After a refused wager (a jackpot may be stopped), makes only the main wager in this round."""
        if isinstance(command, s.Bet):
            self.main_only_round = live.round + (live.table.round is None)

    # --- coming and going -----------------------------------------------------------------------------------------

    def _sit_down(self, live: LiveTable) -> BotCommand | None:
        if live.table.round is not None and live.stakes:
            return None  # seats are taken between rounds
        free = [spot for spot in range(1, live.table.layout.spots + 1) if spot not in live.table.seats]
        return s.Seat(table=live.name, player=self.player, spot=free[0]) if free else None

    def _buy_in_or_sit_out(self, live: LiveTable) -> BotCommand | None:
        """Buys chips, or sits out when the cash is gone."""
        if self.cash >= self.buy_in:
            self.cash -= self.buy_in
            return s.BuyIn(table=live.name, player=self.player, amount=self.buy_in)
        return None if self.player in live.absent else s.SitOut(table=live.name, player=self.player)

    # --- wagers ---------------------------------------------------------------------------------------------------

    def _first_wagers(self, live: LiveTable, spot: int, bankroll: Bankroll) -> BotCommand | None:
        stakes = self._stakes(live, Round(), derive(live.table), spot, bankroll(), late=False)
        return s.Bet(table=live.name, spot=spot, stakes=stakes) if stakes else self._buy_in_or_sit_out(live)

    def _wagers(
        self, live: LiveTable, state: Round, terms: Terms, spot: int, bankroll: Bankroll, *, late: bool
    ) -> BotCommand | None:
        if self.player in live.ready:
            return None
        seat = state.spot(spot)
        if late or seat is None:
            stakes = self._stakes(live, state, terms, spot, bankroll(), late=late) if seat or not late else {}
            if stakes:
                return s.Bet(table=live.name, spot=spot, stakes=stakes)
            if not late:
                return self._buy_in_or_sit_out(live)
        return s.Ready(table=live.name, player=self.player)

    def _stakes(
        self, live: LiveTable, state: Round, terms: Terms, spot: int, chips: int, *, late: bool
    ) -> dict[str, int]:
        """The minimum on every wager that is open now, the main wager first, while the chips last."""
        stakes: dict[str, int] = {}
        for wager in terms.wagers.values():
            if wager.late is not late or (self._bets_main_only(live) and wager.role != "main"):
                continue
            seat = state.spot(spot)
            placed: Mapping[str, Cents] = seat.wagers if seat is not None else {}
            if wager.name in placed or (wager.equals and wager.equals not in placed):
                continue
            amount = _minimum_stake(terms, wager.name, spot, placed)
            command = c.PlaceWager(spot, wager.name, Cents(amount))
            if amount <= chips and refusal(state, terms, command) is None:
                state, _ = apply(state, terms, command)
                stakes[wager.name] = amount
                chips -= amount
        return stakes

    def _bets_main_only(self, live: LiveTable) -> bool:
        return self.main_only_round == live.round + (live.table.round is None)

    # --- hands ----------------------------------------------------------------------------------------------------

    def _decision(
        self, table: str, state: Round, terms: Terms, spot: int, turn: int, bankroll: Bankroll
    ) -> s.Hit | s.Stay | s.Double | s.Split | s.Surrender:
        seat = state.spot(spot)
        if seat is None:
            raise ValueError(f"spot {spot} is not in play")
        hand = seat.hands[turn]
        allowed: dict[type, Choice] = {choice.order: choice for choice in legal(state, terms) if choice.spot == spot}
        may_split = c.Split in allowed and sum(hand.stakes.values()) <= bankroll()
        points, soft = total(hand.cards)
        pair = value_of_rank(rank_of(hand.cards[0])) if may_split else None
        up_value = value_of_rank(rank_of(state.dealer[0]))
        letter = self.chart.look_up(points, soft=soft, up_value=up_value, pair_value=pair)
        if letter.surrenders and c.Surrender in allowed:
            return s.Surrender(table=table, spot=spot)
        if letter.splits:
            return s.Split(table=table, spot=spot)
        if letter.doubles and c.Double in allowed and _full_double(allowed[c.Double]) <= bankroll():
            return s.Double(table=table, spot=spot)
        return _hit_or_stay(table, spot, letter, allowed)


def _minimum_stake(terms: Terms, wager: str, spot: int, placed: Mapping[str, Cents]) -> int:
    """The smallest allowed stake; for a player held to a flat bet, that bet."""
    held_stakes = terms.holds.get(spot)
    if held_stakes is not None:
        return held_stakes.get(wager, 0)
    allowed = open_range(terms, terms.wagers[wager], placed)
    return allowed.only[0] if allowed.only else -(-allowed.least // allowed.step) * allowed.step


def _full_double(choice: Choice) -> int:
    return sum(allowed.most for _, allowed in choice.amounts)


def _hit_or_stay(table: str, spot: int, letter: Letter, allowed: Mapping[type, Choice]) -> s.Hit | s.Stay:
    wants_to_stay = letter.stands or c.Hit not in allowed
    if wants_to_stay and c.Stay in allowed:
        return s.Stay(table=table, spot=spot)
    return s.Hit(table=table, spot=spot)
