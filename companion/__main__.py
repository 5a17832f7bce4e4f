"""Patches eventlet, then hands over to cli; nothing else knows which server runs.

Only what serves is patched: the demo's robots are threads of their own.
"""

import sys

from companion.adapters import eventlet

UNPATCHED = ("backup", "demo", "variants")

if not set(sys.argv[1:2]) & set(UNPATCHED):
    eventlet.patch()

from companion import cli
from companion.app import Runner


def main() -> None:
    """The program."""
    cli.main(obj=Runner("eventlet", eventlet.run))


if __name__ == "__main__":
    main()
