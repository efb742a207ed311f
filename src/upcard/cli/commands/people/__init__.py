"""`upcard people`: a file for each of its commands."""

import typer

from upcard.cli.commands.people.disable import disable
from upcard.cli.commands.people.enable import enable
from upcard.cli.commands.people.invite import invite
from upcard.cli.commands.people.list import list_people
from upcard.cli.commands.people.roles import change_roles
from upcard.cli.commands.people.set_up import set_up
from upcard.cli.commands.people.way_back import way_back

app = typer.Typer(
    name="people", help="List, invite, disable, enable and recover the people of a house.", add_completion=False
)

app.command("list")(list_people)
app.command("set-up")(set_up)
app.command()(invite)
app.command()(disable)
app.command()(enable)
app.command("roles")(change_roles)
app.command("way-back")(way_back)
