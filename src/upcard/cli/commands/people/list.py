"""`upcard people list`: everybody in a book."""

from typing import TYPE_CHECKING

from upcard.cli.options import Book, Json

if TYPE_CHECKING:
    from upcard.cli.output import Cell


def list_people(book: Book, as_json: Json = False) -> None:
    """List everybody and their roles."""
    from dataclasses import asdict

    from upcard.cli.book_access import open_book
    from upcard.cli.output import counted, write_json, write_table
    from upcard.people.register import all_people

    with open_book(book) as unit:
        people = all_people(unit)
    if as_json:
        write_json([asdict(person) | {"roles": sorted(person.roles)} for person in people])
        return
    rows: list[dict[str, Cell]] = [
        {
            "name": person.name,
            "roles": ", ".join(sorted(person.roles)),
            "codes": "yes" if person.has_totp else "no",
            "disabled": "yes" if person.disabled else "no",
        }
        for person in people
    ]
    write_table(counted(len(people), "person", "people"), rows)
