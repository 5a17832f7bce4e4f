"""The real server with faults (``faulty``) that gives its clients ``MOVE`` seconds when it ends.

Commands under way get as long as a busy machine may need.
"""

import os

from tests.promises.faulty import main  # isort: skip - it patches eventlet

from companion.adapters import hand_over

hand_over.MOVE_SECONDS = float(os.environ["MOVE"])
hand_over.ANSWER_SECONDS = 25.0


if __name__ == "__main__":
    main()
