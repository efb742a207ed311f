"""Finds a place in rows whose numbers and values grow together, by halving: few are read, however many there are."""

import sqlalchemy as sa


def first_number(
    connection: sa.Connection, owner: sa.ColumnElement[bool], number: sa.Column[int], value: sa.Column[str], least: str
) -> int | None:
    """The first number among the owner's rows whose value is at least `least`; None: all are earlier.

    `owner` and `number` are the table's primary key, so that each step reads one row by its index."""

    def row_from(least_number: int) -> tuple[int, str] | None:
        query = sa.select(number, value).where(owner, number >= least_number).order_by(number).limit(1)
        row = connection.execute(query).first()
        return None if row is None else (int(row[0]), str(row[1]))

    newest = connection.execute(sa.select(number, value).where(owner).order_by(number.desc()).limit(1)).first()
    if newest is None or newest[1] < least:
        return None
    low, high = 0, int(newest[0])
    while low < high:
        middle = (low + high) // 2
        row = row_from(middle)
        if row is None or row[1] >= least:
            high = middle
        else:
            low = row[0] + 1
    found = row_from(low)
    return None if found is None else found[0]
