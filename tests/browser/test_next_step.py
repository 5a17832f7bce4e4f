"""Before a game, few taps are needed, and the next step is in the first screenful."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, open_lobby, open_preparation
from tests.panel import scenes
from tests.panel.shots import SIZES, OpenScenePage
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

STEPS = {
    "lobby-alone": "[data-do=share]",
    "lobby-only-here": "[data-do=invite]",
    "lobby-host": "[data-say=prepare]",
    "lobby-ten": "[data-say=prepare]",
    "lobby-spectator": ".join .main",
    "door-open": ".join .main",
    "door-next": ".join .main",
    "setup-host": ".leafing button:visible",
    "setup-all-ready": "[data-say=begin-lot]",
    "setup-device": "[data-say=ready]",
    "roll-call-caller": "[data-say^=call-]",
    "back-agree": "[data-say=agree]",
    "over-host": "[data-say=rematch]",
}
"""The selector of the viewer's next step in each scene."""

AMBER = "rgb(255, 181, 46)"


class Thumb(Person):
    """A person whose taps are counted."""

    taps_so_far = 0

    def tap_and_count(self, button: str) -> None:
        self.taps_so_far += 1
        where = self.page.locator(button)
        expect(where).to_be_in_viewport(ratio=1)
        where.click()


@pytest.mark.parametrize(
    ("size", "lang"),
    [
        (SIZES[0], "it"),
        (SIZES[1], "en"),
        pytest.param(SIZES[0], "en", marks=pytest.mark.repetition),
        pytest.param(SIZES[1], "it", marks=pytest.mark.repetition),
        (SIZES[2], "en"),
        pytest.param(SIZES[3], "en", marks=pytest.mark.repetition),
    ],
)
def test_the_next_step_is_orange_and_in_the_first_screenful(
    open_scene_page: OpenScenePage, size: tuple[int, int], lang: str
) -> None:
    scene_page = open_scene_page(size, lang=lang)
    # a scene with "access" loads the page again, so it comes last
    for name in sorted(STEPS, key=lambda name: bool(scenes.scene(name)["panel"].get("access"))):
        button = scene_page.show(name).locator(STEPS[name]).first
        expect(button).to_be_in_viewport(ratio=1)
        if not name.startswith("roll-call"):
            expect(button).to_have_css("background-color", AMBER)


def test_a_player_who_does_not_wait_for_you_is_no_button(open_scene_page: OpenScenePage) -> None:
    scene_page = open_scene_page(SIZES[0])
    guest = scene_page.show("setup-guest")
    expect(guest.locator(".people [data-say]")).to_have_count(0)
    assert guest.locator("main .press.main:visible").count() == 1
    waits = scene_page.show("setup-all-ready-guest").locator(".foot")
    expect(waits).to_contain_text("Ana picks who goes first.")
    expect(guest.locator("main h1")).to_have_text("Everybody’s ready")
    expect(waits.locator(".main")).to_have_count(0)


def test_from_the_start_page_to_a_link_to_send_it_takes_two_taps(
    person: Callable[..., Thumb], serve: Callable[..., RealServer]
) -> None:
    server = serve(COMPANION_HOST="0.0.0.0")
    origin = server.get("/api/address").json["origin"]
    if origin is None:
        pytest.skip("this machine has no network, so there is no link to send")
    ana = person("Ana", server.url, kind=Thumb)
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.page.goto(ana.url)
    ana.page.locator("form [name=name]").first.fill("Ana")
    ana.page.keyboard.press("Tab")
    ana.page.locator("form .main").first.scroll_into_view_if_needed()
    ana.tap_and_count("form .main")
    ana.page.wait_for_url("**/t/*")
    ana.tap_and_count("[data-do=share]")
    expect(ana.page.locator("[data-do=share]")).to_contain_text("copied")
    assert ana.taps_so_far == 2
    code = ana.page.url.rsplit("/", 1)[1]
    assert ana.page.evaluate("navigator.clipboard.readText()") == f"{origin}/t/{code}"


