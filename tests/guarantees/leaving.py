"""The real server with injectable faults, which waits ``MOVE`` seconds for its clients to leave.

When it ends, commands in progress get enough time even on a busy machine.
"""

import os

from tests.guarantees.faulty import main  # isort: skip - importing it patches the standard library

from companion.adapters import hand_over

hand_over.MOVE_SECONDS = float(os.environ["MOVE"])
hand_over.ANSWER_SECONDS = 25.0


if __name__ == "__main__":
    main()
