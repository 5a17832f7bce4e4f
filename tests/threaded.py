"""The program on plain threads: the service must not depend on eventlet."""

import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from companion import cli
from companion.adapters.hand_over import HandOver
from companion.app import Runner
from companion.settings import Settings


class Quiet(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        pass


def run(app: Any, settings: Settings, ready: Callable[[int], None], hand_over: HandOver) -> None:
    server = make_server(settings.host, settings.port, app, threaded=True, request_handler=Quiet)
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ready(server.server_port)
    stopping.wait()
    hand_over.begin()
    hand_over.let_go(lambda: None, lambda: 0, lambda seconds: bool(time.sleep(seconds)))
    server.shutdown()


if __name__ == "__main__":
    sys.exit(cli.main(obj=Runner("threading", run)))
