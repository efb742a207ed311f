"""The events of a table as the API publishes them: one class per event, made from the stored names and fields."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, GetPydanticSchema
from typing_extensions import TypedDict

from upcard.service import table_handler  # noqa: F401 - loads every module that names events
from upcard.service.stored_events import DECIDED, OF_THE_ROUND, OF_THE_TABLE, SLIP
from upcard.service.wire_models import Amounts, Card, Coded, EntryTaken, EventSent, SlipSent, as_it_is, sent

_KINDS: dict[str, Any] = {
    "int": int,
    "bool": bool,
    "text": str,
    "card": Card,
    "amounts": Amounts,
    "texts": list[str],
    "ints": list[int],
    "coded": Coded,
    "entry": EntryTaken,
}


_DECIDED = {
    "spot": int,
    "hand": NotRequired[int],
    "wager": NotRequired[str],
    "won": NotRequired[str | None],
    "result": NotRequired[str],
    "insurance": NotRequired[bool],
}


def _event(name: str, fields: Mapping[str, Any], doc: str | None) -> Any:
    make: Any = TypedDict  # the fields are known only at run time
    model = make("".join(part.title() for part in name.split("-")), {"event": Literal[name], **fields})
    model.__doc__ = doc
    return sent(model)


def _field_types(fields: Mapping[str, str]) -> dict[str, Any]:
    return {name: _KINDS[kind[:-1]] | None if kind[-1] == "?" else _KINDS[kind] for name, kind in fields.items()}


EVENTS: Mapping[str, Any] = {
    **{
        event.name: _event(event.name, _field_types(event.fields), kind.__doc__) for kind, event in OF_THE_ROUND.items()
    },
    **{name: _event(name, _field_types(fields), None) for name, fields in OF_THE_TABLE.items()},
    DECIDED: _event(DECIDED, _DECIDED, "A wager, a hand or an insurance is decided."),
    SLIP: _event(SLIP, SlipSent.__annotations__, "A slip as an event."),
}


def _any_event() -> Any:
    return Annotated[reduce(or_, EVENTS.values()), Field(discriminator="event")]


Event = Annotated[EventSent, GetPydanticSchema(lambda _, handler: handler.generate_schema(_any_event())), as_it_is]
