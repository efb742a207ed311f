"""A fast `replace` for frozen dataclasses that keep their fields in a dictionary.

`dataclasses.replace` runs the constructor for every copy. A round is copied for each card and each command, so that
would be most of a table's time. Only for dataclasses without slots and
`__post_init__`; a cached property is copied too, so it must not depend on the fields that change.
"""

from typing import TYPE_CHECKING

_new, _set = object.__new__, object.__setattr__

if TYPE_CHECKING:  # so that type checkers know the fields
    from dataclasses import replace as replace
else:

    def replace(value, **fields):
        fields_now = value.__dict__
        changed = fields_now | fields
        if len(changed) != len(fields_now):
            raise TypeError(
                f"{type(value).__name__} has no field {', '.join(sorted(fields.keys() - fields_now.keys()))}"
            )
        copy = _new(type(value))
        _set(copy, "__dict__", changed)
        return copy
