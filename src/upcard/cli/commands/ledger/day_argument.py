"""Gaming days as they are typed."""

from datetime import date

from upcard.problems import BadRequest


def read_day(text: str | None, option: str) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"{option}: {text!r} is not a date such as 2026-03-08") from None
