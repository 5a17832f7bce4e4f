"""Patches eventlet, then hands over to cli; nothing else knows which server runs.

Only what serves is patched: the demo's robots are threads of their own.
"""

import gc
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from companion.adapters import without_clients

UNPATCHED = ("backup", "demo", "variants")

gc.disable()  # what is imported stays: to look for garbage in it takes a tenth of the start
serves = not set(sys.argv[1:2]) & set(UNPATCHED)
with without_clients() if serves else nullcontext():
    if serves:
        from companion.adapters import eventlet

        eventlet.patch()
    from companion import cli
    from companion.settings import Settings
    from companion.web.hand_over import HandOver
    from companion.web.places import Places
gc.freeze()
gc.enable()


def run(app: Any, settings: Settings, ready: Callable[[int], None], hand_over: HandOver) -> None:
    """Serves until SIGTERM or Ctrl-C."""
    from companion.adapters import eventlet

    eventlet.run(app, settings, ready, hand_over, Places(settings.connections))


def main() -> None:
    """The program."""
    cli.main(obj=cli.Runner("eventlet", run))


if __name__ == "__main__":
    main()
