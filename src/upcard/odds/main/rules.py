"""The rules that decide what the main game is worth, from a game's file and from `--set key=value`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, get_args

from upcard.catalog.game import Rules
from upcard.odds.dealer import Soft17
from upcard.problems import BadRequest, UnknownName
from upcard.units import Odds

Double = Literal["any", "9-11", "10-11", "none"]
Split = Literal["rank", "value"]
Surrender = Literal["none", "late", "early"]
Hole = Literal["peek", "none", "none_originals"]
Value = str | bool | int | Fraction  # of any rule

MOST_DECKS = 8
MOST_HANDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class MainRules:
    """Every rule that changes what the main game is worth."""

    soft17: Soft17
    blackjack: Fraction
    insurance: Fraction
    das: bool
    double: Double
    hands: int
    resplit_aces: bool
    hit_split_aces: bool
    split: Split
    surrender: Surrender
    hole: Hole

    def doubles(self, total: int, *, soft: bool) -> bool:
        """Whether two cards of this total may be doubled."""
        match self.double:
            case "any":
                return True
            case "none":
                return False
            case "9-11" | "10-11":
                return not soft and int(self.double.split("-")[0]) <= total <= 11

    def as_text(self) -> dict[str, str]:
        """The rules in the words of `--set`."""
        return {
            "soft17": self.soft17,
            "blackjack": f"{self.blackjack.numerator}:{self.blackjack.denominator}",
            "das": _yes(self.das),
            "double": self.double,
            "hands": str(self.hands),
            "resplit_aces": _yes(self.resplit_aces),
            "hit_split_aces": _yes(self.hit_split_aces),
            "split": self.split,
            "surrender": self.surrender,
            "hole": self.hole,
        }


def from_game(rules: Rules) -> MainRules:
    return checked(
        MainRules(
            soft17=rules.soft17,
            blackjack=rules.blackjack.net,
            insurance=rules.insurance.net,
            das=rules.das,
            double=rules.double,
            hands=rules.hands,
            resplit_aces=rules.resplit_aces,
            hit_split_aces=rules.hit_split_aces,
            split=rules.split,
            surrender=rules.surrender,
            hole=rules.hole,
        )
    )


def checked(rules: MainRules) -> MainRules:
    """Refuses rules that cannot be played or solved."""
    if not 2 <= rules.hands <= MOST_HANDS:
        raise BadRequest(f"hands must be 2 to {MOST_HANDS}, not {rules.hands}: a split makes at least two hands")
    if rules.resplit_aces and rules.hands == 2:
        raise BadRequest("resplit_aces=yes needs hands=3 or hands=4: two hands leave no room to resplit")
    if rules.das and rules.double == "none":
        raise BadRequest("das=yes contradicts double=none: doubling after a split needs doubling")
    return rules


def changed(rules: MainRules, settings: Iterable[str]) -> tuple[MainRules, int | None]:
    """The rules changed by `key=value` settings, and the number of decks if they give one."""
    decks = None
    values: dict[str, Value] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key, text = key.strip().lower(), text.strip().lower()
        if not equals:
            raise BadRequest(f"--set takes key=value, like soft17=stand, not {setting!r}")
        if key in values or (key == "decks" and decks is not None):
            raise BadRequest(f"--set gives {key} twice")
        if key == "decks":
            decks = read_decks(text)
        else:
            values[key] = _read(key, text)
    if values.get("double") == "none" and "das" not in values:
        values["das"] = False
    if values.get("hands") == 2 and "resplit_aces" not in values:
        values["resplit_aces"] = False
    return checked(with_rules(rules, values)), decks


def with_rules(rules: MainRules, values: Mapping[str, Value]) -> MainRules:
    return replace(rules, **values)  # type: ignore[arg-type]  # each value was parsed by its own key


def read_decks(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_DECKS:
        raise BadRequest(f"decks must be a whole number from 1 to {MOST_DECKS}, not {text!r}")
    return int(text)


def _read(key: str, text: str) -> Value:
    if key not in _CHOICES and key not in ("blackjack", "hands"):
        names = ("decks", "blackjack", "hands", *_CHOICES)
        raise UnknownName(what="rule", name=key, known=names, hint=f"the rules are {', '.join(sorted(names))}")
    if key == "blackjack":
        return _pays(text)
    if key == "hands":
        if text not in ("2", "3", "4"):
            raise BadRequest(f"hands must be 2, 3 or 4, not {text!r}")
        return int(text)
    if text not in _CHOICES[key]:
        raise BadRequest(f"{key} must be {' or '.join(_CHOICES[key])}, not {text!r}")
    return text == "yes" if _CHOICES[key] == _YES_NO else text


def _pays(text: str) -> Fraction:
    try:
        pays = Odds.parse(text).net
    except ValueError:
        pays = Fraction(-1)
    if not 0 < pays <= 10:
        raise BadRequest(f"blackjack must be odds like 3:2, 6:5 or 1:1, not {text!r}")
    return pays


def _yes(claim: bool) -> str:
    return "yes" if claim else "no"


_YES_NO = ("yes", "no")
_CHOICES: dict[str, tuple[str, ...]] = {
    "soft17": get_args(Soft17),
    "double": get_args(Double),
    "split": get_args(Split),
    "surrender": get_args(Surrender),
    "hole": get_args(Hole),
    "das": _YES_NO,
    "resplit_aces": _YES_NO,
    "hit_split_aces": _YES_NO,
}
