"""The program on a machine that changes to another network.

Run it like ``companion``. The variable ``TEST_NETWORK`` is the path of a file. While the file is
empty, the machine is on no network. While it contains an address, as of a VPN, that is the address
from which the machine sends, and the machine keeps its other addresses.
"""

import os
from pathlib import Path

from companion.__main__ import main
from companion.web import access
from companion.web.address import find_network_address, is_own_address

NETWORK = Path(os.environ["TEST_NETWORK"])


def find_changing_address() -> str | None:
    return NETWORK.read_text() or None if NETWORK.exists() else find_network_address()


def is_own_address_still(address: str) -> bool:
    return is_own_address(address) and not (NETWORK.exists() and not NETWORK.read_text())


access.find_network_address = find_changing_address
access.is_own_address = is_own_address_still

if __name__ == "__main__":
    main()
