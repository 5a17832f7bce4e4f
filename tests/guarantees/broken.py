"""The real server, which raises an unexpected exception at the point that the file ``FAULT`` names.

- ``answered``: after answering a command, when the server logs it
- ``let_in``: after admitting a client, when the client enters its table
- ``gone``: when a client has disconnected
- an empty file: no exception
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.__main__ import main  # isort: skip - importing it patches the standard library

from companion.web.live import Live
from companion.web.rate_limits import ConnectionCounts


def make_failing(fault: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def fail_or_call(*given: Any, **named: Any) -> Any:
        if Path(os.environ["FAULT"]).read_text() == fault:
            raise RuntimeError("on purpose")
        return method(*given, **named)

    return fail_or_call


Live._log_command = make_failing("answered", Live._log_command)  # type: ignore[method-assign]
Live._enter = make_failing("let_in", Live._enter)  # type: ignore[method-assign]
ConnectionCounts.leave = make_failing("gone", ConnectionCounts.leave)  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
