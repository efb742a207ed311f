"""A dealer at the page of a table dealt by hand, and what they type."""

from browser.staff import Person
from playwright.sync_api import expect

from upcard.catalog import shipped


def asks(dana: Person, prompt: str) -> None:
    """The page says what it waits for."""
    expect(dana.page.locator("[data-prompt]")).to_have_text(prompt)


def seat(dana: Person, name: str, spot: int) -> None:
    """A guest sits down with a thousand dollars."""
    dana.keys("g")
    form = dana.page.get_by_role("form", name="Seat a guest")
    expect(form).to_be_visible()
    dana.fields(name, str(spot), "1000")
    expect(form).to_have_count(0)
    expect(dana.page.locator(f'[data-spot="{spot}"]')).to_contain_text(name)


def fields_of(layout: str) -> list[str]:
    """The fields of a spot: the wagers in the order of the layout, those after the peek left out."""
    return [offered.name for offered in shipped().layout(layout).wager if offered.name != "Bust Bonus"]


def bet(dana: Person, fields: list[str], spot: int, wagers: dict[str, int]) -> None:
    """Amounts into the fields of a spot."""
    dana.keys(str(spot))
    form = dana.page.get_by_role("form", name=f"Wagers on spot {spot}")
    expect(form).to_be_visible()
    last = max(fields.index(wager) for wager in wagers)
    dana.fields(*(str(wagers.get(name, "")) for name in fields[: last + 1]))
    expect(form).to_have_count(0)
