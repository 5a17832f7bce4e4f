"""The program's entry point: chooses the server (eventlet or threads) and runs a command.

eventlet must patch the standard library before anything else is imported, so the server is chosen
first. The commands ``backup``, ``demo`` and ``variants`` don't serve clients. They run without the
patch, because the demo's robots need real threads.
"""

import gc
import os
import sys
from argparse import ArgumentParser

from companion.adapters import streams, without_clients

streams.open_missing()  # this has to be done before any other file is opened
streams.print_any_character()

UNPATCHED = ("backup", "demo", "variants")
DEMO_NEEDS = ("requests", "websocket")  # the demo's robots are clients

# no module is ever freed, and collecting garbage would take a tenth of the start-up time
gc.disable()
command = sys.argv[1:2]
serves = not set(command) & set(UNPATCHED)
# Parse only this option here. The command line reports errors later.
wants_threads = ArgumentParser(add_help=False, allow_abbrev=False)
wants_threads.add_argument("--server", default=os.environ.get("COMPANION_SERVER"))
on_threads = wants_threads.parse_known_args()[0].server == "threads"
with without_clients(needed=DEMO_NEEDS if command == ["demo"] else ()):
    if on_threads:
        from companion.adapters.threads import run
    else:
        from companion.adapters.eventlet import patch, run

        if serves:
            patch()
    from companion import cli
    from companion.app import Runner
gc.freeze()
gc.enable()


def main() -> None:
    cli.main(obj=Runner("threading" if on_threads else "eventlet", run))


if __name__ == "__main__":
    main()
