"""Chips on the felt before they become wagers: a player adds them one by one, and may take them back.

The engine takes whole wagers only, so a stake that is still too small waits here. Whether it is enough is asked of the
engine, on a copy of the round: this file knows no limits. It does not know the bankroll either; the caller passes it.
"""

from collections.abc import Iterator, Mapping

from upcard.engine import CommandRefused, DetailedRefusal, Refusal, Round, Terms, apply, refusal
from upcard.engine import commands as c
from upcard.engine.round import Phase
from upcard.problems import BadRequest, UpcardError
from upcard.units import Cents, dollars

Circle = tuple[int, str]  # a spot, and the name of a wager
Stakes = Mapping[Circle, Cents]

# The keys 1 to 9; a table uses those its smallest chip divides.
TRAY = tuple(Cents(value) for value in (50, 100, 200, 250, 500, 1000, 2500, 5000, 10000))


_TOGETHER = (Refusal.TOO_MANY_WAGERS, Refusal.KEEP_ONE_SMALL)  # limits of a spot's wagers together


class NotCovered(UpcardError):  # noqa: N818 - casino English, not a traceback
    """The player does not have this much money; nothing has changed."""

    def __init__(self, amount: int, purse: int) -> None:
        super().__init__(f"your bankroll of {dollars(purse)} does not cover {dollars(amount)}")


