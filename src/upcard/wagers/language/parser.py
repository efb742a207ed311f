"""Reads a condition. Every mistake has a column and says what would be right."""

from collections.abc import Collection
from typing import cast, get_args

from upcard.problems import nearest
from upcard.wagers.language.card_words import EVERY_SUIT, ITEMS, no_item, read_item
from upcard.wagers.language.syntax import (
    Ace,
    Aces,
    And,
    Anything,
    Aspect,
    Blackjack,
    Cards,
    Comparison,
    Condition,
    DealerCards,
    DealerIs,
    DealerTotal,
    Is,
    Item,
    Matches,
    Named,
    Not,
    Or,
    Order,
    Run,
    Share,
    Total,
)
from upcard.wagers.language.tokens import ConditionError, Token, read_tokens
from upcard.wagers.pattern_sets import Role

MOST_DEPTH = 40  # of parentheses

_CARD_WORDS = {"first": Role.FIRST, "second": Role.SECOND, "up": Role.UP, "hole": Role.HOLE}
_GROUPS = {"player": (Role.FIRST, Role.SECOND), "dealer": (Role.UP, Role.HOLE)}
# The words with which a test begins: a name among them would hide the test.
_DEAL_WORDS = {"not", "anything", *_CARD_WORDS, *_GROUPS, "all", "any", "none", "at", "total", "rank"}
_DEALER_WORDS = {"not", "anything", "bust", "blackjack", "suited", "three", "cards", "total", "up", "player"}


# What a newcomer writes, and what would be right.
_COUNTS = {"one": "1", "two": "2", "three": "3", "four": "4", "exactly": "2", "both": "2"}
_VERB_HINTS = {
    "=": "; write is",
    "and": "; join cards with a comma, as in first, second",
    "or": "; write any of, as in any of first, second are A",
}


def is_taken(name: str, reads: Cards | None) -> bool:
    """Whether a name cannot be an event's, because a condition that begins with it means something else."""
    return name in (_DEALER_WORDS if reads is None else _DEAL_WORDS) or name.isdecimal()


def parse(text: str, reads: Cards | None, names: Collection[str]) -> Condition:
    """The condition of a text; `reads` are the cards of the wager, None for one on the dealer's final hand."""
    parser = _Parser(read_tokens(text), reads, names)
    condition = parser.alternatives()
    parser.expect("")
    return condition


