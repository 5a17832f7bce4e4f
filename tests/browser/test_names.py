"""Tests for names that look the same, and for names written from right to left."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

from playwright.sync_api import expect

from tests.browser.people import Person
from tests.support.servers.server import RealServer

Serve = Callable[..., RealServer]


def test_the_lobby_warns_the_host_of_names_that_look_the_same(
    serve: Serve, person: Callable[..., Person]
) -> None:
    """Only tables that are older than ruling unique-names have such names, so the test writes them
    into the database."""
    server = serve()
    party = server.create_table("Ana", "Bo")
    server.stop()
    with closing(sqlite3.connect(server.database)) as database, database:
        database.execute("""UPDATE events SET body = replace(body, '"Bo"', '"Аna"')""")
    server.start()
    ana = person("Ana", server.url)
    ana.open_seat(party, 0)
    expect(ana.page.locator("[data-alike]")).to_have_text(
        "Ana and Аna look the same. Tap one of them and pick a name that nobody can mix up."
    )
    ben = person("Ben", server.url)
    ben.page.goto(f"{server.url}/t/{party.table}")
    expect(ben.page.locator(".seats li")).to_have_count(2)
    expect(ben.page.locator("[data-alike]")).to_have_count(0)
    ana.page.locator(".seats .token").last.click()
    ana.page.fill(".sheet [name=name]", "Anja")
    ana.page.locator(".sheet [name=name]").press("Enter")
    expect(ana.page.locator("[data-alike]")).to_have_count(0)


ORDER = """([lines, name]) => [...document.querySelectorAll(lines)].flatMap((line) => {
    const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), found = [];
    const box = (node, at, length) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + length);
        return range.getBoundingClientRect();
    };
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const at = node.data.indexOf(name);
        const next = at < 0 ? null : /[a-z]+/.exec(node.data.slice(at));
        if (next) found.push([
            node.data,
            box(node, at, name.length).right <= box(node, at + next.index, next[0].length).left,
        ]);
    }
    return found;
})"""
"""Returns each sentence with the name in it, and true if the next word stands to the right of the
name."""


def test_a_name_from_right_to_left_turns_no_sentence_round(
    server: RealServer, person: Callable[..., Person]
) -> None:
    party = server.create_table("דוד", "Ana", "Ben").begin()
    spectator = person("Cleo", viewport={"width": 1200, "height": 900})
    spectator.page.goto(f"{server.url}/t/{party.table}")
    expect(spectator.page.locator(".log li").first).to_contain_text("דוד")
    sentences = spectator.page.evaluate(ORDER, [".log li", "דוד"])
    assert len(sentences) == 5 and all(right for _, right in sentences), sentences
