"""Names on the page: which look the same, and which way sentences run."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

from playwright.sync_api import expect

from tests.browser.people import Person
from tests.server import RealServer

Serve = Callable[..., RealServer]


def test_the_lobby_tells_the_host_of_names_that_look_the_same(
    serve: Serve, person: Callable[..., Person]
) -> None:
    """A table from before the ruling: names that look the same are given no more."""
    first = serve()
    ana = person("Ana", first.url)
    code = ana.makes_a_table()
    first.post(f"/api/tables/{code}/seats", {"name": "Bo"})
    first.stop()
    with closing(sqlite3.connect(first.database)) as database, database:
        database.execute("""UPDATE events SET body = replace(body, '"Bo"', '"Аna"')""")
    second = serve()
    ana.page.goto(f"{second.url}/t/{code}")
    ana.page.get_by_role("button", name="Yes, I’m Ana").click()
    expect(ana.page.locator("[data-alike]")).to_have_text(
        "Ana and Аna look the same. Tap one of them and pick a name that nobody can mix up."
    )
    ben = person("Ben", second.url)
    ben.page.goto(f"{second.url}/t/{code}")
    expect(ben.page.locator(".seats li")).to_have_count(2)
    expect(ben.page.locator("[data-alike]")).to_have_count(0)
    ana.page.locator(".seats .token").last.click()
    ana.page.fill(".sheet [name=name]", "Anja")
    ana.page.locator(".sheet [name=name]").press("Enter")
    expect(ana.page.locator("[data-alike]")).to_have_count(0)
