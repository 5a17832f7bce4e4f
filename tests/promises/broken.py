"""The real server with a fault of its own, at what a file names; empty: all is well.

``answered``: a command has been answered, and can't be noted. ``let_in``: somebody was let in, and
can't be shown the table. ``gone``: somebody has hung up.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.__main__ import main  # isort: skip - it patches eventlet

from companion.web.live import Live
from companion.web.rate_limits import ConnectionCounts


def failing(fault: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def tried(*given: Any, **named: Any) -> Any:
        if Path(os.environ["FAULT"]).read_text() == fault:
            raise RuntimeError("on purpose")
        return method(*given, **named)

    return tried


Live._note = failing("answered", Live._note)  # type: ignore[method-assign]
Live._enter = failing("let_in", Live._enter)  # type: ignore[method-assign]
ConnectionCounts.leave = failing("gone", ConnectionCounts.leave)  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
