"""What each key means at each moment of a sitting. Keys have the terminal's names: "h", "enter", "shift+tab"."""

from upcard.cli.play.amount_prompt import AmountPrompt
from upcard.cli.play.sitting import IN_A_HAND, Sitting, Stage
from upcard.engine import commands as c
from upcard.pit.posted_text import as_sentence
from upcard.problems import BadRequest, UpcardError

CONTINUE = ("enter", "space")
ARROWS = ("tab", "shift+tab", "up", "down", "left", "right")
Action = tuple[str, str]  # a key as it is shown, and what it does

_PLAY = (
    ("H", "hit", c.Hit),
    ("S", "stay", c.Stay),
    ("D", "double", c.Double),
    ("L", "double for less", c.Double),
    ("P", "split", c.Split),
    ("R", "surrender", c.Surrender),
)
_SIMPLE: dict[str, type[c.Hit | c.Stay | c.Split | c.Surrender]] = {  # that ask for nothing more
    "h": c.Hit, "s": c.Stay, "p": c.Split, "r": c.Surrender
}  # fmt: skip
_INSURANCE = (
    ("I", "insurance", c.Insure),
    ("E", "even money", c.TakeEvenMoney),
    ("N", "no", c.DeclineInsurance),
)


def press(sitting: Sitting, key: str) -> None:
    """Does what a key means; a refusal changes nothing, and the note says why."""
    sitting.note = ""
    sitting.asked_to_leave = False
    try:
        _press(sitting, key.lower())
    except UpcardError as refusal:
        sitting.note = as_sentence(str(refusal))


def leave(sitting: Sitting) -> bool:
    """Whether the player leaves; during a hand they must press the key twice."""
    if sitting.stage not in IN_A_HAND or sitting.asked_to_leave:
        return True
    sitting.asked_to_leave = True
    sitting.note = "A hand is in play: press Q again to leave it and your wagers behind."
    return False


def actions(sitting: Sitting) -> tuple[Action, ...]:
    """The keys that do something now."""
    if sitting.amount_prompt is not None:
        return (("0-9 .", "amount"), ("Enter", "confirm"), ("Esc", "cancel"))
    match sitting.stage:
        case Stage.BETTING:
            return tuple(_betting(sitting, "deal"))
        case Stage.LATE_WAGERS:
            return (*_betting(sitting, "continue"), ("N", "no"))
        case Stage.INSURANCE | Stage.PLAY as stage:
            listed = _PLAY if stage is Stage.PLAY else _INSURANCE
            available = tuple((key, what) for key, what, order in listed if sitting.choice(order) is not None)
            less = sitting.terms.rules.double_for_less
            available = tuple(action for action in available if less or action[0] != "L")
            return (*available, *_changes_of_mind(sitting))
        case Stage.RESULT:
            return (("Enter", "continue"), ("B", "same wagers again"))
        case Stage.SHOE_OVER:
            return (("Enter", "new shoe"),)
        case Stage.BROKE:
            return ()


def _changes_of_mind(sitting: Sitting) -> tuple[Action, ...]:
    """A spot that declined insurance may take it until all spots have answered."""
    if sitting.changing_answer:
        return (("N", "no, as before"),)
    return (("B", f"back to spot {sitting.declined[-1]}"),) if sitting.declined else ()


def _betting(sitting: Sitting, close: str) -> list[Action]:
    available = [("Arrows", "choose"), ("1-9", "chips")]
    if sitting.chips.stakes or close != "deal":
        available.insert(0, ("Enter", close))
    if any(circle in sitting.chips.circles for circle in sitting.last_wagers):
        available.append(("B", "rebet"))
    if sitting.chips.stakes:
        available.append(("C", "clear"))
    if sitting.chips.can_undo:
        available.append(("Backspace", "undo"))
    return available


def _press(sitting: Sitting, key: str) -> None:
    if sitting.amount_prompt is not None:
        _type_amount(sitting, sitting.amount_prompt, key)
        return
    match sitting.stage:
        case Stage.BETTING | Stage.LATE_WAGERS:
            _bet(sitting, key)
        case Stage.INSURANCE:
            _insure(sitting, key)
        case Stage.PLAY:
            _play(sitting, key)
        case Stage.RESULT:
            _after_the_round(sitting, key)
        case Stage.SHOE_OVER if key in CONTINUE:
            sitting.next_round()
        case _:
            return


def _bet(sitting: Sitting, key: str) -> None:
    chips, late = sitting.chips, sitting.stage is Stage.LATE_WAGERS
    match key:
        case "enter" | "space":
            sitting.close_late_wagers() if late else sitting.deal()
        case "n" if late:
            chips.clear()
            sitting.close_late_wagers()
        case "backspace":
            chips.undo()
        case "delete":
            chips.take(chips.chosen)
        case "c":
            chips.clear()
        case "b":
            sitting.rebet()
        case _ if key in ARROWS:
            chips.choose(key)
        case _ if key in dict(sitting.tray):
            sitting.add_chip(dict(sitting.tray)[key])
        case _:
            return


def _insure(sitting: Sitting, key: str) -> None:
    spot = sitting.turn
    if spot is None:
        return
    match key:
        case "i":
            choice = sitting.choice(c.Insure)
            if choice is None:
                raise BadRequest(
                    "insurance is not possible: half of your smallest main wager is below the insurance minimum"
                )
            sitting.amount_prompt = AmountPrompt(choice)
        case "e":
            sitting.say(c.TakeEvenMoney(spot))
        case "n" if sitting.changing_answer:
            sitting.changing_answer = 0
        case "n":
            sitting.say(c.DeclineInsurance(spot))
        case "b" if sitting.declined:
            sitting.changing_answer = sitting.declined[-1]
        case _:
            return


def _play(sitting: Sitting, key: str) -> None:
    spot = sitting.turn
    if spot is None:
        return
    full = c.Double(spot, tuple(sitting.hand().stakes.items()))
    match key:
        case _ if key in _SIMPLE:
            sitting.say(_SIMPLE[key](spot))
        case "d":
            sitting.say(full)
        case "l":
            sitting.refuse_if_illegal(full)
            choice = sitting.choice(c.Double)
            if choice is None or not sitting.terms.rules.double_for_less:
                raise BadRequest("this table does not offer doubling for less")
            sitting.amount_prompt = AmountPrompt(choice)
        case _:
            return


def _type_amount(sitting: Sitting, prompt: AmountPrompt, key: str) -> None:
    if key == "escape":
        sitting.amount_prompt = None
    elif key in CONTINUE:
        command = prompt.answer()
        if command is not None:
            sitting.amount_prompt = None
            sitting.say(command)
    else:
        prompt.type(key)


def _after_the_round(sitting: Sitting, key: str) -> None:
    """Enter starts the next round; so does a chip or a rebet."""
    bets = key == "b" or key in dict(sitting.tray)
    if not bets and key not in CONTINUE:
        return
    sitting.next_round()
    if bets and sitting.stage is Stage.BETTING:
        _bet(sitting, key)
