"""Promises about the page itself, tested in Chromium."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.people import Person
from tests.guarantees.proxy import Proxy
from tests.support.servers.server import RealServer, wait_until
from tests.support.timed import LENIENCE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

Serve = Callable[..., RealServer]
NAUGHTY = ["<img src=x onerror=a=1>", '"><svg onload=b=1>', "{{7*7}}${7*7}",
           "'-alert(1)-'", "</script><script>c=1//", "&lt;b&gt;"]  # fmt: skip
MALFORMED = ["A\u202eB", "A\u2066B", "A\u200fB", "A\u200bB", "A\0B", "A\x1bB", "A\nB", "\ufeff",
             "A\u2028B"]  # fmt: skip
INLINE = """() => {
    const script = document.createElement("script");
    script.textContent = "window.inline = 1";
    document.body.append(script);
    return window.inline ?? null;
}"""


@pytest.mark.timed
@pytest.mark.parametrize("seconds", [1, pytest.param(300, marks=pytest.mark.repetition), 7200])
def test_11_a_page_that_slept_is_current_within_two_seconds(
    server: RealServer, proxy: Callable[[int], Proxy], chromium: Browser, seconds: int
) -> None:
    party = server.create_table("Ana", "Ben")
    bad = proxy(server.port)
    ben = Person(chromium, "Ben", bad.url)
    ben.page.clock.install()
    party.clients[1].close()
    ben.open_seat(party, 1)
    seats = ben.page.locator(".seats")
    expect(seats).to_contain_text("Ana")
    if seconds < 11:
        bad.stall()
    else:
        bad.forget()  # the server closes the connection, but the phone doesn't notice
        wait_until(lambda: "away" in party.host.presence["seats"].values())
    party.host.send_command("rename", name="Zebulon")
    ben.page.wait_for_timeout(500)
    expect(seats).not_to_contain_text("Zebulon")
    ben.page.clock.fast_forward(seconds * 1000)
    bad.mend()
    expect(seats).to_contain_text("Zebulon", timeout=2000 * LENIENCE)
    wait_until(
        lambda: "away" not in party.host.presence["seats"].values(),
        2 * LENIENCE,
    )
    ben.context.close()


def test_22_markup_in_names_cant_harm_a_page(server: RealServer, chromium: Browser) -> None:
    party = server.create_table("Ana", *NAUGHTY)
    party.host.send_command("options", roll_call=False)
    for name in MALFORMED:
        assert server.post("/api/tables", {"name": name}).error["code"] == "bad_request", name
        assert party.host.expect_refusal("rename", name=name)["facts"]["at"] == "$.name", name
    watcher = Person(chromium, "Wendy", server.url)
    messages: list[str] = []
    watcher.page.on("console", lambda message: messages.append(message.text))
    watcher.page.on("dialog", lambda dialog: messages.append(dialog.message))
    for step in ("lobby", "play"):
        if step == "play":
            party.begin().instruct()
            # otherwise only the address's fragment would change, and the browser wouldn't load the
            # page
            watcher.page.goto("about:blank")
        watcher.page.goto(f"{server.url}/t/{party.table}#claim=<script>d=1</script>")
        names = NAUGHTY if step == "lobby" else ["Ana"]
        for name in names:
            expect(watcher.page.locator("main")).to_contain_text(name)
        harm = "() => [window.a, window.b, window.c, window.d].filter((x) => x !== undefined)"
        assert watcher.page.evaluate(harm) == []
        assert not watcher.page.locator("img[src=x], svg[onload], main script").count()
    assert not [message for message in messages if "Content Security Policy" in message], messages
    assert not watcher.complaints, watcher.complaints
    watcher.context.close()


def test_23_the_pages_obey_their_policy(server: RealServer, chromium: Browser) -> None:
    party = server.create_table("Ana", "Ben").begin()
    page = chromium.new_page()
    messages: list[str] = []
    requested: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("request", lambda request: requested.append(request.url))
    for path in ("/", f"/t/{party.table}"):
        page.goto(server.url + path)
        expect(page.locator("main")).to_be_visible()
    page.wait_for_timeout(500)
    assert not [message for message in messages if "Content Security Policy" in message], messages
    assert all(url.startswith((server.url, "data:", "blob:")) for url in requested), requested
    assert page.evaluate(INLINE) is None
    page.close()


@pytest.mark.parametrize("upgrades", ["refuse", "swallow"])
def test_38_behind_a_proxy_without_websockets_the_page_polls(
    server: RealServer, proxy: Callable[[int], Proxy], chromium: Browser, upgrades: str
) -> None:
    party = server.create_table("Ana")
    old = proxy(server.port)
    old.upgrades = upgrades
    ben = Person(chromium, "Ben", f"{old.url}/t/{party.table}")
    ben.page.goto(ben.url)
    seats = ben.page.locator(".seats")
    expect(seats).to_contain_text("Ana", timeout=60_000)
    party.host.send_command("rename", name="Zebulon")
    expect(seats).to_contain_text("Zebulon", timeout=30_000)
    assert old.handshakes
    assert not ben.complaints, ben.complaints
    ben.context.close()


@pytest.mark.parametrize(
    "stripped",
    [
        pytest.param(True, id="taken off and said"),
        pytest.param(False, id="left on", marks=pytest.mark.repetition),
    ],
)
def test_39_the_panel_works_under_a_path_of_its_own(
    serve: Serve, proxy: Callable[[int], Proxy], chromium: Browser, stripped: bool
) -> None:
    settings = {"COMPANION_TRUST_PROXY": "1"} if stripped else {"COMPANION_PREFIX": "/hiss/"}
    server = serve(**settings)
    front = proxy(server.port)
    front.prefix = "/hiss" if stripped else ""
    home = f"{front.url}/hiss/"
    ana = Person(chromium, "Ana", home, service_workers="allow")
    requested: list[str] = []
    ana.page.on("request", lambda request: requested.append(request.url))
    ana.page.on(
        "websocket", lambda connection: requested.append(connection.url.replace("ws:", "http:"))
    )
    code = ana.create_table()
    assert ana.page.url == f"{home}t/{code}"
    ana.page.wait_for_function("navigator.serviceWorker.ready")
    scope = ana.page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")
    assert scope == home
    ana.page.click(".seats li.me button")
    ana.page.click("[data-do=claim]")
    qr_code = ana.page.locator(".claim img.qr")
    expect(qr_code).to_be_visible()
    assert qr_code.evaluate("(one) => one.decode().then(() => one.naturalWidth)") > 0
    # Without the page's local storage, the cookie still opens the seat.
    [cookie] = ana.context.cookies()
    assert cookie["path"] == "/hiss/"
    ana.page.evaluate("localStorage.clear()")
    ana.page.reload()
    ana.page.click("[data-do=mine]")
    expect(ana.page.locator(".seats li.me")).to_contain_text("Ana")
    outside = [url for url in requested if url.startswith("http") and not url.startswith(home)]
    assert not outside, outside
    assert any("/hiss/socket.io/" in url for url in requested)
    assert not ana.complaints, ana.complaints
    ana.context.close()


@pytest.mark.parametrize(
    ("locale", "question"),
    [
        ("en-GB", "This browser has Ben’s seat"),
        pytest.param("it-IT", "Questo browser ha il posto di Ben", marks=pytest.mark.repetition),
    ],
)
def test_165_the_page_asks_once_whether_a_cookies_seat_is_the_viewers(
    server: RealServer, chromium: Browser, locale: str, question: str
) -> None:
    party = server.create_table("Ana", "Ben")
    eve = Person(chromium, "Eve", server.url, locale=locale)
    cookie = {"name": f"companion_{party.table}", "value": party.tokens[1], "url": server.url}
    eve.context.add_cookies([cookie])
    eve.page.goto(f"{server.url}/t/{party.table}")
    expect(eve.page.locator("h1")).to_contain_text(question)
    expect(eve.page.locator(".seats")).to_have_count(0)
    eve.page.click("[data-do=not-mine]")
    # the viewer can join as somebody else
    expect(eve.page.locator(".join [name=name]")).to_be_visible()
    eve.page.reload()
    eve.page.fill(".join [name=name]", "Eve")
    eve.page.click(".join .main")
    expect(eve.page.locator(".seats li.me")).to_contain_text("Eve")
    # Ben's browser has only the cookie of his seat, so the page asks him once whether the seat is
    # his.
    ben = Person(chromium, "Ben", server.url, locale=locale)
    ben.context.add_cookies([cookie])
    ben.page.goto(f"{server.url}/t/{party.table}")
    ben.page.click("[data-do=mine]")
    expect(ben.page.locator(".seats li.me")).to_contain_text("Ben")
    ben.page.reload()
    expect(ben.page.locator(".seats li.me")).to_contain_text("Ben")
    for person in (eve, ben):
        assert not person.complaints, person.complaints
        person.context.close()


def test_47_a_page_that_retries_takes_one_seat(server: RealServer, chromium: Browser) -> None:
    party = server.create_table("Ana")
    ben = Person(chromium, "Ben", server.url)
    keys: list[str] = []

    def lose_the_answer(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:  # the server took the seat, but its answer is lost
            assert route.fetch().status == 201
            route.abort("connectionreset")
        else:
            route.continue_()

    ben.page.route("**/seats", lose_the_answer)
    ben.page.goto(f"{server.url}/t/{party.table}")
    ben.page.fill(".join [name=name]", "Ben")
    ben.page.click(".join .main")
    expect(ben.page.locator(".seats li.me")).to_contain_text("Ben", timeout=20_000)
    assert len(keys) == 2 and len(set(keys)) == 1
    assert [seat["name"] for seat in party.host.view["seats"]] == ["Ana", "Ben"]
    ben.context.close()