class Chips:
    """The stakes a player has put out in one betting phase, with an undo history."""

    def __init__(self, state: Round, terms: Terms) -> None:
        self.state, self.terms = state, terms
        self.stakes: dict[Circle, Cents] = {}
        self._before: list[dict[Circle, Cents]] = []
        self.chosen = self.circles[0]

    @property
    def circles(self) -> tuple[Circle, ...]:
        """The circles that may take chips now, spot by spot."""
        late = bool(self.state.spots)
        spots = [spot.number for spot in self.state.spots] if late else list(self.terms.owners)
        return tuple((spot, name) for spot in spots for name, wager in self.terms.wagers.items() if wager.late == late)

    @property
    def sum(self) -> Cents:
        return Cents(sum(self.stakes.values()))

    def choose(self, key: str) -> None:
        """Arrows: up and down along a spot's circles, left and right along the spots; Tab along all."""
        spots = list(dict.fromkeys(spot for spot, _ in self.circles))
        a_spot = len(self.circles) // len(spots)
        place = self.circles.index(self.chosen)
        spot, circle = divmod(place, a_spot)
        step = 1 if key in ("tab", "down", "right") else -1
        if key in ("tab", "shift+tab") or len(spots) == 1:
            place += step
        elif key in ("up", "down"):
            place = spot * a_spot + (circle + step) % a_spot
        else:
            place = (spot + step) % len(spots) * a_spot + circle
        self.chosen = self.circles[place % len(self.circles)]

    def add(self, circle: Circle, chip: Cents, purse: Cents) -> str:
        """Adds a chip; gives a sentence if the stake is still too low."""
        if chip % self.terms.chip:
            raise CommandRefused(DetailedRefusal(Refusal.NOT_IN_CHIPS, {"amount": chip, "chip": self.terms.chip}))
        stakes = self._with(circle, chip)
        refused = self._refusal_of(circle, stakes)
        if refused is not None and not self._cured_by_more(refused, circle, stakes[circle]):
            raise CommandRefused(refused)
        self._lay(stakes, purse)
        return refused.sentence if refused else ""

    def put(self, stakes: Stakes, purse: Cents) -> None:
        """Replaces all chips with these stakes, such as those of the last round."""
        fitting = {circle: stake for circle, stake in stakes.items() if circle in self.circles}
        for refused in self._refusals(fitting).values():
            raise CommandRefused(refused)
        self._lay(fitting, purse)

    def take(self, circle: Circle) -> None:
        """Takes back a circle's chips, and those of wagers that cannot be made without it."""
        spot, wager = circle
        state, _ = self._trial(self.stakes)
        removed = {circle}
        if (spot_before := state.spot(spot)) is not None and wager in spot_before.wagers:
            after, _events = apply(state, self.terms, c.ClearWagers(spot, wager))
            spot_after = after.spot(spot)
            removed = {
                (spot, name) for name in spot_before.wagers if spot_after is None or name not in spot_after.wagers
            }
        self._change({key: stake for key, stake in self.stakes.items() if key not in removed})

    def clear(self) -> None:
        self._change({})

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    def undo(self) -> None:
        if not self._before:
            raise BadRequest("there is nothing to undo")
        self.stakes = self._before.pop()

    def commands(self) -> tuple[c.PlaceWager, ...]:
        """The wagers as commands; raises the first refusal, of one wager or of all together."""
        for refused in self._refusals(self.stakes).values():
            raise CommandRefused(refused)
        together, _ = self._trial(self.stakes)
        if self.stakes and together.phase is Phase.BETTING:
            against = refusal(together, self.terms, c.CloseBetting())
            if against is not None:
                raise CommandRefused(against)
        return tuple(self._in_order(self.stakes))

    def lacking(self, circle: Circle) -> bool:
        """Whether the table would refuse this stake as it is."""
        return circle in self._refusals(self.stakes)

    def _lay(self, stakes: dict[Circle, Cents], purse: Cents) -> None:
        total = sum(stakes.values())
        if total > purse:
            raise NotCovered(total, purse)
        self._change(stakes)

    def _change(self, stakes: dict[Circle, Cents]) -> None:
        if stakes != self.stakes:
            self._before.append(self.stakes)
            self.stakes = stakes

    def _with(self, circle: Circle, chip: Cents) -> dict[Circle, Cents]:
        """Adds a chip. A circle with one fixed amount gets all of it at once; Bet Bigger follows its main wager."""
        spot, name = circle
        wager = self.terms.wagers[name]
        before = self.stakes.get(circle, Cents(0))
        stake = Cents(before + chip)
        if not before and wager.equals:
            stake = self.stakes.get((spot, wager.equals), stake)
        elif not before and len(wager.amounts) == 1:
            stake = wager.amounts[0]
        stakes = {**self.stakes, circle: stake}
        for other, terms in self.terms.wagers.items():
            if terms.equals == name and (spot, other) in stakes:
                stakes[spot, other] = stake
        return stakes

    def _cured_by_more(self, refused: DetailedRefusal, circle: Circle, stake: Cents) -> bool:
        if refused.reason is Refusal.NOT_AN_ALLOWED_AMOUNT:
            return stake < max(self.terms.wagers[circle[1]].amounts)
        return refused.reason is Refusal.BELOW_MINIMUM

    def _refusal_of(self, circle: Circle, stakes: Stakes) -> DetailedRefusal | None:
        """Why this circle's stake is refused; the limits of all wagers together may refuse another one instead."""
        refusals = self._refusals(stakes)
        together = (refused for (spot, _), refused in refusals.items() if spot == circle[0])
        return refusals.get(circle) or next((refused for refused in together if refused.reason in _TOGETHER), None)

    def _refusals(self, stakes: Stakes) -> dict[Circle, DetailedRefusal]:
        return self._trial(stakes)[1]

    def _trial(self, stakes: Stakes) -> tuple[Round, dict[Circle, DetailedRefusal]]:
        """The round if these wagers were made, and the engine's refusals."""
        state, refused = self.state, {}
        for command in self._in_order(stakes):
            try:
                state, _ = apply(state, self.terms, command)
            except CommandRefused as error:
                refused[command.spot, command.wager] = error.refused
        return state, refused

    def _in_order(self, stakes: Stakes) -> Iterator[c.PlaceWager]:
        """Main wagers first; wagers that require another one last."""
        wagers = self.terms.wagers

        def rank(circle: Circle) -> tuple[int, bool, bool]:
            wager = wagers[circle[1]]
            return circle[0], wager.role != "main", bool(wager.requires_any)

        for circle in sorted((circle for circle in self.circles if circle in stakes), key=rank):
            yield c.PlaceWager(*circle, stakes[circle])
