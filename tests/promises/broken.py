"""The real server with an unexpected exception where the file ``FAULT`` says; none if it is empty.

``answered``: after a command was answered, when it is logged. ``let_in``: after a client was let
in, when it enters its table. ``gone``: when a client has disconnected.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.__main__ import main  # isort: skip - it patches eventlet

from companion.web.live import Live
from companion.web.rate_limits import ConnectionCounts


def failing(fault: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def fail_or_call(*given: Any, **named: Any) -> Any:
        if Path(os.environ["FAULT"]).read_text() == fault:
            raise RuntimeError("on purpose")
        return method(*given, **named)

    return fail_or_call


Live._note = failing("answered", Live._note)  # type: ignore[method-assign]
Live._enter = failing("let_in", Live._enter)  # type: ignore[method-assign]
ConnectionCounts.leave = failing("gone", ConnectionCounts.leave)  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
