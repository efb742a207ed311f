"""Changes a person's roles directly in the register: the program has no command for it, but must notice the change."""

from datetime import datetime

from upcard.ledger.store import Store
from upcard.people import Role, schema
from upcard.people.person import name_key
from upcard.people.register import Register
from upcard.people.roles import roles_text


def change_roles(store: Store, at: datetime, name: str, *roles: Role) -> None:
    with store.transaction() as unit:
        register = Register(unit, at, store.keyring)
        assert register.change(schema.people, schema.people.c.name_key == name_key(name), roles=roles_text(roles))
        register.log("", "roles-changed", name, roles=frozenset(roles))
        register.flush()
