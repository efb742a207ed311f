"""The tables of people, sessions, invitations and approvals. `people_log` is append-only.

Only the SHA-256 of a token is stored, only the argon2id hash of a password, and the secrets of one-time codes encrypted
with the operator's key. The log is a hash chain; every other row has a seal over all its columns.
"""

import sqlalchemy as sa

metadata = sa.MetaData()

people = sa.Table(
    "people",
    metadata,
    sa.Column("name_key", sa.String(200), primary_key=True),  # the name as it is compared: Ann and ANN are the same
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("roles", sa.String(200), nullable=False),
    sa.Column("password", sa.String(200)),  # its argon2id hash; a guest has none
    sa.Column("guest", sa.Boolean, nullable=False),
    sa.Column("disabled", sa.Boolean, nullable=False),
    sa.Column("totp_secret", sa.Text),  # of their one-time codes, encrypted
    sa.Column("totp_secret_offered", sa.Text),  # the next secret, until they have entered a code from it
    sa.Column("totp_last_step", sa.BigInteger, nullable=False),  # of the last code they used: no code works twice
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("name_key", sa.String(200), primary_key=True),  # of the invited person; empty for the set-up link
    sa.Column("token", sa.String(64), nullable=False, unique=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("roles", sa.String(200), nullable=False),
    sa.Column("expires", sa.String(40), nullable=False),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(200), nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
    sa.Column("seen", sa.String(40), nullable=False),
    sa.Column("confirmed_at", sa.String(40)),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

tickets = sa.Table(
    "tickets",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("session", sa.String(64), nullable=False),
    sa.Column("purpose", sa.String(200), nullable=False),
    sa.Column("expires", sa.String(40), nullable=False),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

sign_in_attempts = sa.Table(
    "sign_in_attempts",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),  # a hash: somebody may have typed their password as their name
    sa.Column("count", sa.BigInteger, nullable=False),
    sa.Column("last", sa.String(40), nullable=False),
    sa.Column("wait_until", sa.String(40), nullable=False),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

approvals = sa.Table(
    "approvals",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("requested_by", sa.String(200), nullable=False),
    sa.Column("requested_at", sa.String(40), nullable=False),
    sa.Column("expires_at", sa.String(40), nullable=False),
    sa.Column("approved_by", sa.String(200)),
    sa.Column("approved_at", sa.String(40)),
    sa.Column("used_at", sa.String(40)),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

people_log = sa.Table(
    "people_log",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("actor", sa.String(80), nullable=False),  # empty: somebody who is not signed in
    sa.Column("action", sa.String(40), nullable=False),
    sa.Column("subject", sa.String(80), nullable=False),
    sa.Column("before", sa.Text, nullable=False),
    sa.Column("after", sa.Text, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("key", sa.Integer, nullable=False),
    sa.Column("mac", sa.String(32), nullable=False),
)

sa.Index("sessions_person", sessions.c.person)
sa.Index("sessions_created", sessions.c.created)
sa.Index("tickets_session", tickets.c.session)
sa.Index("tickets_expires", tickets.c.expires)
sa.Index("sign_in_attempts_last", sign_in_attempts.c.last)
sa.Index("approvals_expires_at", approvals.c.expires_at)
sa.Index("people_log_subject", people_log.c.subject, people_log.c.number)

APPEND_ONLY = (people_log,)
SEALED = (people, invitations, sessions, tickets, sign_in_attempts, approvals)  # one seal per row
