"""The real server with faults (``faulty``), whose clients have ``MOVE`` seconds when it ends."""

import os

from tests.promises.faulty import main  # isort: skip - it patches eventlet

from companion.adapters import ending

ending.MOVE_SECONDS = float(os.environ["MOVE"])


if __name__ == "__main__":
    main()
