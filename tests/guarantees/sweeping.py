"""The real server, which deletes expired rows and unused tables every ``SWEEP`` seconds."""

import os

from companion.__main__ import main  # isort: skip - importing it patches the standard library

from companion.service import tables

tables.SWEEP_SECONDS = float(os.environ["SWEEP"])


if __name__ == "__main__":
    main()
