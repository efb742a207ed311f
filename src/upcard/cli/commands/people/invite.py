"""`upcard people invite`: a token for a new person. It is printed alone, so that a script can pass it on."""

from upcard.cli.commands.people.options import By, Name, RoleNames, Second, read_roles
from upcard.cli.options import Book, Key


def invite(book: Book, name: Name, by: By, role: RoleNames, second: Second = "", key: Key = None) -> None:
    """Print a one-time token for a new person, who chooses a password with it. Inviting staff takes two people, except
    before the first table opens."""
    from upcard.cli.commands.people.sign_in import done_by_two, open_people, signed_in
    from upcard.cli.output import write_lines

    roles = read_roles(role)
    with open_people(book, key) as people, signed_in(people, by) as first:
        if not people.needs_second_person(roles):
            write_lines(people.invite(first.person, name, roles))
            return
        action: dict[str, object] = {"operation": "invite", "name": name, "roles": sorted(roles)}
        write_lines(people.approved_link(done_by_two(people, first, second, action)) or "")
