"""Metrics for Prometheus: requests, commands, sockets, rounds."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()

REQUESTS = Histogram(
    "upcard_request_seconds", "Requests by route, method and status.", ("route", "method", "status"), registry=REGISTRY
)
COMMANDS = Counter("upcard_commands", "Commands by kind and outcome.", ("command", "outcome"), registry=REGISTRY)
DECISIONS = Histogram(
    "upcard_answer_seconds",
    "From a command's arrival to its answer after the commit.",
    registry=REGISTRY,
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5),
)
SOCKETS = Gauge("upcard_sockets", "Open sockets.", registry=REGISTRY)
CUT_OFF = Counter("upcard_sockets_cut_off", "Sockets closed, by reason.", ("reason",), registry=REGISTRY)
CONNECTIONS_CLOSED = Counter(
    "upcard_connections_closed", "Connections that the server ended, by reason.", ("reason",), registry=REGISTRY
)
ROUNDS = Counter("upcard_rounds", "Rounds that ended.", registry=REGISTRY)


def text() -> bytes:
    """All metrics in the Prometheus text format."""
    return bytes(generate_latest(REGISTRY))
