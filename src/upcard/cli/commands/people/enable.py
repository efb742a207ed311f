"""`upcard people enable`: a disabled account enabled."""

from upcard.cli.commands.people.options import By, Name, Second
from upcard.cli.options import Book, Key


def enable(book: Book, name: Name, by: By, second: Second = "", key: Key = None) -> None:
    """Enable a disabled account, with its password and authenticator as they were. For staff it takes two people,
    except before the first table opens."""
    from upcard.cli.commands.people.sign_in import done_by_two, known_person, open_people, signed_in
    from upcard.cli.output import write_lines

    with open_people(book, key) as people, signed_in(people, by) as first:
        person = known_person(people, name)
        if people.needs_second_person(person.roles):
            done_by_two(people, first, second, {"operation": "enable", "name": person.name})
        else:
            people.enable(first.person, person.name)
        write_lines(f"{person.name} is enabled")
