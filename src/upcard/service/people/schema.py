"""The tables of people: who they are, who is signed in, what waits for a second person. `people_log` only grows.

Tokens are here as their SHA-256 only, passwords as argon2id, secrets of one-time codes sealed with the operator's key.
"""

import sqlalchemy as sa

metadata = sa.MetaData()

people = sa.Table(
    "people",
    metadata,
    sa.Column("key", sa.String(200), primary_key=True),  # the name as it is compared: Ann and ANN are one
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("roles", sa.String(200), nullable=False),
    sa.Column("password", sa.String(200)),  # a guest has none
    sa.Column("guest", sa.Boolean, nullable=False),
    sa.Column("disabled", sa.Boolean, nullable=False),
    sa.Column("codes", sa.Text),  # the sealed secret of his one-time codes
    sa.Column("codes_offered", sa.Text),  # the next one, until he has shown that he has it
    sa.Column("last_step", sa.BigInteger, nullable=False),  # of the last code he used: none is taken twice
)

invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("key", sa.String(200), primary_key=True),  # whom for; empty: whoever sets the house up
    sa.Column("token", sa.String(64), nullable=False, unique=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("roles", sa.String(200), nullable=False),
    sa.Column("expires", sa.String(40), nullable=False),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(200), nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
    sa.Column("seen", sa.String(40), nullable=False),
    sa.Column("stepped_up", sa.String(40)),
)

tickets = sa.Table(
    "tickets",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("session", sa.String(64), nullable=False),
    sa.Column("purpose", sa.String(200), nullable=False),
    sa.Column("expires", sa.String(40), nullable=False),
)

tries = sa.Table(
    "tries",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),  # a digest: somebody may have typed his password as his name
    sa.Column("count", sa.BigInteger, nullable=False),
    sa.Column("last", sa.String(40), nullable=False),
    sa.Column("wait_until", sa.String(40), nullable=False),
)

approvals = sa.Table(
    "approvals",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("asked_by", sa.String(200), nullable=False),
    sa.Column("asked", sa.String(40), nullable=False),
    sa.Column("expires", sa.String(40), nullable=False),
    sa.Column("given_by", sa.String(200)),
    sa.Column("given", sa.String(40)),
    sa.Column("used", sa.String(40)),
)

people_log = sa.Table(
    "people_log",
    metadata,
    sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("who", sa.String(80), nullable=False),  # empty: somebody who is not signed in
    sa.Column("what", sa.String(40), nullable=False),
    sa.Column("about", sa.String(80), nullable=False),
    sa.Column("before", sa.Text, nullable=False),
    sa.Column("after", sa.Text, nullable=False),
)

sa.Index("sessions_person", sessions.c.person)
sa.Index("sessions_created", sessions.c.created)
sa.Index("tickets_session", tickets.c.session)
sa.Index("tickets_expires", tickets.c.expires)
sa.Index("tries_last", tries.c.last)
sa.Index("approvals_expires", approvals.c.expires)
sa.Index("people_log_about", people_log.c.about, people_log.c.number)

GROWING = (people_log,)
