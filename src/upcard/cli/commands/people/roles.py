"""`upcard people roles`: a person's roles changed."""

from upcard.cli.commands.people.options import By, Name, RoleNames, Second, read_roles
from upcard.cli.options import Book, Key


def change_roles(book: Book, name: Name, by: By, role: RoleNames, second: Second = "", key: Key = None) -> None:
    """Change a person's roles to exactly these and end their sessions. Giving a staff role takes two people, except
    before the first table opens."""
    from upcard.cli.commands.people.sign_in import done_by_two, known_person, open_people, signed_in
    from upcard.cli.output import write_lines

    roles = read_roles(role)
    with open_people(book, key) as people, signed_in(people, by) as first:
        person = known_person(people, name)
        if people.needs_second_person(set(roles) - person.roles):
            action: dict[str, object] = {"operation": "change roles", "name": person.name, "roles": sorted(roles)}
            done_by_two(people, first, second, action)
        else:
            people.change_roles(first.person, person.name, roles)
        write_lines(f"{person.name} is {' and '.join(sorted(roles))} now")
