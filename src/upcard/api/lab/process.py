"""A process of the lab, as the service sees it: started when it is first needed, told things, listened to, ended."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import structlog

_log = structlog.get_logger("upcard.lab")

Message = dict[str, Any]


class Process:
    """One `upcard.api.lab.worker`. What it says is handed on from a thread; `gone` is called when it ends by itself."""

    def __init__(self, heard: Callable[[Message], None], gone: Callable[[], None]) -> None:
        self.heard, self.gone = heard, gone
        self._lock = threading.Lock()
        self._child: subprocess.Popen[str] | None = None

    def say(self, message: Message) -> None:
        """Says something, to a new process if there is none."""
        with self._lock:
            if self._child is None or self._child.poll() is not None:
                self._child = self._started()
            if self._child.stdin is not None:
                try:
                    self._child.stdin.write(json.dumps(message) + "\n")
                    self._child.stdin.flush()
                except OSError:  # it ended just now: `gone` will tell
                    return

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()

    def _started(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "upcard.api.lab.worker"]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        threading.Thread(target=self._listen, args=(child,), name="upcard-lab", daemon=True).start()
        return child

    def _listen(self, child: "subprocess.Popen[str]") -> None:
        with child:
            for line in child.stdout or ():
                self.heard(json.loads(line))
        _log.info("a process of the lab ended", code=child.returncode)
        if self._child is child:
            self.gone()
