"""The clients of robots and tests close their sockets in every way in which a connection ends."""

import gc
import json
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import engineio
import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, TextMessage

from companion.robots.client import ClosingSocket, _Engine
from tests.support.servers.in_order import Messages

OPEN = "0" + json.dumps(
    {"sid": "x", "upgrades": [], "pingInterval": 25_000, "pingTimeout": 20_000, "maxPayload": 9_999}
)


@contextmanager
def listen(*events: Any, then: Callable[[], object] | None = None) -> Iterator[str]:
    """Accept one WebSocket, send these events, and wait until the client ends the connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(20)
            protocol = WSConnection(ConnectionType.SERVER)
            protocol.receive_data(connection.recv(65_536))
            connection.sendall(protocol.send(AcceptConnection()))
            for event in events:
                connection.sendall(protocol.send(event))
                if then is not None:
                    then()
            while connection.recv(65_536):
                pass

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(20)
        assert not thread.is_alive(), "the client left its socket open"


@pytest.mark.parametrize("kind", [_Engine, Messages])
def test_a_client_that_is_turned_away_in_the_handshake_closes_its_socket(
    kind: type[engineio.Client],
) -> None:
    client = kind(websocket_extra_options={"class_": ClosingSocket})
    with listen(CloseConnection(code=1013)) as url:
        with pytest.raises(engineio.exceptions.ConnectionError):
            client.connect(url, transports=["websocket"])
        del client
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            gc.collect()
    assert not seen


@pytest.mark.parametrize("kind", [_Engine, Messages])
def test_a_client_whose_writer_gave_up_closes_its_socket(kind: type[engineio.Client]) -> None:
    client = kind(websocket_extra_options={"class_": ClosingSocket})
    gave_up = threading.Event()
    messages = [TextMessage(data=OPEN), TextMessage(data="6")]
    with listen(*messages, then=lambda: gave_up.wait(20)) as url:
        client.connect(url, transports=["websocket"])
        writer = client.write_loop_task
        client.queue.put(None)
        writer.join(20)
        gave_up.set()
