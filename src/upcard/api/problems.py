"""One shape for everything that goes wrong: application/problem+json with a name, a sentence and a status."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import NotRequired

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from typing_extensions import TypedDict

from upcard.codes import CodedError, Details
from upcard.people import PeopleRefused
from upcard.problems import BadFile, BadRequest, UnknownName, UpcardError
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.wire_models import Coded

MEDIA = "application/problem+json"

_STATUS = {
    "TABLE_UNKNOWN": 404,
    "JACKPOT_UNKNOWN": 404,
    "UNKNOWN_NAME": 404,
    "NOT_YOURS": 403,
    "NOT_YOU": 403,
    "NOT_FOR_PLAYERS": 403,
    "NOT_ALLOWED": 403,
    "STEP_UP_FIRST": 403,
    "APPROVAL_OWN": 403,
    "SESSION_OVER": 401,
    "WRONG_NAME_OR_PASSWORD": 401,
    "TOO_MANY_TRIES": 429,
    "TABLE_STOPPED": 503,
    "BAD_REQUEST": 400,
    "BAD_ID": 400,
    "BAD_COMMAND_ID": 400,
    "BAD_TEXT": 400,
}
_NOT_KEPT = "the book cannot be written just now: nothing was acknowledged; ask again, under the same id"
_REASONS = {400: "UNREADABLE", 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED", 413: "TOO_LARGE"}


class Place(TypedDict):
    """A place of a request or a file that is wrong."""

    place: str
    sentence: str


class Problem(TypedDict):
    """What is wrong."""

    type: str
    title: str
    status: int
    detail: str
    reason: str  # the refusal's code, for programs
    details: NotRequired[Coded]  # the parameters of its sentence; none: `reason` is no code that has one
    problems: NotRequired[list[Place]]  # each place of a request that cannot be read


class ProblemError(Exception):
    """A problem to be answered with."""

    def __init__(self, status: int, reason: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        self.status, self.reason, self.detail, self.headers = status, reason, detail, headers
        super().__init__(detail)


def problem_of(wrong: Exception) -> Problem:
    """Anything that was raised, as a problem."""
    status, reason, detail = 500, "INTERNAL", "something went wrong here; nothing was acknowledged"
    details: Details | None = None
    if isinstance(wrong, ProblemError):
        status, reason, detail = wrong.status, wrong.reason, wrong.detail
    elif isinstance(wrong, Refused):
        status, reason, detail = _STATUS.get(wrong.reason, 409), wrong.reason, wrong.sentence
        details = wrong.details
    elif isinstance(wrong, CodedError):
        reason, detail, details = wrong.reason.value, str(wrong), wrong.details
        status = _STATUS.get(reason, 409)
    elif isinstance(wrong, StoreFailed):
        status, reason, detail = 503, "STORE_FAILED", _NOT_KEPT  # what the database said is for the log
    elif isinstance(wrong, UnknownName):
        status, reason, detail = 404, "UNKNOWN_NAME", str(wrong)
    elif isinstance(wrong, BadRequest):
        status, reason, detail = 400, "BAD_REQUEST", str(wrong)
    elif isinstance(wrong, BadFile):
        places: list[Place] = [{"place": one.place, "sentence": one.sentence} for one in wrong.problems]
        said = "; ".join(f"{one.place}: {one.sentence}" if one.place else one.sentence for one in wrong.problems)
        return {**_problem(400, "BAD_FILE", said), "problems": places}
    elif isinstance(wrong, UpcardError):
        status, reason, detail = 409, "REFUSED", str(wrong)
    problem = _problem(status, reason, detail)
    if details is not None:
        problem["details"] = dict(details)
    return problem


def _problem(status: int, reason: str, detail: str) -> Problem:
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, "reason": reason}


def answer(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """A problem as a response."""
    return JSONResponse(problem, status_code=problem["status"], media_type=MEDIA, headers=dict(headers or {}))


def install(app: FastAPI) -> None:
    """Every error of the application is answered in the one shape."""

    def raised(_: Request, wrong: Exception) -> Response:
        return answer(problem_of(wrong), _headers_of(wrong))

    def unreadable(_: Request, wrong: Exception) -> Response:
        errors = wrong.errors() if isinstance(wrong, RequestValidationError) else []
        places: list[Place] = [{"place": ".".join(map(str, one["loc"])), "sentence": str(one["msg"])} for one in errors]
        said = "; ".join(f"{one['place']}: {one['sentence']}" for one in places[:3]) or "the request cannot be read"
        return answer({**_problem(422, "UNREADABLE", said), "problems": places})

    def http(_: Request, wrong: Exception) -> Response:
        status = wrong.status_code if isinstance(wrong, HTTPException) else 500
        detail = str(wrong.detail) if isinstance(wrong, HTTPException) else ""
        reason = _REASONS.get(status, "REFUSED")
        return answer(_problem(status, reason, detail.lower() or reason.lower()), getattr(wrong, "headers", None))

    app.add_exception_handler(ProblemError, raised)
    app.add_exception_handler(UpcardError, raised)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, raised)


def _headers_of(wrong: Exception) -> Mapping[str, str] | None:
    """What stands in the head of the answer: for whoever tried too often, when to come back."""
    if isinstance(wrong, ProblemError):
        return wrong.headers
    if isinstance(wrong, PeopleRefused) and "seconds" in wrong.details:
        return {"Retry-After": str(wrong.details["seconds"])}
    return None
