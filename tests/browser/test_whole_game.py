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
    seat_players,
    set_longest_window,
)
from tests.browser.test_own_words import RECORD_TEXTS, find_old_titles, retitle_cards
from tests.rules.test_variant import edit
from tests.support.renamed_variant import RENAMED, rename_ids
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser


SMALL, PHONE, DESK = (
    {"width": width, "height": height} for width, height in ((320, 568), (390, 844), (1280, 800))
)


LOOKS: dict[str, dict[str, Any]] = {
    "Ana": {"viewport": SMALL, "locale": "en-GB", "color_scheme": "dark"},
    "Ben": {
        "viewport": PHONE, "locale": "it-IT", "color_scheme": "light",
        "reduced_motion": "no-preference", "service_workers": "allow",
    },
    "Cleo": {"viewport": DESK, "locale": "it-IT", "color_scheme": "dark"},
}  # fmt: skip
"""The screen, language and theme of each player. Ben's phone also has animations and a service
worker."""

PREPARED = ["these 16 cards", "the other 14 and put 2 away", "Take 4, and the", "your hand of 5",
            "the last 8 and lay these 9 face down"]  # fmt: skip
BEFORE = r"[a-z].*\b(15|13|fifteen|thirteen)\b(?!%)|\b(15|13)\b(?!%).*[a-z]"
"""Matches a sentence with a number of the usual variant, such as its fifteen cards. Percentages
don't match, because odds may have the same figures."""


def test_a_whole_game_uses_its_own_titles_and_numbers(
    person: Callable[..., Person], serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    """The variant has its own titles, card ids and a 3×3 grid. Each player has a different
    screen."""
    folder = rename_ids(tmp_path / "variants", larger=True)
    skip = f'"{RENAMED["skip"]}"\ncount = '
    edit(folder, "variant.toml", ("hand = 3", "hand = 4"), (f"{skip}3", f"{skip}4"))
    old = retitle_cards(folder)
    house = serve(COMPANION_VARIANTS_DIR=str(tmp_path / "variants"))
    players = [person(name, house.url, **look) for name, look in LOOKS.items()]
    for player in players:
        player.titles = RENAMED
        player.page.add_init_script(RECORD_TEXTS)
    play_game(*players)
    for player, language in zip(players, ("en-GB", "it-IT", "it-IT"), strict=True):
        texts = player.page.evaluate("[...window.heard]")
        whole = re.sub(r"\s+", " ", " ".join(texts))
        assert len(texts) > 200 and "Zonk" in whole
        assert not find_old_titles(texts, old[language[:2]])
        if language == "en-GB":
            assert not {text for text in texts if re.search(BEFORE, text)}
            assert not [player for player in PREPARED if player not in whole]


def play_game(ana: Person, ben: Person, cleo: Person) -> None:
    everyone = [ana, ben, cleo]
    seat_players(everyone)
    set_longest_window(ana)
    # the option takes effect when the server confirms it
    ana.page.locator("[name=roll_call]").click()
    prepare_game(everyone)
    begin_game(everyone, first=ana)
    play_roll_call(ana, ben, cleo)
    play_look_and_noped_skip(ana, ben, cleo)
    play_favor_shuffle_and_defuse(ana, ben, cleo)
    play_skip_noped_and_yupped(ana, ben, cleo)
    play_defuse_and_explosion(ana, ben, cleo)
    play_to_last_player(ana, ben, cleo)


def play_roll_call(ana: Person, ben: Person, cleo: Person) -> None:
    ana.give_command(f"call-{cleo.seat}")
    ana.expect_refusal()
    ana.give_command(f"call-{ben.seat}")
    ben.give_command(f"call-{cleo.seat}")
    cleo.give_command(f"call-{ana.seat}")


def play_look_and_noped_skip(ana: Person, ben: Person, cleo: Person) -> None:
    everyone = [ana, ben, cleo]
    cleo.tap_cell(ana, (0, 0))
    expect(ben.find_cell(ana, (0, 0))).to_have_class(re.compile(r"\btold\b"))
    ana.play_card("see_future")
    pass_for_all(everyone)
    ana.tap_cell(ana, (0, 1))
    ana.play_card("skip")
    ben.give_command("nope")
    pass_for_all(everyone)
    ana.tap_cell(ana, (0, 0))
    ana.give_command("safe")


def play_favor_shuffle_and_defuse(ana: Person, ben: Person, cleo: Person) -> None:
    everyone = [ana, ben, cleo]
    ana.tap_cell(ben, (1, 1))
    ben.play_card("favor")
    ben.tap_cell(cleo, (0, 2))
    pass_for_all(everyone)
    cleo.reveal_card("skip")
    ben.play_card("shuffle")
    pass_for_all(everyone)
    ben.give_command("shuffled")
    ana.tap_cell(ben, (0, 0))
    ben.tap_cell(ben, (0, 0))
    ben.give_command("kitten")
    ben.give_command("defuse")


def play_skip_noped_and_yupped(ana: Person, ben: Person, cleo: Person) -> None:
    ben.tap_cell(cleo, (0, 2))
    cleo.play_card("skip")
    ana.give_command("nope")
    cleo.give_command("nope")
    pass_for_all([ana, ben, cleo])


def play_defuse_and_explosion(ana: Person, ben: Person, cleo: Person) -> None:
    cleo.tap_cell(ana, (1, 0))
    ana.tap_cell(ana, (1, 0))
    ana.give_command("kitten")
    ana.give_command("defuse")
    ana.tap_cell(ben, (1, 2))
    ben.tap_cell(ben, (1, 2))
    ben.give_command("kitten")
    ben.confirm_command("explode")


def play_to_last_player(ana: Person, ben: Person, cleo: Person) -> None:
    ana.tap_cell(cleo, (0, 2))
    cleo.tap_cell(cleo, (0, 2))
    cleo.expect_headline("Ana")  # the Skip lies face up, so nobody is asked what it was
    cleo.tap_cell(ana, (1, 1))
    ana.tap_cell(ana, (1, 1))
    ana.give_command("kitten")
    ana.confirm_command("explode")
    for player in (ana, ben):
        expect(player.page.locator("h1")).to_contain_text("Cleo")
    ana.give_command("rematch")
    # The end page stays until the viewer dismisses it.
    for player in (ben, cleo):
        player.page.click("[data-do=go-on]")
    for player in (ana, ben, cleo):
        expect(player.page.locator('[data-say="ready"]')).to_be_visible()
