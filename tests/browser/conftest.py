"""Fixtures of the browser tests: a server for each module, a browser for each person, and the pages
that draw scenes."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.rules.variants.variant import Variant
from tests.browser.people import LATE, Person
from tests.panel import scenes
from tests.panel.shots import OpenScenePage, ScenePage
from tests.support.servers.server import RealServer

# Wait a long time, because a busy machine is slow. Only an element that never appears is a fault.
expect.set_options(timeout=1000 * LATE)


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


MOST_SCENE_PAGES = 4
"""The number of shared pages that stay open. Each takes about a hundred megabytes."""


@pytest.fixture(scope="session")
def shared_scene_pages() -> Iterator[list[ScenePage]]:
    """Yield the pages that draw the scenes of a variant, the one that was used last at the end.

    All tests of a process share them, because loading a page takes more than a second of processor
    time.
    """
    pages: list[ScenePage] = []
    yield pages
    for scene_page in pages:
        scene_page.context.close()


@pytest.fixture
def open_scene_page(
    chromium: Browser, shared_scene_pages: list[ScenePage]
) -> Iterator[OpenScenePage]:
    """Return a function that opens a page which draws scenes. A console error fails the test.

    There is one page for each variant, so a page that is opened again takes on the new look. A test
    that changes the page itself, for example by an initial script, opens one with ``own=True``.
    """
    own_pages: list[ScenePage] = []

    def open_page(
        size: tuple[int, int], theme: str = "light", lang: str = "en",
        variant: Variant = scenes.VARIANT, *, letters: int = 16, own: bool = False,
        scale: int = 1,
    ) -> ScenePage:  # fmt: skip
        found = [page for page in shared_scene_pages if page.variant is variant]
        if own or scale > 1 or not found:
            scene_page = ScenePage(
                chromium, size, theme, lang, variant, letters=letters, scale=scale
            )
            if own or scale > 1:
                own_pages.append(scene_page)
                return scene_page
        else:
            [scene_page] = found
            shared_scene_pages.remove(scene_page)
            scene_page.change_look(size, theme, lang, letters)
        shared_scene_pages.append(scene_page)
        return scene_page

    yield open_page
    complaints = [
        complaint
        for scene_page in [*own_pages, *shared_scene_pages]
        for complaint in scene_page.complaints
    ]
    for scene_page in [*own_pages, *shared_scene_pages[:-MOST_SCENE_PAGES]]:
        scene_page.context.close()
    del shared_scene_pages[:-MOST_SCENE_PAGES]
    for scene_page in shared_scene_pages:
        scene_page.reset()
    assert not complaints, complaints
