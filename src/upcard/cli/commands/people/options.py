"""Options that several commands of `upcard people` share."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from upcard.people import Role

Name = Annotated[str, typer.Argument(metavar="NAME", help="A person's name.")]
By = Annotated[
    str, typer.Option("--by", metavar="NAME", help="The floor person who does this; asks for their password and code.")
]
Second = Annotated[
    str,
    typer.Option(
        "--second",
        metavar="NAME",
        help="The second floor person, where two are needed; asks for their password and code too.",
    ),
]
RoleNames = Annotated[list[str], typer.Option("--role", help="A role, such as dealer; repeatable.")]


def read_roles(names: list[str]) -> "list[Role]":
    from upcard.people import Role
    from upcard.problems import UnknownName

    roles = []
    for name in names:
        try:
            roles.append(Role(name))
        except ValueError:
            raise UnknownName(what="role", name=name, known=Role, hint=f"roles are {', '.join(Role)}") from None
    return roles
