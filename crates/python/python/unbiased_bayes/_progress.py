"""How far a run is: a line in a terminal, a bar in a notebook, nothing elsewhere unless it is asked for."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable
from typing import Any

Show = Callable[[float | None, list[str]], object]


def shown(progress: object) -> Show | None:
    """What is to be called while a run goes on; None decides by where this runs."""
    if progress is None:
        progress = _in_notebook() or _in_terminal()
    if progress is False:
        return None
    if progress is True:
        return Notebook() if _in_notebook() else Terminal()
    if callable(progress):
        return progress
    raise TypeError(f"progress={progress!r}: True, False or a function of (share, lines) belongs there")


def _in_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    try:
        return shell is not None and "ZMQ" in type(shell.get_ipython()).__name__
    except AttributeError:
        return False


def _done(share: float | None, line: str, begun: float) -> str:
    seconds = time.monotonic() - begun
    part = "" if share is None else f"{100 * share:3.0f} %  "
    return f"{part}{seconds:.1f} s  {line}"


class Terminal:
    """One line of plain text that is written over."""

    def __init__(self, stream: Any = None) -> None:
        self.stream = stream if stream is not None else sys.stderr
        self.begun = time.monotonic()
        self.line = ""
        self.width = 0

    def __call__(self, share: float | None, lines: list[str]) -> None:
        self.line = lines[-1] if lines else self.line
        filled = "" if share is None else f"[{'#' * round(20 * share):<20}] "
        text = (filled + _done(share, self.line, self.begun))[:100]
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def close(self) -> None:
        self.stream.write("\r" + " " * self.width + "\r")
        self.stream.flush()


class Notebook:
    """A bar of the browser, in an output that is written over."""

    def __init__(self, display: Any = None) -> None:
        if display is None:
            from IPython.display import HTML, display as put

            self.handle = put(HTML(""), display_id=True)
            self.html = HTML
        else:
            self.handle, self.html = display
        self.begun = time.monotonic()
        self.line = ""
        self.last = 0.0

    def __call__(self, share: float | None, lines: list[str]) -> None:
        self.line = lines[-1] if lines else self.line
        now = time.monotonic()
        # A notebook keeps every message: a few per second are enough.
        if now - self.last < 0.25 and not lines:
            return
        self.last = now
        value = "" if share is None else f' value="{share:.3f}"'
        text = html.escape(_done(share, self.line, self.begun))
        self.handle.update(self.html(f'<progress max="1"{value}></progress> {text}'))

    def close(self) -> None:
        self.handle.update(self.html(""))
