"""The program on a machine that can lose its network.

Run it like ``companion``. The machine is on no network while the file whose path is in the variable
``TEST_NETWORK_LOST`` exists.
"""

import os
from pathlib import Path

from companion.__main__ import main
from companion.web import access
from companion.web.address import find_network_address


def find_address_unless_lost() -> str | None:
    return None if Path(os.environ["TEST_NETWORK_LOST"]).exists() else find_network_address()


access.find_network_address = find_address_unless_lost

if __name__ == "__main__":
    main()
