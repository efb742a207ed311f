"""A trace of what Chromium does: frames that were shown or lost, and what the page's own thread worked."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

Json = dict[str, Any]
FRAME = 1000 / 60  # ms
_CATEGORIES = ["cc,benchmark", "disabled-by-default-devtools.timeline.frame", "toplevel", "__metadata"]


@dataclass
class Trace:
    """Events as Chromium tells them."""

    events: list[Json] = field(default_factory=list)

    @property
    def frames(self) -> list[Json]:
        """What became of each frame in which something moved by itself."""
        reports = [event["args"].get("frame_reporter") for event in self.events if event["name"] == "PipelineReporter"]
        return [
            report
            for report in reports
            if report and report["has_compositor_animation"] and report["state"] != "STATE_NO_UPDATE_DESIRED"
        ]

    @property
    def shown(self) -> float:
        """The part of those that was not lost to the eye: Chromium itself says which loss shows."""
        lost = [frame for frame in self.frames if frame["state"] == "STATE_DROPPED" and frame["affects_smoothness"]]
        return 1 - len(lost) / max(1, len(self.frames))

    def tasks(self) -> list[float]:
        """The processor's time for each task of the page's own thread, in ms: other programs do not count."""
        main = {
            (event["pid"], event["tid"])
            for event in self.events
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        }
        return [
            event["tdur"] / 1000
            for event in self.events
            if event["name"].endswith("RunTask") and "tdur" in event and (event["pid"], event["tid"]) in main
        ]


@contextmanager
def traced(page: Page) -> Iterator[Trace]:
    """Everything until the end of the block."""
    session = page.context.new_cdp_session(page)
    trace, done = Trace(), list[bool]()
    session.on("Tracing.dataCollected", lambda told: trace.events.extend(told["value"]))
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    config = {"includedCategories": _CATEGORIES}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})
    yield trace
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(20)
    session.detach()
