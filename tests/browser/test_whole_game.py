"""Tests that play whole games of three on the page, from creating the table to the winner."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import (
    Person,
    begin_game,
    pass_for_all,
    prepare_game,
    send_when_allowed,
    set_longest_window,
)
from tests.browser.test_own_words import RECORD_TEXTS, find_old_titles, retitle_cards
from tests.rules.test_variant import edit
from tests.support.renamed_variant import RENAMED, rename_ids
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser


PHONE, DESK = ({"width": width, "height": height} for width, height in ((390, 844), (1280, 800)))


LOOKS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": PHONE, "locale": "it-IT", "color_scheme": "light"},
    "moving": {
        "viewport": PHONE, "locale": "it-IT", "color_scheme": "light",
        "reduced_motion": "no-preference", "service_workers": "allow",
    },
    "desk": {"viewport": DESK, "locale": "it-IT", "color_scheme": "dark"},
}  # fmt: skip
"""The screen, language and theme of the second player. The moving one is a phone with animations
and a service worker, which take much processor time."""

PREPARED = ["these 16 cards", "the other 14 and put 2 away", "Take 4, and the", "your hand of 5",
            "the last 8 and lay these 9 face down"]  # fmt: skip
BEFORE = r"[a-z].*\b(15|13|fifteen|thirteen)\b(?!%)|\b(15|13)\b(?!%).*[a-z]"
"""Matches a sentence with a number of the usual variant, such as its fifteen cards. Percentages
don't match, because odds may have the same figures."""


@pytest.mark.parametrize(
    "look",
    [
        "phone",
        pytest.param("moving", marks=pytest.mark.repetition),
        pytest.param("desk", marks=pytest.mark.repetition),
    ],
)
def test_a_whole_game_uses_its_own_titles_and_numbers(
    person: Callable[..., Person], serve: Callable[..., RealServer], tmp_path: Path, look: str
) -> None:
    """The variant has its own titles, card ids and a 3×3 grid. Two players have different screens,
    and the third one has no page."""
    folder = rename_ids(tmp_path / "variants", larger=True)
    skip = f'"{RENAMED["skip"]}"\ncount = '
    edit(folder, "variant.toml", ("hand = 3", "hand = 4"), (f"{skip}3", f"{skip}4"))
    old = retitle_cards(folder)
    house = serve(COMPANION_VARIANTS_DIR=str(tmp_path / "variants"))
    ana = person("Ana", house.url, color_scheme="dark")
    ben = person("Ben", house.url, **LOOKS[look])
    for player in (ana, ben):
        player.titles = RENAMED
        player.page.add_init_script(RECORD_TEXTS)
    play_game(house, ana, ben)
    for player, language in ((ana, "en"), (ben, "it")):
        texts = player.page.evaluate("[...shownTexts, ...joinedTexts]")
        whole = re.sub(r"\s+", " ", " ".join(texts))
        assert len(texts) > 200 and "Zonk" in whole
        assert not find_old_titles(texts, old[language])
        if language == "en":
            assert not {text for text in texts if re.search(BEFORE, text)}
            assert not [words for words in PREPARED if words not in whole]


def play_game(server: RealServer, ana: Person, ben: Person) -> None:
    code = ana.create_table()
    ben.join_table(code)
    cleo = Distant(server, code, "Cleo")
    expect(ana.page.locator(".seats li")).to_have_count(3)
    set_longest_window(ana)
    # the option takes effect when the server confirms it
    ana.page.locator("[name=roll_call]").click()
    prepare_game([ana, ben])
    cleo.client.send_command("ready", ready=True)
    begin_game([ana], first=ana)
    play_roll_call(ana, ben, cleo)
    play_look_and_noped_skip(ana, ben, cleo)
    play_favor_shuffle_and_defuse(ana, ben, cleo)
    play_face_up_draw_and_explosion(ana, ben, cleo)
    play_to_last_player(ana, ben, cleo)


class Distant:
    """A player without a page."""

    def __init__(self, server: RealServer, code: str, name: str) -> None:
        credentials = server.post(f"/api/tables/{code}/seats", {"name": name}).json
        self.seat: str = credentials["seat"]
        self.client = server.connect_client(code, credentials["token"])

    def send(self, type: str, **more: Any) -> None:
        send_when_allowed(self.client, type, **more)

    def draw_safely(self, cell: list[int]) -> None:
        self.send("draw", cell=cell)
        self.client.send_command("report", outcome="safe")


def play_roll_call(ana: Person, ben: Person, cleo: Distant) -> None:
    ana.give_command(f"call-{cleo.seat}")
    ana.expect_refusal()
    ana.give_command(f"call-{ben.seat}")
    ben.give_command(f"call-{cleo.seat}")
    cleo.send("call_next", next=ana.seat)


def play_look_and_noped_skip(ana: Person, ben: Person, cleo: Distant) -> None:
    cleo.send("instruct", cell=[0, 0])
    expect(ben.find_cell(ana, (0, 0))).to_have_class(re.compile(r"\btold\b"))
    ana.play_card("see_future")
    pass_for_all([ana, ben], cleo.client)
    ana.tap_cell(ana, (0, 1))
    ana.play_card("skip")
    ben.give_command("nope")
    pass_for_all([ana, ben], cleo.client)
    ana.tap_cell(ana, (0, 0))
    ana.give_command("safe")


def play_favor_shuffle_and_defuse(ana: Person, ben: Person, cleo: Distant) -> None:
    ana.tap_cell(ben, (1, 1))
    ben.play_card("favor")
    ben.tap_cell(ana, (0, 2))
    pass_for_all([ana, ben], cleo.client)
    ana.reveal_card("skip")
    ben.play_card("shuffle")
    pass_for_all([ana, ben], cleo.client)
    ben.give_command("shuffled")
    ana.tap_cell(ben, (0, 0))
    ben.tap_cell(ben, (0, 0))
    ben.give_command("kitten")
    ben.give_command("defuse")


def play_face_up_draw_and_explosion(ana: Person, ben: Person, cleo: Distant) -> None:
    ben.tap_cell(cleo, (0, 2))
    cleo.draw_safely([0, 2])
    cleo.send("instruct", cell=[0, 2])
    ana.tap_cell(ana, (0, 2))
    ana.expect_headline("Ben")  # the Skip lies face up, so nobody is asked what it was
    ana.tap_cell(ben, (1, 2))
    ben.tap_cell(ben, (1, 2))
    ben.give_command("kitten")
    ben.confirm_command("explode")


def play_to_last_player(ana: Person, ben: Person, cleo: Distant) -> None:
    ana.tap_cell(cleo, (0, 0))
    cleo.draw_safely([0, 0])
    cleo.send("instruct", cell=[1, 1])
    ana.tap_cell(ana, (1, 1))
    ana.give_command("kitten")
    ana.confirm_command("explode")
    for player in (ana, ben):
        expect(player.page.locator("h1")).to_contain_text("Cleo")
    ana.give_command("rematch")
    ben.page.click("[data-do=go-on]")  # the end page stays until the viewer dismisses it
    for player in (ana, ben):
        expect(player.page.locator('[data-say="ready"]')).to_be_visible()
