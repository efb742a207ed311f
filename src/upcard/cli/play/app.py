"""The terminal application: passes keys to a sitting and draws it. It holds no money and knows no rules."""

from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from upcard.cli.play import felt
from upcard.cli.play.keys import leave, press
from upcard.cli.play.prompts import hint, prompt
from upcard.cli.play.rules_card import rules_card
from upcard.cli.play.sitting import Sitting, Stage

WIDE_FROM = 108  # columns: the circles stand beside the hands
BOXED_FROM = 34  # lines: there is room for cards drawn as boxes; fewer will do where the circles stand beside
BOXED_FROM_WIDE = 27


class RulesCard(ModalScreen[None]):
    """The rules card over the felt."""

    DEFAULT_CSS = """
    RulesCard { align: center middle; }
    RulesCard VerticalScroll { width: 100%; max-width: 110; height: 95%; border: round $accent; padding: 0 1;
        background: $background; }
    """

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.card = rules_card(sitting.table, sitting.terms)

    def compose(self) -> ComposeResult:
        with VerticalScroll() as scroll:
            scroll.border_title = "Rules: arrow keys scroll, Escape closes"
            yield Static(felt.rules((section.heading, section.lines) for section in self.card))

    def on_key(self, event: events.Key) -> None:
        """Escape, ?, Enter and Q close the card; other keys scroll."""
        if event.character == "?" or event.key in ("escape", "enter", "q"):
            event.stop()
            self.dismiss()


class Felt(Screen[None]):
    DEFAULT_CSS = """
    Felt { layout: vertical; background: #0d3b2a; color: #f2f2ec; }
    Felt Static { height: auto; padding: 0 1; link-style: none; link-color: #f2f2ec; link-style-hover: underline;
        link-background-hover: #14543c; link-color-hover: #ffffff; }
    #title { background: #07231a; text-wrap: nowrap; text-overflow: ellipsis; }
    #felt { height: 1fr; layout: vertical; scrollbar-size-vertical: 1; }
    #left { height: auto; }
    Felt.-result #circles { display: none; }
    Felt.-wide #felt { layout: horizontal; }
    Felt.-wide #left { width: 1fr; height: 100%; }
    Felt.-wide #circles { width: auto; max-width: 62%; margin-left: 2; display: block; }
    Felt.-shoe-over #circles { display: none; }
    Felt.-boxed #dealer { margin-top: 1; }
    Felt.-boxed #hands { margin: 1 0; }
    Felt.-boxed #circles { margin-top: 1; }
    #prompt, #note, #hint, #bank, #keys { background: #07231a; }
    #prompt { text-style: bold; }
    Felt .empty { display: none; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE_FROM, "-wide")]  # noqa: RUF012 - textual declares them so

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.hints_on = False

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield Static(id="dealer")
        with VerticalScroll(id="felt", can_focus=False):
            with VerticalScroll(id="left", can_focus=False):
                yield Static(id="hands")
                yield Static(id="slips")
            yield Static(id="circles")
        yield Static(id="prompt")
        yield Static(id="note")
        yield Static(id="hint")
        yield Static(id="bank")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        key = event.character if event.is_printable and event.character not in (None, " ") else event.key
        self.obey(key or event.key)

    def obey(self, key: str) -> None:
        match key.lower():
            case "q":
                if leave(self.sitting):
                    self.app.exit()
            case "?":
                self.app.push_screen(RulesCard(self.sitting))
            case "t" if self.sitting.amount_prompt is None:
                self.hints_on = not self.hints_on
            case "pageup" | "pagedown" as page:
                for area in self.query(VerticalScroll):
                    area.scroll_page_down(animate=False) if page == "pagedown" else area.scroll_page_up(animate=False)
            case _:
                press(self.sitting, key)
        self.draw()

    def draw(self) -> None:
        sitting, typing = self.sitting, self.sitting.amount_prompt
        wide = self.size.width >= WIDE_FROM
        boxed = self.size.height >= (BOXED_FROM_WIDE if wide else BOXED_FROM)
        over = sitting.stage in (Stage.RESULT, Stage.SHOE_OVER)
        self.set_class(over, "-result")
        self.set_class(sitting.stage is Stage.SHOE_OVER, "-shoe-over")
        self.set_class(boxed, "-boxed")
        self._show("title", felt.title(sitting))
        self._show("dealer", felt.dealer(sitting, boxed=boxed))
        self._show("hands", felt.hands(sitting, boxed=boxed))
        self._show("slips", felt.slips(sitting) if wide or over else Text())
        self._show("circles", felt.circles(sitting))
        self._show("prompt", Text(prompt(sitting) + (f" {typing.typed}_" if typing else "")))
        self._show("note", Text(sitting.note))
        self._show("hint", Text(hint(sitting) if self.hints_on else ""))
        self._show("bank", felt.bank(sitting, self._width))
        self._show("keys", felt.keys(sitting, self._width))

    @property
    def _width(self) -> int:
        return max(self.size.width - 2, 20)

    def _show(self, name: str, content: RenderableType) -> None:
        part = self.query_one(f"#{name}", Static)
        part.set_class(isinstance(content, Text) and not content.plain, "empty")
        part.update(content)


class PlayApp(App[None]):
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave_now", show=False, priority=True),
        Binding("ctrl+q", "leave_now", show=False, priority=True),
    ]

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.title = "upcard play"
        self.animation_level = "none"  # a table does not move by itself

    def get_default_screen(self) -> Screen[None]:
        return Felt(self.sitting)

    def action_press(self, key: str) -> None:
        if isinstance(self.screen, Felt):
            self.screen.obey(key)

    def action_leave_now(self) -> None:
        """Leaves at once, even in the middle of a hand."""
        self.exit()
