"""A player who looks at another page is alerted when it is their turn."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.support.chromium import ARGUMENTS, find_chromium, wait_for_truth
from tests.support.servers.server import RealServer, wait_until

pytestmark = pytest.mark.browser

EYES = """
Object.defineProperty(Document.prototype, "hidden", { get: () => !!window.elsewhere });
window.look = (elsewhere) => {
  window.elsewhere = elsewhere;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""In tests, Chromium treats every page as visible. With this script, ``look()`` sets whether
the player is looking at another page."""

TOLD = """() => navigator.serviceWorker.ready
  .then((worker) => worker.getNotifications())
  .then((all) => all.map(({ title, body }) => `${title} | ${body}`))"""


ENABLE_ALERTS = "localStorage.setItem('hiss.prefs', JSON.stringify({ call: true }));"
"""Switches on the panel's notifications, as if the player had accepted them before."""

SLOW_FIRST = """
window.finished = [];
const { showNotification } = ServiceWorkerRegistration.prototype;
window.calls = 0;
ServiceWorkerRegistration.prototype.showNotification = async function (...of) {
  const call = calls++;
  if (!call) await new Promise((resume) => setTimeout(resume, 3000));
  await showNotification.apply(this, of);
  finished.push(call);
};
"""
"""With this script, the browser takes three seconds longer to show the page's first notification
than the later ones, as it may if it has to load the icon first."""


@pytest.fixture(scope="module")
def chromium(chromium: Browser) -> Iterator[Browser]:
    """Start a complete browser, because the headless shell has no notifications."""
    whole = chromium.browser_type.launch(executable_path=find_chromium(whole=True), args=ARGUMENTS)
    yield whole
    whole.close()


def test_a_player_who_looks_elsewhere_is_called_to_their_turn(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo").begin().instruct()
    ana, _, _ = party.clients
    ben = person("Ben", service_workers="allow")
    ben.page.add_init_script(EYES)
    ben.open_seat(party, 1)
    ben.expect_headline("Ana")

    ben.page.evaluate("look(true)")
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    ana.send_command("instruct", cell=[0, 0])
    expect(ben.page).to_have_title("Your move! · Hiss")
    expect(ben.page.locator("link[rel=icon]")).to_have_attribute(
        "href", "/static/art/icon-turn.svg"
    )
    ask_button = ben.page.locator("[data-do=call]")
    expect(ask_button).to_be_visible()
    assert ben.page.evaluate(TOLD) == [], "nobody was asked for that before"
    ben.page.evaluate("look(false)")
    ben.context.grant_permissions(["notifications"], origin=server.url)
    ask_button.click()
    expect(ask_button).to_have_count(0)

    ben.page.evaluate("look(true)")
    for_ben = {"as": party.seats[1]}
    ana.send_command("draw", cell=[0, 0], **for_ben)
    ana.send_command("report", outcome="safe", **for_ben)
    expect(ben.page.locator(".now h1")).to_contain_text("Tell Cleo which card to draw.")
    wanted = ["Your move! · Hiss | Tell Cleo which card to draw."]
    wait_until(lambda: ben.page.evaluate(TOLD) == wanted)
    ben.page.evaluate("look(false)")
    ben.page.wait_for_function(f"async () => !(await ({TOLD})()).length")

    ben.page.get_by_label("Menu").click()
    expect(ben.page.locator("input[name=call]")).to_be_checked()


def test_the_last_notification_stays_if_the_browser_shows_the_one_before_more_slowly(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo").begin().instruct()
    ana, _, _ = party.clients
    ben = person("Ben", service_workers="allow")
    ben.context.grant_permissions(["notifications"], origin=server.url)
    ben.page.add_init_script(f"{ENABLE_ALERTS} {EYES} {SLOW_FIRST}")
    ben.open_seat(party, 1)
    ben.expect_headline("Ana")
    ben.page.evaluate("navigator.serviceWorker.ready")

    ben.page.evaluate("look(true)")
    for_ben = {"as": party.seats[1]}
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    ana.send_command("instruct", cell=[0, 0])
    wait_for_truth(ben.page, "calls === 1")
    ana.send_command("draw", cell=[0, 0], **for_ben)
    ana.send_command("report", outcome="safe", **for_ben)
    expect(ben.page.locator(".now h1")).to_contain_text("Tell Cleo which card to draw.")
    wait_for_truth(ben.page, "finished.length > 1 && finished.includes(0)")
    assert ben.page.evaluate(TOLD) == ["Your move! · Hiss | Tell Cleo which card to draw."]


TAP_NOTIFICATION = """async (path) => {
  await registration.showNotification("Your move!", { data: path });
  const [notification] = await registration.getNotifications();
  const tap = new Event("notificationclick");
  const done = [];
  Object.assign(tap, { notification, waitUntil: (work) => done.push(work) });
  const opened = [];
  clients.openWindow = async (address) => opened.push(address);
  WindowClient.prototype.focus = async function () {
    opened.push(`focus ${new URL(this.url).pathname}`);
  };
  dispatchEvent(tap);
  await Promise.all(done);
  return [opened, (await registration.getNotifications()).length];
}"""
"""Taps a notification of the table with this path. Returns the windows that were opened or focused,
and the number of remaining notifications.

A browser opens and focuses windows only after a real tap, and a test can't tap a notification.
"""


def test_a_tap_on_a_notification_opens_the_table_if_its_page_is_gone(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben")
    path = f"/t/{party.table}"
    ben = person("Ben", service_workers="allow")
    ben.context.grant_permissions(["notifications"], origin=server.url)
    ben.page.goto(f"{server.url}{path}")
    ben.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    wait_for_truth(ben.page, "navigator.serviceWorker.controller !== null")
    [worker] = ben.context.service_workers
    assert worker.evaluate(TAP_NOTIFICATION, path) == [[f"focus {path}"], 0]
    ben.page.goto(server.url)
    assert worker.evaluate(TAP_NOTIFICATION, path) == [[path], 0]