def test_invite_friends_explains_to_the_host_how_to_let_them_in(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    ben = person("Ben")
    code = open_lobby(server, [ana]).table
    ben.page.goto(f"{server.url}/t/{code}")
    ben.page.fill(".join [name=name]", "Ben")
    ben.page.click(".join .main")
    expect(ben.page.locator(".invite [data-code]")).to_have_text(code)
    expect(ana.page.locator(".only-here")).to_have_count(0)
    ana.page.click("[data-do=invite]")
    expect(ana.page.locator(".sheet .only-here")).to_contain_text("companion --host 0.0.0.0")
    expect(ben.page.locator(".only-here, [data-do=invite]")).to_have_count(0)


def test_from_a_link_to_a_seat_it_takes_one_field_and_one_tap(
    person: Callable[..., Thumb], server: RealServer
) -> None:
    code = server.create_table("Ana").table
    ben = person("Ben", kind=Thumb)
    ben.page.goto(f"{server.url}/t/{code}")
    expect(ben.page.locator("h1")).to_have_text("Ana invites you")
    expect(ben.page.locator(".only-here, [data-code]")).to_have_count(0)
    ben.page.fill(".join [name=name]", "Ben")
    ben.tap_and_count(".join .main")
    expect(ben.page.locator(".seats li.me")).to_contain_text("Ben")
    assert ben.taps_so_far == 1


def test_a_refused_name_is_explained_at_its_field_with_one_that_would_do(
    person: Callable[..., Person], server: RealServer
) -> None:
    code = server.create_table("Ana").table
    ben = person("Ben")
    ben.page.goto(f"{server.url}/t/{code}")
    field = ben.page.locator(".join [name=name]")
    error = ben.page.locator(".join .wrong")
    ben.page.click(".join .main")
    expect(error).to_contain_text("First a name")
    field.fill("ana")
    ben.page.click(".join .main")
    expect(error).to_contain_text("too close to Ana")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("x" * 24)
    expect(ben.page.locator(".join .full")).to_be_visible()
    field.fill("ana")
    ben.page.click(".join .field button")
    expect(field).to_have_value("ana 2")
    ben.page.click(".join .main")
    expect(ben.page.locator(".seats li.me")).to_contain_text("ana 2")


def test_a_name_has_room_for_24_characters_as_a_person_counts_them(
    person: Callable[..., Person], server: RealServer
) -> None:
    """The field accepts the longest names that the server accepts, and never splits a character."""
    thumb = "👍🏽"
    family = "👨\u200d👩\u200d👧\u200d👦"
    ben = person("Ben")
    for typed, expected in ((thumb * 30, thumb * 24), (family * 20, family * 14)):
        ben.page.goto(f"{server.url}/t/{server.create_table('Ana').table}")
        ben.page.fill(".join [name=name]", typed)
        expect(ben.page.locator(".join [name=name]")).to_have_value(expected)
        ben.page.click(".join .main")
        expect(ben.page.locator(".seats li.me")).to_contain_text(expected)


FIRST_STEPS = """() => {
  globalThis.firstSteps = null;
  new MutationObserver(() => {
    if (firstSteps === null && document.querySelector(".steps"))
      firstSteps = document.querySelectorAll(".setup .deck-choice").length;
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Stores in ``firstSteps`` how many deck choices the page shows when the steps first appear."""


def test_the_preparation_is_tapped_through_and_has_a_device_deck_in_its_first_drawing(
    person: Callable[..., Thumb], server: RealServer
) -> None:
    ana = person("Ana", kind=Thumb)
    open_lobby(server, [ana, "Ben"])
    ana.page.evaluate(FIRST_STEPS)
    ana.give_command("prepare")
    steps = ana.page.locator(".steps > li")
    expect(steps).to_have_count(6)
    assert ana.page.evaluate("firstSteps") == 1
    for at in range(5):
        expect(steps.nth(at)).to_be_in_viewport(ratio=0.6)
        ana.tap_and_count("[data-do=next]")
        expect(steps.nth(at + 1).locator("h2")).to_be_in_viewport(ratio=0.9)
    expect(ana.page.locator("[data-do=next]")).to_have_count(0)
    expect(steps.nth(5)).to_contain_text("Camera check, if you like")
    ana.tap_and_count("[data-do=previous]")
    expect(steps.nth(4).locator("h2")).to_be_in_viewport(ratio=0.9)
    ana.tap_and_count("[data-do=next]")
    expect(ana.page.locator("[data-say=ready]")).to_have_text("I’m done")
    ana.tap_and_count("[data-say=ready]")
    expect(ana.page.locator(".foot")).to_contain_text("Still preparing: Ben")


def test_steps_that_are_shown_again_begin_with_the_first(
    person: Callable[..., Thumb], server: RealServer
) -> None:
    ana = person("Ana", kind=Thumb)
    open_preparation(server, [ana, "Ben"])
    steps = ana.page.locator(".steps > li")
    leafing = ana.page.locator(".leafing")
    device = ana.page.locator('[data-deck="device"]')

    def go_to_third_step() -> None:
        for at in range(2):
            ana.tap_and_count("[data-do=next]")
            expect(steps.nth(at + 1).locator("h2")).to_be_in_viewport(ratio=0.9)
        expect(leafing.locator("[data-do=next]")).to_have_text("Next: 3 of 6")

    def expect_first_step() -> None:
        expect(leafing.locator("[data-do=next]")).to_have_text("Next: 1 of 6")
        expect(leafing.locator("[data-do=previous]")).to_have_count(0)

    go_to_third_step()
    device.click()
    expect(steps).to_have_count(1)
    expect(leafing.locator("[data-do=previous]")).to_have_count(0)
    device.click()
    expect(steps).to_have_count(6)
    expect_first_step()
    go_to_third_step()
    ana.give_command("ready")
    ana.give_command("unready")
    expect_first_step()


def test_the_preparation_says_who_is_ready_and_who_is_away(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    party = open_preparation(server, [ana, "Ben", "Cleo"])
    _, ben, cleo = party.clients
    title = ana.page.locator("main h1")
    news = ana.page.locator(".foot .news")
    expect(title).to_have_text("Prepare your cards")
    ben.send_command("ready", ready=True)
    expect(news).to_have_text("Ben is ready.")
    expect(news).to_be_in_viewport(ratio=1)
    ana.give_command("ready")
    expect(title).to_have_text("You’re ready")
    cleo.send_command("ready", ready=True)
    expect(title).to_have_text("Everybody’s ready")
    cleo.close()
    expect(news).to_contain_text("Cleo is away.")
    expect(ana.page.locator(f'.people [data-seat="{party.seats[2]}"] .away')).to_have_text("away")


def test_the_pictures_of_the_preparation_fill_their_step(open_scene_page: OpenScenePage) -> None:
    for size in SIZES[:3]:
        page = open_scene_page(size).show("setup-guest")
        bands = page.evaluate(EMPTY_BANDS)
        assert len(bands) == 6 and max(bands) <= 16, (size, bands)


EMPTY_BANDS = """() => [...document.querySelectorAll(".steps > li")].map((step) => {
  const bottom = (el) => el.getBoundingClientRect().bottom;
  const padding = parseFloat(getComputedStyle(step).paddingBottom);
  return bottom(step) - padding - bottom(step.lastElementChild);
})"""
"""Returns, for each step, the height in px between its last part and its lower edge."""


def test_the_player_whose_camera_is_checked_is_notified(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana, ben = person("Ana"), person("Ben")
    party = open_preparation(server, [ana, ben, "Cleo"])
    ana.page.locator(f'.cameras [data-camera="{ben.seat}"]').click()
    notice = ben.page.locator(".foot .looked-at")
    expect(notice).to_have_text("Ana is checking your camera. Touch your top-left card.")
    expect(notice).to_be_in_viewport(ratio=1)
    expect(ben.page.locator("[data-do=next]")).to_be_in_viewport(ratio=1)
    expect(ana.page.locator(".looked-at")).to_have_count(0)
    ana.page.click("[data-corner=bottom-left]")
    ana.page.keyboard.press("Escape")
    expect(notice).to_have_count(0)
    assert not party.clients[2].get_received("sign")
