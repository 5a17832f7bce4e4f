"""The clients of robots and tests close their sockets in every way in which a connection ends."""

import gc
import json
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import engineio
import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, TextMessage

from companion.robots import client as robot_client
from companion.robots.client import ClosingSocket, Connection, SeatCredentials, _Engine
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
    client = kind(handle_sigint=False, websocket_extra_options={"class_": ClosingSocket})
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
    client = kind(handle_sigint=False, websocket_extra_options={"class_": ClosingSocket})
    gave_up = threading.Event()
    messages = [TextMessage(data=OPEN), TextMessage(data="6")]
    with listen(*messages, then=lambda: gave_up.wait(20)) as url:
        client.connect(url, transports=["websocket"])
        writer = client.write_loop_task
        client.queue.put(None)
        writer.join(20)
        gave_up.set()


ENDED = 200
"""Number of connections that end in the moment in which the server accepts them. The library's own
reconnection survives 25 of them on average."""


def test_a_robot_outlives_connections_that_end_while_they_are_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the last connections of a server that is killed do."""
    monkeypatch.setattr(robot_client, "RECONNECT_SECONDS", 0.0005)
    monkeypatch.setattr(robot_client, "LONGEST_RECONNECT_SECONDS", 0.001)

    def accept_and_end() -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            protocol = WSConnection(ConnectionType.SERVER)
            protocol.receive_data(connection.recv(65_536))
            accepted = [AcceptConnection(), TextMessage(data=OPEN)]
            connection.sendall(b"".join(protocol.send(event) for event in accepted))
            connection.recv(65_536)  # the client's request to join
            connection.sendall(protocol.send(TextMessage(data='40{"sid":"x"}')))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(20)
        credentials = SeatCredentials(table="AAAAAA", seat="s1", token="none")
        client = Connection(f"http://127.0.0.1:{listener.getsockname()[1]}", credentials)
        opening = threading.Thread(target=client.open)
        opening.start()
        for _ in range(ENDED):
            accept_and_end()
        client.close()
        opening.join()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the library doesn't close this socket
def test_a_robot_connects_again_if_something_else_has_answered() -> None:
    with listen(TextMessage(data="?")) as url:
        client = Connection(url, SeatCredentials(table="AAAAAA", seat="s1", token="none"))
        threading.Thread(target=client.open, daemon=True).start()
        assert not client.wait(lambda: False, 1), "the robot gave up"
        client.close()
        client._thread.join(20)
        del client
        gc.collect()