class _Parser:
    def __init__(self, tokens: list[Token], reads: Cards | None, names: Collection[str]) -> None:
        self.tokens, self.reads, self.names, self.place, self.depth = tokens, reads, names, 0, 0

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        token = self.next
        self.place += bool(token.text)
        return token

    def took(self, *words: str) -> str:
        """The next word if it is one of these, which is then read; otherwise empty."""
        return self.take().text if self.next.text in words else ""

    def expect(self, *words: str) -> str:
        if self.next.text not in words:
            meant = " or ".join(word or "the end" for word in words)
            raise ConditionError(f"expected {meant}, not {self.next.shown}", self.next.column)
        return self.take().text

    def open(self, ways: str) -> None:
        """Reads the parenthesis that says how aces count."""
        if not self.took("("):
            raise ConditionError(f"say how aces count: {ways}, not {self.next.shown}", self.next.column)

    def alternatives(self) -> Condition:
        parts = [self.conjunction()]
        while self.took("or"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def conjunction(self) -> Condition:
        parts = [self.term()]
        while self.took("and"):
            parts.append(self.term())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def term(self) -> Condition:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise ConditionError(f"at most {MOST_DEPTH} levels: name parts with let", self.next.column)
        try:
            if self.took("not"):
                return Not(self.term())
            if self.took("("):
                inside = self.alternatives()
                self.expect(")")
                return inside
            return self.test()
        finally:
            self.depth -= 1

    def test(self) -> Condition:
        token = self.next
        if token.text in self.names:
            self.take()
            return Named(token.text, token.column)
        if self.took("anything"):
            return Anything()
        if self.reads is None:
            return self.dealer_test()
        if token.text == "total":
            return self.total()
        if token.text == "rank":
            return self.order()
        if token.text in ("any", "none", "at") or token.text.isdecimal():
            return self.counted()
        if token.text in _CARD_WORDS or token.text in _GROUPS or token.text == "all":
            return self.of_cards()
        raise self.unknown(token)

    def unknown(self, token: Token) -> ConditionError:
        if not token.text:
            return ConditionError("the condition ends too early", token.column)
        if token.text in _COUNTS and self.reads is not None:
            return ConditionError(f"write a number: {_COUNTS[token.text]} of all are 7", token.column)
        likely = nearest(token.text, [*self.names, *(_DEALER_WORDS if self.reads is None else _DEAL_WORDS)])
        hint = f"did you mean {' or '.join(likely)}?" if likely else "it is neither a card nor an event of this wager"
        return ConditionError(f"{token.text!r} is unknown here; {hint}", token.column)

    def cards(self) -> Cards:
        cards: list[Role] = []
        while True:
            token = self.take()
            roles: Cards | None = _GROUPS.get(token.text)
            if token.text in _CARD_WORDS:
                roles = (_CARD_WORDS[token.text],)
            elif token.text == "all":
                roles = self.reads
            if roles is None:
                raise ConditionError(
                    f"expected cards (first, second, up, hole, player, dealer or all), not {token.shown}", token.column
                )
            for role in roles:
                if self.reads is None or role not in self.reads:
                    raise ConditionError(f"this wager does not read the {role.name.lower()} card", token.column)
                if role in cards:
                    raise ConditionError(f"the {role.name.lower()} card is named twice", token.column)
                cards.append(role)
            if not self.took(","):
                return tuple(cards)

    def card(self) -> Role:
        token = self.next
        cards = self.cards()
        if len(cards) != 1:
            raise ConditionError("expected one card, such as up", token.column)
        return cards[0]

    def of_cards(self) -> Condition:
        cards = self.cards()
        verb = self.next
        if self.took("is", "are"):
            negative = bool(self.took("not"))
            items, column = self.items()
            is_so = Is(cards, items, len(cards), len(cards), column)
            return Is(cards, items, 0, 0, column) if negative else is_so
        if self.took("share"):
            return Share(self.several(cards, verb), self.aspect(), differ=False)
        if self.took("differ"):
            self.expect("in")
            return Share(self.several(cards, verb), self.aspect(), differ=True)
        if self.took("run"):
            return Run(self.several(cards, verb), self.ace())
        if self.took("match", "matches"):
            return self.matches(cards, len(cards), len(cards), verb)
        if self.took("has", "have"):
            self.expect("blackjack")
            if len(cards) != 2:
                raise ConditionError("a blackjack is two cards", verb.column)
            return Blackjack(cards)
        hint = _VERB_HINTS.get(verb.text, "")
        raise ConditionError(
            f"expected is, are, share, differ, run, match or have after the cards, not {verb.shown}{hint}", verb.column
        )

    def several(self, cards: Cards, verb: Token) -> Cards:
        if len(cards) < 2:
            raise ConditionError(f"{verb.text!r} needs two cards or more", verb.column)
        return cards

    def counted(self) -> Condition:
        start = self.next
        word = self.take().text
        least, most = (1, 9) if word == "any" else (0, 0)
        if word == "at":
            which = self.expect("least", "most")
            count = self.number()
            least, most = (count, 9) if which == "least" else (0, count)
        elif word.isdecimal():
            least = most = int(word)
        self.expect("of")
        cards = self.cards()
        most = min(most, len(cards))
        if least > len(cards):
            raise ConditionError(f"there are only {len(cards)} cards here", start.column)
        verb = self.next
        if self.took("match", "matches"):
            return self.matches(cards, least, most, verb)
        self.expect("is", "are")
        items, column = self.items()
        return Is(cards, items, least, most, column)

    def matches(self, cards: Cards, least: int, most: int, verb: Token) -> Condition:
        other = self.card()
        if other in cards:
            raise ConditionError("a card is not matched with itself", verb.column)
        self.expect("in")
        return Matches(cards, other, self.aspect(), least, most)

    def items(self) -> tuple[tuple[Item, ...], int]:
        column, items = self.next.column, []
        while True:
            token = self.take()
            item = read_item(token.text)
            if item is None:
                raise ConditionError(no_item(token), token.column)
            items.append(item)
            if not self.took("/"):
                return tuple(items), column

    def aspect(self) -> Aspect:
        return cast(Aspect, self.expect(*get_args(Aspect)))

    def ace(self) -> Ace:
        self.open("(ace low), (ace high) or (ace low or high)")
        self.expect("ace")
        ace = self.expect("low", "high")
        if ace == "low" and self.took("or"):
            self.expect("high")
            ace = "low or high"
        self.expect(")")
        return cast(Ace, ace)

    def comparison(self) -> Comparison:
        if self.took("is"):
            return "="
        return cast(Comparison, self.expect(*get_args(Comparison)))

    def number(self) -> int:
        token = self.take()
        if not token.text.isdecimal() or len(token.text) > 3:
            raise ConditionError(f"expected a number, not {token.shown}", token.column)
        return int(token.text)

    def total(self) -> Condition:
        self.expect("total")
        self.expect("of")
        cards, comparison, points = self.cards(), self.comparison(), self.number()
        self.open("(aces 1 or 11), (aces 1), (aces 11) or (best)")
        if self.took("best"):
            aces = "best"
        else:
            self.expect("aces")
            aces = self.expect("1", "11")
            if aces == "1" and self.took("or"):
                self.expect("11")
                aces = "1 or 11"
        self.expect(")")
        return Total(cards, comparison, points, cast(Aces, aces))

    def order(self) -> Condition:
        self.expect("rank")
        self.expect("of")
        first, comparison = self.card(), self.comparison()
        self.expect("rank")
        self.expect("of")
        second = self.card()
        return Order(first, comparison, second, self.ace())

    def dealer_test(self) -> Condition:
        token = self.next
        if self.took("bust"):
            return DealerIs("bust")
        if self.took("suited"):
            return DealerIs("suited")
        if self.took("three"):
            self.expect("eights")
            return DealerIs("three-eights")
        if self.took("blackjack"):
            return And((DealerTotal("=", 21), DealerCards("=", 2)))
        if self.took("player"):
            self.expect("has")
            self.expect("blackjack")
            return DealerIs("player-blackjack")
        if self.took("cards"):
            return DealerCards(self.comparison(), self.number())
        if self.took("total"):
            return self.dealer_total()
        if self.took("up"):
            self.expect("is")
            items, column = self.items()
            if any(item.chosen or item.suits != EVERY_SUIT for item in items):
                raise ConditionError("of the dealer's final hand only the rank of the up card is known", column)
            tens = ITEMS["ten-value"].ranks
            if any(item.ranks & tens and not item.ranks >= tens for item in items):
                raise ConditionError("ten, jack, queen and king up are not told apart: write ten-value", column)
            return Is((Role.UP,), items, 1, 1, column)
        raise self.unknown(token)

    def dealer_total(self) -> Condition:
        comparison, token = self.comparison(), self.next
        points = self.number()
        if not 17 <= points <= 21:
            raise ConditionError("the dealer ends with 17 to 21, or a bust: write bust for more than 21", token.column)
        return DealerTotal(comparison, points)
