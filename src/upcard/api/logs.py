"""Structured logs, one line per event, without secrets."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_SECRET = re.compile(r"token|password|secret|cookie|ticket|authorization|csrf|code|key$", re.IGNORECASE)
_LONG_HEX = re.compile(r"\b[0-9a-f]{48,}\b")
_IN_ADDRESS = re.compile(r"\b(ticket|token)=(?!\(left out\))[^&\s\"]+")
_QUIET = ("alembic", "uvicorn")  # only their warnings and errors are logged


def redact(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Removes secrets from a log line: values whose name says so, and long hex strings, which may be keys."""
    for name, value in event.items():
        if _SECRET.search(name) and name != "event":
            event[name] = "(left out)"
        elif isinstance(value, str):
            event[name] = _IN_ADDRESS.sub(r"\1=(left out)", _LONG_HEX.sub("(left out)", value))
    return event


def set_up(style: str) -> None:
    """Configures logging: `json`, or text for people."""
    last = structlog.processors.JSONRenderer() if style == "json" else structlog.dev.ConsoleRenderer(colors=False)
    common: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact,
    ]
    structlog.configure(
        processors=[*common, last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=common, processors=[_drop_meta, last]))
    root = logging.getLogger()
    root.handlers, root.level = [handler], logging.INFO
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def _drop_meta(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(None, "", event)
