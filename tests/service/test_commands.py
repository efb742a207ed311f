"""The list of commands: each is carried out by somebody, has a name of its own, and keeps its written form."""

from typing import get_args

from upcard.service import commands as s
from upcard.service import table_handler  # noqa: F401 - loads every module that handles commands
from upcard.service.event_models import EVENTS
from upcard.service.stored_events import event_names
from upcard.service.table_draft import HANDLERS


def test_every_command_at_a_table_has_a_function_that_carries_it_out() -> None:
    assert HANDLERS.keys() == set(get_args(s.TableCommand))


def test_no_two_commands_have_the_same_name() -> None:
    names = [s.command_name(kind) for kind in get_args(s.Command)]
    assert len(names) == len(set(names))


def test_every_event_that_can_be_sent_is_in_the_schema() -> None:
    assert EVENTS.keys() == event_names()
