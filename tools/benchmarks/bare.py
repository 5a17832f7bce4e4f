"""The baseline of the load benchmark: a plain Flask-SocketIO server on eventlet.

It has no rules, no log and no table. It acknowledges each command, and sends the next recorded view
to each of the table's five clients. It sets TCP_NODELAY, since otherwise TCP would hold back small
packets, and these delays would hide all other differences.

    python tools/benchmarks/bare.py PORT RECORDING
"""

import eventlet

eventlet.monkey_patch()

import json  # noqa: E402
import socket  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import eventlet.wsgi  # noqa: E402
from flask import Flask, request  # noqa: E402
from flask_socketio import SocketIO, emit  # noqa: E402

app = Flask(__name__)
socketio = SocketIO(app, async_mode="eventlet")
steps = json.loads(Path(sys.argv[2]).read_text())
places = {}
tables = {}


@socketio.on("connect")
def connect(auth):
    table = tables.setdefault(auth["table"], {"step": 0, "clients": []})
    table["clients"].append(request.sid)
    places[request.sid] = table


@socketio.on("command")
def command(said):
    table = places[request.sid]
    views = steps[table["step"] % len(steps)]
    table["step"] += 1
    for client, view in zip(table["clients"], views, strict=True):
        emit("view", view, to=client)
    return {"ok": True, "version": views[0]["version"]}


if __name__ == "__main__":
    listener = eventlet.listen(("127.0.0.1", int(sys.argv[1])))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print(f"Ready: http://127.0.0.1:{sys.argv[1]}", flush=True)
    eventlet.wsgi.server(listener, app, log_output=False, debug=False, max_size=4096)
