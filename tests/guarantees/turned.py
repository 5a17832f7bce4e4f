"""The real server with a clock that is off by the seconds in the file ``TURNED``."""

import os
import time
from pathlib import Path

from companion.__main__ import main  # isort: skip - importing it patches the standard library

_real = time.time
_real_ns = time.time_ns


def _offset_seconds() -> float:
    return float(Path(os.environ["TURNED"]).read_text() or 0)


time.time = lambda: _real() + _offset_seconds()
time.time_ns = lambda: _real_ns() + int(_offset_seconds() * 1e9)


if __name__ == "__main__":
    main()
