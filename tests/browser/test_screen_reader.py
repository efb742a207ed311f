"""A round as a screen reader tells it: read from the accessibility tree alone, never from what is drawn."""

from collections.abc import Callable
from typing import Any

from browser.player import Player
from playwright.sync_api import CDPSession, expect

Newcomer = Callable[..., Player]
WHOLE_BROWSER = True
Json = dict[str, Any]


class Reader:
    """Chromium's accessibility tree, as it is handed to screen readers."""

    def __init__(self, player: Player) -> None:
        self.session: CDPSession = player.context.new_cdp_session(player.page)
        self.session.send("Accessibility.enable")

    def tree(self) -> list[Json]:
        nodes: list[Json] = self.session.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node.get("ignored")]

    def of_role(self, *roles: str) -> list[Json]:
        return [node for node in self.tree() if node.get("role", {}).get("value") in roles]

    def names(self, *roles: str) -> list[str]:
        """What is read out for everything of these roles, in order."""
        return [node["name"]["value"] for node in self.of_role(*roles)]

    def live(self, role: str) -> tuple[str, str]:
        """How a live region is told, and all its words."""
        region = self.of_role(role)[0]
        properties = {node["name"]: node["value"]["value"] for node in region["properties"]}
        return properties["live"], " ".join(self._words(region))

    def lines(self, role: str) -> list[str]:
        """The paragraphs of a region."""
        nodes = {node["nodeId"]: node for node in self.tree()}
        region = self.of_role(role)[0]
        return [" ".join(self._words(nodes[child])) for child in region["childIds"] if child in nodes]

    def _words(self, node: Json) -> list[str]:
        nodes = {node["nodeId"]: node for node in self.tree()}
        texts, waiting = [], [node["nodeId"]]
        while waiting:
            child = nodes.get(waiting.pop(0))
            if child is None:
                continue
            if child["role"]["value"] == "StaticText":
                texts.append(child["name"]["value"].strip())
            waiting = [*child.get("childIds", ()), *waiting]
        return texts


def test_a_screen_reader_hears_the_whole_round(newcomer: Newcomer) -> None:
    ann = newcomer()
    ann.sit_down("lucky-ladies-jackpot", "Lucky Ladies Jackpot")
    reader = Reader(ann)
    ann.stack("lucky-ladies-jackpot", "Ts 9d 9s 8c")
    assert reader.live("status") == ("polite", "Place your bets.")
    assert "Ante, spot 3: empty, $5 to $10" in reader.names("button")
    ann.bet("Ante", "Lucky Ladies")
    assert "Ante, spot 3: $5, $5 to $10" in reader.names("button")
    ann.deal()
    expect(ann.page.get_by_role("status")).to_contain_text("Your turn")
    assert {"Hit H", "Stay S", "Hint V"} <= {name.replace("\xa0", " ") for name in _with_keys(reader)}
    assert reader.names("image") == ["nine of diamonds", "a card face down", "ten of spades", "nine of spades"]
    ann.page.keyboard.press("s")
    expect(ann.slip("Ante")).to_be_visible()
    lines = reader.lines("log")
    live, _ = reader.live("log")
    assert live == "polite"
    assert lines[-11:] == [
        "Spot 3: $5 on Ante.",
        "Spot 3: $5 on Lucky Ladies.",
        "No more bets.",
        "Spot 3: ten of spades.",
        "Dealer: nine of diamonds.",
        "Spot 3: nine of spades.",
        "Dealer: a card face down.",
        "Lucky Ladies: No winning event: -$5.",
        "Spot 3 stays.",
        "Dealer turns over the eight of clubs.",
        "Ante: 19 wins, pays 1 to 1: +$5.",
    ]
    assert "Results of the round" in reader.names("region")


def _with_keys(reader: Reader) -> list[str]:
    """Buttons with the key that works them, which is told as a property."""
    names = []
    for button in reader.of_role("button"):
        keys = [entry["value"]["value"] for entry in button.get("properties", ()) if entry["name"] == "keyshortcuts"]
        names += [f"{button['name']['value']} {key}" for key in keys]
    return names
