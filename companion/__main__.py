"""Patches eventlet, then hands over to cli; nothing else knows which server runs.

Only what serves is patched: the demo's robots are threads of their own.
"""

import gc
import sys
from contextlib import nullcontext

from companion.adapters import without_clients

UNPATCHED = ("backup", "demo", "variants")

gc.disable()  # what is imported stays: to look for garbage in it takes a tenth of the start
serves = not set(sys.argv[1:2]) & set(UNPATCHED)
with without_clients() if serves else nullcontext():
    from companion.adapters import eventlet

    if serves:
        eventlet.patch()
    from companion import cli
    from companion.app import Runner
gc.freeze()
gc.enable()


def main() -> None:
    """The program."""
    cli.main(obj=Runner("eventlet", eventlet.run))


if __name__ == "__main__":
    main()
