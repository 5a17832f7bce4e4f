"""The real server with short timeouts: a fifth of the usual time for pings and requests."""

from companion.__main__ import main  # isort: skip - importing it patches the standard library

from companion import app
from companion.adapters import eventlet

app.PING_SECONDS = 1
app.PONG_SECONDS = 1.2
eventlet.REQUEST_SECONDS = 2


if __name__ == "__main__":
    main()
