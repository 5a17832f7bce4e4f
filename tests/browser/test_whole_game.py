"""Whole games of three on the page, from creating the table to the winner."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, all_pass, begin, no_hurry, prepare, sit_down
from tests.browser.test_own_words import HEARD, bare, titles
from tests.renamed_variant import RENAMED, rename_ids
from tests.server import RealServer
from tests.test_variant import edit

pytestmark = pytest.mark.browser


SMALL, PHONE, DESK = (
    {"width": width, "height": height} for width, height in ((320, 568), (390, 844), (1280, 800))
)


LOOKS = {
    "Ana": (SMALL, "en-GB", "dark", "no-preference"),
    "Ben": (PHONE, "it-IT", "light", "no-preference"),
    "Cleo": (DESK, "it-IT", "dark", "reduce"),
}
"""Each player's screen, language, theme and motion setting; phones have animations."""

PREPARED = ["these 16 cards", "the other 14 and put 2 away", "Take 4, and the", "your hand of 5",
            "the last 8 and lay these 9 face down"]  # fmt: skip
BEFORE = r"[a-z].*\b(15|13|fifteen|thirteen)\b(?!%)|\b(15|13)\b(?!%).*[a-z]"
"""Sentences with the usual variant's numbers. Odds in percent may have the same figures."""


def test_a_whole_game_uses_its_own_titles_and_numbers(
    person: Callable[..., Person], serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    """The variant has its own titles, card ids and a 3×3 grid. Each player has another screen."""
    folder = rename_ids(tmp_path / "variants", larger=True)
    skip = f'"{RENAMED["skip"]}"\ncount = '
    edit(folder, "variant.toml", ("hand = 3", "hand = 4"), (f"{skip}3", f"{skip}4"))
    old = titles(folder)
    house = serve(COMPANION_VARIANTS_DIR=str(tmp_path / "variants"))
    players = [
        person(
            name, house.url, viewport=size, locale=language, color_scheme=theme,
            reduced_motion=motion, service_workers="allow",
        )
        for name, (size, language, theme, motion) in LOOKS.items()
    ]  # fmt: skip
    for one in players:
        one.titles = RENAMED
        one.page.add_init_script(HEARD)
    play(*players)
    for one, (_, language, *_) in zip(players, LOOKS.values(), strict=True):
        heard = one.page.evaluate("[...window.heard]")
        whole = re.sub(r"\s+", " ", " ".join(heard))
        assert len(heard) > 200 and "Zonk" in whole
        assert not bare(heard, old[language[:2]])
        if language == "en-GB":
            assert not {text for text in heard if re.search(BEFORE, text)}
            assert not [one for one in PREPARED if one not in whole]


def play(ana: Person, ben: Person, cleo: Person) -> None:
    everyone = [ana, ben, cleo]
    sit_down(everyone)
    no_hurry(ana)
    ana.page.locator("[name=roll_call]").click()  # takes effect once the server confirms it
    prepare(everyone)
    begin(everyone, first=ana)
    the_roll_call(ana, ben, cleo)
    a_look_and_a_noped_skip(ana, ben, cleo)
    a_favor_a_shuffle_and_a_defuse(ana, ben, cleo)
    a_skip_that_is_noped_and_yupped(ana, ben, cleo)
    a_defuse_and_an_explosion(ana, ben, cleo)
    the_last_one_standing(ana, ben, cleo)


def the_roll_call(ana: Person, ben: Person, cleo: Person) -> None:
    ana.says(f"call-{cleo.seat}")
    ana.is_refused()
    ana.says(f"call-{ben.seat}")
    ben.says(f"call-{cleo.seat}")
    cleo.says(f"call-{ana.seat}")


def a_look_and_a_noped_skip(ana: Person, ben: Person, cleo: Person) -> None:
    everyone = [ana, ben, cleo]
    cleo.taps(ana, (0, 0))
    expect(ben.cell(ana, (0, 0))).to_have_class(re.compile(r"\btold\b"))
    ana.plays("see_future")
    all_pass(everyone)
    ana.taps(ana, (0, 1))
    ana.plays("skip")
    ben.says("nope")
    all_pass(everyone)
    ana.taps(ana, (0, 0))
    ana.says("safe")


def a_favor_a_shuffle_and_a_defuse(ana: Person, ben: Person, cleo: Person) -> None:
    everyone = [ana, ben, cleo]
    ana.taps(ben, (1, 1))
    ben.plays("favor")
    ben.taps(cleo, (0, 2))
    all_pass(everyone)
    cleo.turns_up("skip")
    ben.plays("shuffle")
    all_pass(everyone)
    ben.says("shuffled")
    ana.taps(ben, (0, 0))
    ben.taps(ben, (0, 0))
    ben.says("kitten")
    ben.says("defuse")


def a_skip_that_is_noped_and_yupped(ana: Person, ben: Person, cleo: Person) -> None:
    ben.taps(cleo, (0, 2))
    cleo.plays("skip")
    ana.says("nope")
    cleo.says("nope")
    all_pass([ana, ben, cleo])


def a_defuse_and_an_explosion(ana: Person, ben: Person, cleo: Person) -> None:
    cleo.taps(ana, (1, 0))
    ana.taps(ana, (1, 0))
    ana.says("kitten")
    ana.says("defuse")
    ana.taps(ben, (1, 2))
    ben.taps(ben, (1, 2))
    ben.says("kitten")
    ben.is_sure("explode")


def the_last_one_standing(ana: Person, ben: Person, cleo: Person) -> None:
    ana.taps(cleo, (0, 2))
    cleo.taps(cleo, (0, 2))
    cleo.reads("Ana")  # the Skip lies face up, so nobody is asked what it was
    cleo.taps(ana, (1, 1))
    ana.taps(ana, (1, 1))
    ana.says("kitten")
    ana.is_sure("explode")
    for one in (ana, ben):
        expect(one.page.locator("h1")).to_contain_text("Cleo")
    ana.says("rematch")
    # The end page stays until its viewer dismisses it.
    for one in (ben, cleo):
        one.page.click("[data-do=go-on]")
    for one in (ana, ben, cleo):
        expect(one.page.locator('[data-say="ready"]')).to_be_visible()
