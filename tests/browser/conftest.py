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
    # A page that is closed while it loads a part complains about that.
    complaints = {player.name: [*player.complaints] for player in people if player.complaints}
    for player in people:
        player.context.close()
    assert not complaints, complaints


@pytest.fixture(scope="session")
def shared_scene_pages() -> Iterator[dict[str, ScenePage]]:
    """Yield the page of each family that draws scenes.

    All tests of a process share them, because loading a page takes more than a second of processor
    time.
    """
    pages: dict[str, ScenePage] = {}
    yield pages
    for scene_page in pages.values():
        scene_page.close()


@pytest.fixture
def open_scene_page(
    chromium: Browser, shared_scene_pages: dict[str, ScenePage]
) -> Iterator[OpenScenePage]:
    """Return a function that opens a page which draws scenes. A console error fails the test.

    There is one page for each family, so a page that is opened again takes on the new look and the
    new variant. The page loads the form of the house rules only once. A test that draws this form
    with more than one variant, or that changes the page itself, opens one with ``own=True``.
    """
    own_pages: list[ScenePage] = []

    def open_page(
        size: tuple[int, int], theme: str = "light", lang: str = "en",
        variant: Variant = scenes.VARIANT, *, letters: int = 16, own: bool = False,
        scale: int = 1,
    ) -> ScenePage:  # fmt: skip
        shared = shared_scene_pages.get(variant.family)
        if shared and not own and scale == 1:
            shared.change_look(size, theme, lang, letters)
            shared.change_variant(variant)
            return shared
        scene_page = ScenePage(chromium, size, theme, lang, variant, letters=letters, scale=scale)
        if own or scale > 1:
            own_pages.append(scene_page)
        else:
            shared_scene_pages[variant.family] = scene_page
        return scene_page

    yield open_page
    complaints = [
        complaint
        for scene_page in [*own_pages, *shared_scene_pages.values()]
        for complaint in scene_page.complaints
    ]
    for scene_page in own_pages:
        scene_page.close()
    for scene_page in shared_scene_pages.values():
        scene_page.reset()
    assert not complaints, complaints
