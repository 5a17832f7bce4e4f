"""Chooses the server, patches for it, then hands over to cli; nothing else knows which one runs.
Only what serves on eventlet is patched: the demo's robots are threads of their own."""

import gc
import os
import sys
from argparse import ArgumentParser
from contextlib import nullcontext

from companion.adapters import streams, without_clients

streams.open_missing()  # before anything else is opened

UNPATCHED = ("backup", "demo", "variants")

gc.disable()  # what is imported stays: to look for garbage in it takes a tenth of the start
serves = not set(sys.argv[1:2]) & set(UNPATCHED)
# It has to be known before anything is imported; the command line says later what is wrong.
wants_threads = ArgumentParser(add_help=False, allow_abbrev=False)
wants_threads.add_argument("--server", default=os.environ.get("COMPANION_SERVER"))
on_threads = wants_threads.parse_known_args()[0].server == "threads"
with without_clients() if serves else nullcontext():
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
