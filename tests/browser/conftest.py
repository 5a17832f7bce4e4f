"""Fixtures of the browser tests: a server for each module, and a browser for each person."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.support.servers.server import RealServer

# Wait a long time, because a busy machine is slow. Only an element that never appears is a fault.
expect.set_options(timeout=20_000)


@pytest.fixture
def person(chromium: Browser, server: RealServer) -> Iterator[Callable[..., Person]]:
    """Return a function that opens a browser for a person.

    An error in the page's console fails the test.
    """
    people: list[Person] = []

    def open_person(name: str, url: str = "", kind: type[Person] = Person, **more: Any) -> Any:
        people.append(kind(chromium, name, url or server.url, **more))
        return people[-1]

    yield open_person
    for player in people:
        player.context.close()
        assert not player.complaints, (player.name, player.complaints)
