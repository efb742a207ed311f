"""`upcard people`: a file for each of its commands."""

import typer

from upcard.cli.commands.people.disable import disable
from upcard.cli.commands.people.enable import enable
from upcard.cli.commands.people.invite import invite
from upcard.cli.commands.people.list import list_people
from upcard.cli.commands.people.recover import recover
from upcard.cli.commands.people.roles import change_roles
from upcard.cli.commands.people.set_up import set_up
from upcard.cli.options import with_catalog

app = typer.Typer(
    name="people", help="List, invite, disable, enable and recover the people of a house.", add_completion=False
)

app.command("list")(with_catalog(list_people))
app.command("set-up")(with_catalog(set_up))
app.command()(with_catalog(invite))
app.command()(with_catalog(disable))
app.command()(with_catalog(enable))
app.command("roles")(with_catalog(change_roles))
app.command()(with_catalog(recover))
app.command("way-back", hidden=True)(with_catalog(recover))  # its earlier name
