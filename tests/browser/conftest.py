"""People at their browsers, and a server for each module."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.server import RealServer

# A busy machine is slow; what comes late is no fault, what never comes is.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Iterator[RealServer]:
    running = RealServer(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


@pytest.fixture
def person(chromium: Browser, server: RealServer) -> Iterator[Callable[..., Person]]:
    """A person with their own browser; an error in their page's console fails the test."""
    people: list[Person] = []

    def open_person(name: str, url: str = "", kind: type[Person] = Person, **more: Any) -> Any:
        people.append(kind(chromium, name, url or server.url, **more))
        return people[-1]

    yield open_person
    for one in people:
        one.context.close()
        assert not one.complaints, (one.name, one.complaints)
