"""Patches eventlet, then hands over to cli; nothing else knows which server runs.

Only what serves is patched: the demo's robots are threads of their own.
"""

import sys
from collections.abc import Callable
from typing import Any

UNPATCHED = ("backup", "demo", "variants")

if not set(sys.argv[1:2]) & set(UNPATCHED):
    from companion.adapters import eventlet

    eventlet.patch()

from companion import cli
from companion.settings import Settings
from companion.web.hand_over import HandOver
from companion.web.places import Places


def run(app: Any, settings: Settings, ready: Callable[[int], None], hand_over: HandOver) -> None:
    """Serves until SIGTERM or Ctrl-C."""
    from companion.adapters import eventlet

    eventlet.run(app, settings, ready, hand_over, Places(settings.connections))


def main() -> None:
    """The program."""
    cli.main(obj=cli.Runner("eventlet", run))


if __name__ == "__main__":
    main()
