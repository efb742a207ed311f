"""Turns every error into application/problem+json with a status, a code and a sentence."""

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
from upcard.problems import BadFile, BadRequest, Problem, UnknownName, UpcardError
from upcard.service.refusals import Refused, StoreFailed
from upcard.service.wire_models import Coded

MEDIA = "application/problem+json"

_STATUS = {
    "TABLE_UNKNOWN": 404,
    "NO_FINISHED_ROUND": 404,
    "NO_SUCH_DISPUTE": 404,
    "NO_SUCH_HAND_OVER": 404,
    "JACKPOT_UNKNOWN": 404,
    "UNKNOWN_NAME": 404,
    "NOT_YOURS": 403,
    "NOT_YOU": 403,
    "NOT_FOR_PLAYERS": 403,
    "NOT_ALLOWED": 403,
    "STEP_UP_FIRST": 403,
    "APPROVAL_OWN": 403,
    "APPROVAL_NOT_YOURS": 403,
    "APPROVAL_TOO_CLOSE": 403,
    "APPROVAL_UNKNOWN": 404,
    "AUTHENTICATOR_FIRST": 403,
    "CODE_NEEDED": 401,
    "TEXT_TOO_LONG": 400,
    "SESSION_OVER": 401,
    "WRONG_NAME_OR_PASSWORD": 401,
    "TOO_MANY_TRIES": 429,
    "TABLE_STOPPED": 503,
    "BAD_REQUEST": 400,
    "BAD_ID": 400,
    "BAD_COMMAND_ID": 400,
    "BAD_TEXT": 400,
}
_NOT_KEPT = "the database cannot be written right now and nothing was saved; try again with the same id"
_INTERNAL = "an internal error occurred and nothing was acknowledged; try again with the same id"
_REASONS = {400: "UNREADABLE", 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED", 413: "TOO_LARGE"}


class Place(TypedDict):
    """One error and where it is in the request or file."""

    place: str
    sentence: str
    file: NotRequired[str]  # of an upload of several files


class ProblemDetails(TypedDict):
    """An error as RFC 9457 describes it."""

    type: str
    title: str
    status: int
    detail: str
    reason: str  # the code, for programs
    details: NotRequired[Coded]  # the values in the sentence, where the code has any
    problems: NotRequired[list[Place]]  # every error of an invalid request


class ProblemError(Exception):
    """Raised to answer a request with a problem."""

    def __init__(self, status: int, reason: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        self.status, self.reason, self.detail, self.headers = status, reason, detail, headers
        super().__init__(detail)


def problem_of(error: Exception) -> ProblemDetails:
    status, reason, detail = (
        500,
        "INTERNAL",
        "an internal error occurred and nothing was acknowledged; try again with the same id",
    )
    details: Details | None = None
    if isinstance(error, ProblemError):
        status, reason, detail = error.status, error.reason, error.detail
    elif isinstance(error, Refused):
        status, reason, detail = _STATUS.get(error.reason, 409), error.reason, error.sentence
        details = error.details
    elif isinstance(error, CodedError):
        reason, detail, details = error.reason.value, str(error), error.details
        status = _STATUS.get(reason, 409)
    elif isinstance(error, StoreFailed):
        status, reason, detail = 503, "STORE_FAILED", _NOT_KEPT  # the database's own message goes to the log only
    elif isinstance(error, UnknownName):
        status, reason, detail = 404, "UNKNOWN_NAME", str(error)
    elif isinstance(error, BadRequest):
        status, reason, detail = 400, "BAD_REQUEST", str(error)
    elif isinstance(error, BadFile):
        places = [place_of(problem) for problem in error.problems]
        sentences = "; ".join(
            f"{problem.place}: {problem.sentence}" if problem.place else problem.sentence for problem in error.problems
        )
        return {**_problem(400, "BAD_FILE", sentences), "problems": places}
    elif isinstance(error, UpcardError):
        status, reason, detail = 409, "REFUSED", str(error)
    problem = _problem(status, reason, detail)
    if details is not None:
        problem["details"] = dict(details)
    return problem


def place_of(problem: Problem) -> Place:
    """A problem of a file; a path of this machine is left out."""
    if problem.file.startswith("/"):
        return {"place": problem.place, "sentence": problem.sentence}
    return {"place": problem.place, "sentence": problem.sentence, "file": problem.file}


def _problem(status: int, reason: str, detail: str) -> ProblemDetails:
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, "reason": reason}


def answer(problem: ProblemDetails, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse(problem, status_code=problem["status"], media_type=MEDIA, headers=dict(headers or {}))


def install(app: FastAPI) -> None:

    def handle_error(_: Request, error: Exception) -> Response:
        return answer(problem_of(error), _headers_of(error))

    def handle_invalid(_: Request, error: Exception) -> Response:
        errors = error.errors() if isinstance(error, RequestValidationError) else []
        places: list[Place] = [
            {"place": ".".join(map(str, invalid["loc"])), "sentence": str(invalid["msg"])} for invalid in errors
        ]
        sentences = (
            "; ".join(f"{place['place']}: {place['sentence']}" for place in places[:3]) or "the request is not valid"
        )
        return answer({**_problem(422, "UNREADABLE", sentences), "problems": places})

    def handle_http(_: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        detail = str(error.detail) if isinstance(error, HTTPException) else ""
        reason = _REASONS.get(status, "REFUSED")
        return answer(_problem(status, reason, detail.lower() or reason.lower()), getattr(error, "headers", None))

    app.add_exception_handler(ProblemError, handle_error)
    app.add_exception_handler(UpcardError, handle_error)
    app.add_exception_handler(RequestValidationError, handle_invalid)
    app.add_exception_handler(HTTPException, handle_http)
    app.add_exception_handler(Exception, handle_error)


def _headers_of(error: Exception) -> Mapping[str, str] | None:
    """Tells clients that tried too often when to try again."""
    if isinstance(error, ProblemError):
        return error.headers
    if isinstance(error, PeopleRefused) and "seconds" in error.details:
        return {"Retry-After": str(error.details["seconds"])}
    return None
