"""Tests for the scenes: the short moving pictures of what has just happened at a table."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import open_pages
from tests.browser.test_device_decks import LOOK, Holder
from tests.support.chromium import wait_for_truth
from tests.support.servers.server import Client, Party, RealServer
from tests.support.timed import limit_seconds

pytestmark = pytest.mark.browser

MOVING = {"reduced_motion": "no-preference"}
READ_MS = 800
"""The shortest time for which a player must see the face of a drawn card."""

RECORD = """
window.scenes = [];
const watch = () => {
  const layer = document.querySelector(".scene");
  const now = performance.now();
  if (layer) {
    const kind = layer.dataset.scene;
    let scene = window.scenes.at(-1);
    if (scene?.layer !== layer) {
      scene = { layer, kind, began: now, faceFrom: 0, faceUntil: 0, html: "" };
      window.scenes.push(scene);
    }
    scene.until = now;
    scene.covers = layer.matches(".scene-covers");
    scene.html = layer.innerHTML;
    scene.text = layer.textContent;
    scene.colours = [".scene-words", ".scene-shade"].map((part) => {
      const drawn = layer.querySelector(part);
      const style = drawn && getComputedStyle(drawn);
      return style?.[part === ".scene-words" ? "color" : "backgroundColor"];
    });
    const sigh = layer.querySelector(".scene-sigh");
    if (sigh) {
      const { offsetTop: top, offsetHeight: height } = sigh;
      scene.hides ??= [...document.querySelectorAll(".now, .dock")].filter((el) => {
        const box = el.getBoundingClientRect();
        return box.height && box.top < top + height - 1 && box.bottom > top + 1;
      }).map((el) => el.className);
    }
    scene.suspense = layer.querySelector(".scene-card")?.style.getPropertyValue("--turns");
    scene.moves = layer.getAnimations({ subtree: true }).length;
    const chosen = layer.querySelector(".scene-chosen")?.getBoundingClientRect();
    scene.offCentre = chosen ? chosen.x + chosen.width / 2 - innerWidth / 2 : null;
    scene.stops = layer.querySelector("[data-stops]")?.dataset.stops;
    const face = layer.querySelector(".scene-face");
    const turn = face && getComputedStyle(face.parentElement).transform;
    if (turn && new DOMMatrix(turn).m11 < -0.7 && face.getBoundingClientRect().width > 90) {
      scene.faceFrom ||= now;
      scene.faceUntil = now;
    }
  }
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
"""
"""Records each scene that the page shows, with the time in which the card's face is large.

Of a sigh, it also records the sentence and the buttons that the sigh lies over."""

ABLE_NUMBER = """() => {
  const cells = [...document.querySelectorAll(".stage .grid.large .cell")];
  return cells.findIndex((cell) => cell.matches(".able")) + 1;
}"""
"""Returns the number of the first cell that can be tapped. The first cell of all is empty once its
card has been drawn."""

IS_GONE = "() => !document.querySelector('.scene')"

CAN_PLAY = r"""performance.getEntriesByType("resource")
  .filter(({ name, responseEnd }) => /scenes[^/]*\.(js|css)/.test(name) && responseEnd)
  .length >= 3"""
"""True once the modules and the styles of the scenes have arrived. The page loads them a second
after it was first drawn."""

SCENES = "() => window.scenes.map(({ layer, ...scene }) => scene)"


class Watcher(Holder):
    """A person whose page records its scenes."""

    def __init__(self, *args: Any, **context: Any) -> None:
        super().__init__(*args, **context)
        self.context.add_init_script(RECORD)

    @property
    def scenes(self) -> list[dict[str, Any]]:
        return list(self.page.evaluate(SCENES))

    def wait_for_scene(self, *kinds: str) -> dict[str, Any]:
        """Wait until the page shows one of these scenes. Returns the scene."""
        wait_for_truth(self.page, f"window.scenes.some(({{ kind }}) => {[*kinds]}.includes(kind))")
        return next(one for one in self.scenes if one["kind"] in kinds)

    def find_scene(self, kind: str) -> dict[str, Any]:
        """Return the last scene of this kind."""
        return [one for one in self.scenes if one["kind"] == kind][-1]

    def wait_for_end(self) -> None:
        wait_for_truth(self.page, "!document.querySelector('.scene')")

    def forget_scenes(self) -> None:
        self.wait_for_end()
        self.page.evaluate("() => { window.scenes = []; }")


def sit_down(
    server: RealServer,
    watcher: Watcher,
    *others: str,
    device: bool = True,
    **more: Any,
) -> Party:
    """Begin a game in which the watcher sits at a table whose other players have no page.

    The watcher is the last to sit down and the first player.
    """
    players = [*others, watcher.name]
    party = server.create_table(*players, options={"nope_seconds": 30}, **more)
    party.host.send_command("prepare")
    open_pages(party, [*others, watcher])
    if device:
        watcher.choose_device_deck()
    watcher.give_command("ready")
    for seat in party.seats[:-1]:
        party.host.send_command("ready", **{"as": seat, "ready": True})
    party.host.wait(lambda: all(seat["ready"] for seat in party.host.view["seats"]))
    wait_for_truth(watcher.page, CAN_PLAY)
    party.host.send_command("begin", first=watcher.seat)
    return party


def wait_for_step(host: Client, step: str, seat: str) -> Any:
    """Wait until it is this seat's turn, at this step. Returns the view."""

    def has_reached_step() -> bool:
        turn = host.view["turn"]
        return bool(turn and turn["step"] == step and turn["seat"] == seat)

    host.wait(has_reached_step)
    return host.view


def list_cells(view: Any, seat: str) -> list[list[int]]:
    rows = next(one["grid"] for one in view["seats"] if one["seat"] == seat)
    return [[r, c] for r, row in enumerate(rows) for c, face in enumerate(row) if face]


def instruct_watcher(party: Party, watcher: Watcher, nth: int = 0) -> tuple[int, int]:
    """Let the other player instruct the watcher, and return the cell."""
    view = wait_for_step(party.host, "tell", watcher.seat)
    row, column = list_cells(view, watcher.seat)[nth]
    party.host.send_command("instruct", **{"as": view["turn"]["instructor"], "cell": [row, column]})
    return row, column


def take_others_turn(party: Party, watcher: Watcher) -> None:
    """Let the watcher instruct the other player, who draws a safe card."""
    other = party.seats[0]
    wait_for_step(party.host, "tell", other)
    watcher.page.locator(f'.stage [data-grid="{other}"] .able').first.click()
    wait_for_step(party.host, "act", other)
    told = party.host.view["turn"]["told"]
    party.host.send_command("draw", **{"as": other, "cell": told})
    party.host.send_command("report", **{"as": other, "outcome": "safe"})


def hide_far_away(party: Party, watcher: Watcher) -> None:
    """Hide the watcher's Kitten in the cell that they will be instructed to draw last."""
    row, column = list_cells(party.host.view, watcher.seat)[-1]
    watcher.hide_kitten((row, column))


def draw_safely(party: Party, watcher: Watcher) -> dict[str, Any]:
    """Let the watcher draw until a card is safe. Returns that scene, as soon as it has begun."""
    while True:
        cell = instruct_watcher(party, watcher)
        watcher.find_cell(watcher, cell).click()
        scene = watcher.wait_for_scene("draw", "kitten")
        if scene["kind"] == "draw":
            return scene
        hide_far_away(party, watcher)
        take_others_turn(party, watcher)
        watcher.forget_scenes()


def test_190_a_dealt_card_is_seen_for_long_enough_and_is_marked_as_new(
    person: Callable[..., Any], server: RealServer
) -> None:
    cleo = person("Cleo", kind=Watcher, **MOVING)
    party = sit_down(server, cleo, "Ana")
    wait_for_step(party.host, "tell", cleo.seat)
    cleo.read_hand()
    cleo.forget_scenes()
    draw_safely(party, cleo)
    cleo.wait_for_end()
    scene = cleo.find_scene("draw")
    assert scene["faceUntil"] - scene["faceFrom"] >= READ_MS, scene
    assert scene["suspense"] == "800ms", "the card turns over after this time"
    new = cleo.page.locator(".kept .is-new")
    expect(new).to_have_count(1)
    assert "New in your hand" in scene["text"]
    cleo.page.locator(".now").click()
    expect(new).to_have_count(0)


def test_191_a_command_during_a_scene_is_taken_at_once_and_an_old_scene_is_never_shown(
    person: Callable[..., Any], server: RealServer
) -> None:
    cleo = person("Cleo", kind=Watcher, **MOVING)
    party = sit_down(server, cleo, "Ana")
    wait_for_step(party.host, "tell", cleo.seat)
    cleo.forget_scenes()
    draw_safely(party, cleo)
    other = party.seats[0]
    wait_for_step(party.host, "tell", other)
    # the page can receive the new step later than the host's client
    cleo.page.locator(f'.stage [data-grid="{other}"] .able').first.wait_for(state="attached")
    number = cleo.page.evaluate(ABLE_NUMBER)
    with limit_seconds(0.5):
        cleo.page.keyboard.press(str(number))
        wait_for_step(party.host, "act", other)
    scene = cleo.find_scene("draw")
    assert scene["faceUntil"] == 0 or scene["until"] - scene["began"] < 2900, scene
    cleo.page.reload()
    wait_for_truth(cleo.page, CAN_PLAY)
    party.host.send_command("undo", version=party.host.view["version"])
    wait_for_step(party.host, "tell", other)
    expect(cleo.page.locator(".stage .able").first).to_be_visible()
    assert not cleo.scenes


def test_191_the_first_change_after_a_reload_is_a_scene_too(
    person: Callable[..., Any], server: RealServer
) -> None:
    cleo = person("Cleo", kind=Watcher)
    party = sit_down(server, cleo, "Ana")
    wait_for_step(party.host, "tell", cleo.seat)
    cell = instruct_watcher(party, cleo)
    wait_for_step(party.host, "act", cleo.seat)
    cleo.page.reload()
    wait_for_truth(cleo.page, CAN_PLAY)
    cleo.find_cell(cleo, cell).click()
    cleo.wait_for_scene("draw", "kitten")


def test_190_a_covered_card_stays_face_down_until_its_player_turns_it_over(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The page prefers reduced motion, so each scene is one still picture. A key ends it."""
    cleo = person("Cleo", kind=Watcher)
    party = sit_down(server, cleo, "Ana")
    wait_for_step(party.host, "tell", cleo.seat)
    cleo.forget_scenes()
    draw_safely(party, cleo)
    assert "scene-face" not in cleo.find_scene("draw")["html"]
    cleo.page.keyboard.press("Enter")
    cleo.wait_for_end()
    take_others_turn(party, cleo)
    cleo.read_hand()
    cleo.page.emulate_media(forced_colors="active")
    cleo.forget_scenes()
    draw_safely(party, cleo)
    wait_for_truth(cleo.page, "window.scenes.at(-1).faceFrom > 0")
    assert "New in your hand" in cleo.page.locator("#says").text_content(), cleo.scenes
    expect_still_picture(cleo.scenes[-1])
    cleo.page.keyboard.press(" ")
    assert cleo.page.evaluate(IS_GONE)


def expect_still_picture(scene: dict[str, Any]) -> None:
    """Check that nothing of a scene moves, and that it can be read with forced colours."""
    assert not scene["moves"]
    words, shade = scene["colours"]
    assert shade.startswith("rgb("), "the table is seen through the scene"
    assert words != shade


def test_190_a_safe_card_makes_all_sigh_and_a_kitten_turns_over_for_all(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The players have real cards. Scenes with device decks are tested above."""
    cleo = person("Cleo", kind=Watcher, viewport={"width": 320, "height": 490}, **MOVING)
    party = sit_down(server, cleo, "Ana", device=False)
    wait_for_step(party.host, "tell", cleo.seat)
    cleo.forget_scenes()
    cell = instruct_watcher(party, cleo)
    cleo.tap_cell(cleo, cell)
    cleo.give_command("safe")
    scene = cleo.wait_for_scene("phew")
    assert not scene["covers"]
    wait_for_truth(cleo.page, "window.scenes.some(({ text }) => text.includes('Cleo'))")
    assert cleo.find_scene("phew")["hides"] == []
    other = party.seats[0]
    cleo.page.locator(f'.stage [data-grid="{other}"] .able').first.click()
    told = wait_for_step(party.host, "act", other)["turn"]["told"]
    cleo.forget_scenes()
    party.host.send_command("draw", **{"as": other, "cell": told})
    party.host.send_command("report", **{"as": other, "outcome": "kitten"})
    scene = cleo.wait_for_scene("kitten")
    assert scene["covers"]
    wait_for_truth(cleo.page, "window.scenes.at(-1).faceFrom > 0")
    assert cleo.scenes[-1]["faceFrom"] - scene["began"] > 600
    wait_for_truth(cleo.page, "window.scenes.at(-1).text.includes('Ana has the')")


def test_190_at_a_pile_a_safe_card_makes_all_sigh_and_a_kitten_turns_over(
    person: Callable[..., Any], server: RealServer
) -> None:
    """The page prefers reduced motion and has forced colours."""
    cleo = person("Cleo", kind=Watcher)
    cleo.page.emulate_media(forced_colors="active")
    party = sit_down(server, cleo, "Ana", device=False, variant="party-120")
    cleo.wait_for_scene("first")
    cleo.page.keyboard.press("Escape")
    assert cleo.page.evaluate(IS_GONE)
    cleo.forget_scenes()
    cleo.give_command("safe")
    assert not cleo.wait_for_scene("phew")["covers"]
    wait_for_truth(cleo.page, "window.scenes.some(({ text }) => text.includes('Cleo'))")
    cleo.forget_scenes()
    wait_for_step(party.host, "act", party.seats[0])
    for command in ({"type": "draw"}, {"type": "report", "outcome": "kitten"}):
        kind = str(command.pop("type"))
        party.host.send_command(kind, **{"as": party.seats[0], **command})
    cleo.wait_for_scene("kitten")
    wait_for_truth(cleo.page, "window.scenes.at(-1).text.includes('Ana has a Kitten')")
    scene = cleo.find_scene("kitten")
    assert scene["covers"] and "scene-face" in scene["html"]
    expect_still_picture(scene)
    cleo.page.keyboard.press("Enter")
    assert cleo.page.evaluate(IS_GONE)


def test_192_all_screens_stop_at_the_same_face_and_name_the_first_player(
    person: Callable[..., Any], server: RealServer
) -> None:
    cleo = person("Cleo", kind=Watcher, **MOVING)
    dora = person("Dora", kind=Watcher)
    dora.page.emulate_media(forced_colors="active")
    party = server.create_table("Ana", "Ben", "Cleo", "Dora", options={"roll_call": True})
    party.host.send_command("prepare")
    open_pages(party, ["Ana", "Ben", cleo, dora])
    for seat in party.host.view["seats"]:
        party.host.send_command("ready", **{"as": seat["seat"], "ready": True})
    for watcher in (cleo, dora):
        wait_for_truth(watcher.page, CAN_PLAY)
    party.host.send_command("begin", first="lot")
    for watcher in (cleo, dora):
        wait_for_truth(watcher.page, "window.scenes.some(({ stops }) => stops)")
    stops = {watcher.scenes[0]["stops"] for watcher in (cleo, dora)}
    assert len(stops) == 1
    dora.page.keyboard.press("Escape")
    assert dora.page.evaluate(IS_GONE)
    for watcher in (cleo, dora):
        watcher.forget_scenes()
    party.host.send_command("skip_roll_call")
    assert party.host.view["turn"]["seat"] in stops
    for watcher in (cleo, dora):
        # the faces are added one frame after the scene has begun, or later
        wait_for_truth(
            watcher.page, "window.scenes.some(({ kind, stops }) => kind === 'first' && stops)"
        )
        assert watcher.find_scene("first")["stops"] in stops
    wait_for_truth(dora.page, "window.scenes.at(-1).text.includes('first!')")
    for scene in dora.scenes:
        assert abs(scene["offCentre"]) < 1
        assert not scene["moves"]
    expect(dora.page.locator("#says")).to_contain_text("first!")


def test_190_a_card_is_looked_at_until_its_player_puts_it_back(
    person: Callable[..., Any], server: RealServer
) -> None:
    cleo = person("Cleo", kind=Watcher)
    party = sit_down(server, cleo, "Ana", rules=LOOK)
    while True:
        cell = instruct_watcher(party, cleo)
        if "see_future" in cleo.read_hand():
            break
        cleo.find_cell(cleo, cell).click()
        if cleo.wait_for_scene("draw", "kitten")["kind"] == "kitten":
            hide_far_away(party, cleo)
        take_others_turn(party, cleo)
        cleo.forget_scenes()
    cleo.play_card("see_future")
    party.host.wait(lambda: party.host.view["turn"]["step"] != "act")
    if window := party.host.view["window"]:
        party.host.send_command("pass", **{"as": party.seats[0], "window": window["id"]})
    wait_for_step(party.host, "look", cleo.seat)
    cleo.forget_scenes()
    cleo.find_cell(cleo, cell).click()
    cleo.wait_for_scene("look")
    wait_for_truth(cleo.page, "document.activeElement?.dataset.do === 'put-back'")
    time.sleep(1)
    assert cleo.scenes[-1]["faceUntil"] - cleo.scenes[-1]["faceFrom"] > READ_MS
    cleo.page.evaluate("document.activeElement.click()")
    cleo.wait_for_end()
