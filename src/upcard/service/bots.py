"""A bot: given a table as it stands, the next thing its player says. It knows nothing of how that is carried there.

It plays what a seat can see: its own hands and the up card, by a chart; it makes every wager the table offers, at the
least stake; it declines insurance, which no chart takes; it buys in when it is broke, as long as it has cash.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from upcard.cards import rank_of, value_of_rank
from upcard.cards.hand import total
from upcard.engine import Round, Terms, apply, awaiting, legal, refusal
from upcard.engine import commands as c
from upcard.engine.amounts import stake_range
from upcard.engine.awaiting import InsuranceAnswers, PlayerDecision, Wagers
from upcard.engine.legal import Choice
from upcard.pit.table import spots_of
from upcard.pit.terms import derive
from upcard.service import commands as s
from upcard.service.live_table import LiveTable
from upcard.strategy import Chart, Letter
from upcard.units import Cents

Said = s.ByPlayers | s.BuyIn
Purse = Callable[[], int]  # what the player can still wager; asked only when it matters


def role_of(command: Said) -> str:
    """In whose name a bot's command is handed in: chips are bought through the house's hands."""
    return "floor" if isinstance(command, s.BuyIn) else "player"


@dataclass
class Bot:
    """One player who plays by a chart."""

    player: str
    chart: Chart
    buy_in: int = 100_000
    cash: int = 10_000_000  # what it may still buy chips for
    modest: int = 0  # the round in which only the main wager is made: a side wager was refused

    def next(self, live: LiveTable, purse: Purse) -> Said | None:
        """What it says now; None: it waits, or has gone."""
        if not live.opened or live.table.closed:
            return None
        own = spots_of(live.table, self.player)
        if not own:
            return self._sit_down(live)
        state, terms = live.table.round, live.table.terms
        if state is None or terms is None:
            return self._first_wagers(live, own[0], purse)
        match awaiting(state, terms):
            case Wagers(late):
                return self._wagers(live, state, terms, own[0], purse, late=late)
            case InsuranceAnswers(spots):
                asked = [spot for spot in own if spot in spots]
                return s.DeclineInsurance(table=live.name, spot=asked[0]) if asked else None
            case PlayerDecision(spot, hand) if spot in own:
                return self._decision(live.name, state, terms, spot, hand, purse)
            case _:
                return None

    def was_refused(self, command: Said, live: LiveTable) -> None:
        """A wager was refused (a jackpot may be stopped): this round only the main wager is made."""
        if isinstance(command, s.Bet):
            self.modest = live.round + (live.table.round is None)

    # --- coming and going -----------------------------------------------------------------------------------------

    def _sit_down(self, live: LiveTable) -> Said | None:
        if live.table.round is not None and live.stakes:
            return None  # seats are taken between rounds
        free = [spot for spot in range(1, live.table.layout.spots + 1) if spot not in live.table.seats]
        return s.Seat(table=live.name, player=self.player, spot=free[0]) if free else None

    def _broke(self, live: LiveTable) -> Said | None:
        """Chips for cash; without cash it sits out."""
        if self.cash >= self.buy_in:
            self.cash -= self.buy_in
            return s.BuyIn(table=live.name, player=self.player, amount=self.buy_in)
        return None if self.player in live.absent else s.SitOut(table=live.name, player=self.player)

    # --- wagers ---------------------------------------------------------------------------------------------------

    def _first_wagers(self, live: LiveTable, spot: int, purse: Purse) -> Said | None:
        stakes = self._stakes(live, Round(), derive(live.table), spot, purse(), late=False)
        return s.Bet(table=live.name, spot=spot, stakes=stakes) if stakes else self._broke(live)

    def _wagers(
        self, live: LiveTable, state: Round, terms: Terms, spot: int, purse: Purse, *, late: bool
    ) -> Said | None:
        if self.player in live.ready:
            return None
        seat = state.spot(spot)
        if late or seat is None:
            stakes = self._stakes(live, state, terms, spot, purse(), late=late) if seat or not late else {}
            if stakes:
                return s.Bet(table=live.name, spot=spot, stakes=stakes)
            if not late:
                return self._broke(live)
        return s.Ready(table=live.name, player=self.player)

    def _stakes(
        self, live: LiveTable, state: Round, terms: Terms, spot: int, chips: int, *, late: bool
    ) -> dict[str, int]:
        """The least on every circle that can be bet now, the main wager first, while the chips last."""
        made: dict[str, int] = {}
        for wager in terms.wagers.values():
            if wager.late is not late or (self._is_modest(live) and wager.role != "main"):
                continue
            seat = state.spot(spot)
            placed: Mapping[str, Cents] = seat.wagers if seat is not None else {}
            if wager.name in placed or (wager.equals and wager.equals not in placed):
                continue
            amount = _least(terms, wager.name, spot, placed)
            command = c.PlaceWager(spot, wager.name, Cents(amount))
            if amount <= chips and refusal(state, terms, command) is None:
                state, _ = apply(state, terms, command)
                made[wager.name] = amount
                chips -= amount
        return made

    def _is_modest(self, live: LiveTable) -> bool:
        return self.modest == live.round + (live.table.round is None)

    # --- hands ----------------------------------------------------------------------------------------------------

    def _decision(
        self, table: str, state: Round, terms: Terms, spot: int, turn: int, purse: Purse
    ) -> s.Hit | s.Stay | s.Double | s.Split | s.Surrender:
        seat = state.spot(spot)
        if seat is None:
            raise ValueError(f"spot {spot} is not in play")
        hand = seat.hands[turn]
        allowed: dict[type, Choice] = {one.order: one for one in legal(state, terms) if one.spot == spot}
        may_split = c.Split in allowed and sum(hand.stakes.values()) <= purse()
        points, soft = total(hand.cards)
        pair = value_of_rank(rank_of(hand.cards[0])) if may_split else None
        up_value = value_of_rank(rank_of(state.dealer[0]))
        letter = self.chart.look_up(points, soft=soft, up_value=up_value, pair_value=pair)
        if letter.surrenders and c.Surrender in allowed:
            return s.Surrender(table=table, spot=spot)
        if letter.splits:
            return s.Split(table=table, spot=spot)
        if letter.doubles and c.Double in allowed and _full_double(allowed[c.Double]) <= purse():
            return s.Double(table=table, spot=spot)
        return _hit_or_stay(table, spot, letter, allowed)


def _least(terms: Terms, wager: str, spot: int, placed: Mapping[str, Cents]) -> int:
    """The smallest stake there may be; a held player's is the one he is held to."""
    held = terms.holds.get(spot)
    if held is not None:
        return held.get(wager, 0)
    allowed = stake_range(terms, terms.wagers[wager], placed)
    return allowed.only[0] if allowed.only else -(-allowed.least // allowed.step) * allowed.step


def _full_double(choice: Choice) -> int:
    return sum(allowed.most for _, allowed in choice.amounts)


def _hit_or_stay(table: str, spot: int, letter: Letter, allowed: Mapping[type, Choice]) -> s.Hit | s.Stay:
    wants_to_stay = letter.stands or c.Hit not in allowed
    if wants_to_stay and c.Stay in allowed:
        return s.Stay(table=table, spot=spot)
    return s.Hit(table=table, spot=spot)
