"""In a variant whose titles and numbers are all different, no screen shows the usual ones."""

import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.rules.families import load
from companion.rules.pile.variant import Variant
from tests.browser import test_pile_game
from tests.browser.test_every_scene import PILE_SHEETS
from tests.browser.test_pile_game import DESK, PHONE, SMALL
from tests.panel import pile_scenes, scenes
from tests.panel.shots import OpenScenePage
from tests.panel.test_texts import TEXTS as PANEL_TEXTS
from tests.rules.test_own_figures import COUNTED, GAMES_OWN, NOT_SAID, NUMBERS, RULED, VERBS
from tests.rules.test_variant import edit
from tests.support.fake_language import LIST_PAGE_TEXTS
from tests.support.iterations import EVERYTHING, select_share
from tests.support.own_variants import load_own
from tests.support.renamed_variant import VARIANTS, rename_box_ids, retitle, write_renumbered_box
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

RECORD_TEXTS = """
window.shownTexts = new Set();
window.joinedTexts = new Set();
const attributeFilter = ["aria-label", "title", "placeholder", "alt"];
const note = (text, texts = shownTexts) => text && texts.add(text.trim());
const noteAttributes = (el) => {
  const texts = el.matches?.("[role=img]") ? joinedTexts : shownTexts;
  attributeFilter.forEach((name) => note(el.getAttribute?.(name), texts));
};
const noteTexts = (node) => {
  if (node.nodeType !== Node.TEXT_NODE) noteAttributes(node);
  else if (node.parentElement?.closest("#says")) note(node.data, joinedTexts);
  else if (!node.parentElement?.closest("script, noscript, style, code")) note(node.data);
  node.childNodes.forEach(noteTexts);
};
const noteChanges = (changes) => {
  for (const { type, target, addedNodes } of changes)
    if (type === "childList") addedNodes.forEach(noteTexts);
    else if (type === "attributes") noteAttributes(target);
    else noteTexts(target);
};
const all = { subtree: true, childList: true, characterData: true, attributeFilter };
new MutationObserver(noteChanges).observe(document, all);
"""
"""Records every text of the page: in ``joinedTexts`` the announcements for screen readers and the
descriptions of pictures, which join several texts, and in
``shownTexts`` all others."""


def find_old_titles(texts: Iterable[str], old: set[str]) -> set[tuple[str, str]]:
    """Find old titles in the texts. An action that has the same name as a card is ignored."""
    return {
        (title, text)
        for text in texts
        for title in old
        if re.search(rf"\b{re.escape(title)}\b", VERBS.sub("", text))
    }


def retitle_cards(folder: Path) -> dict[str, set[str]]:
    """Rename the variant's cards. Returns the old titles in each language.

    Kitten and Defuse aren't among them, because any text may use these words.
    """
    variant = load(folder)
    kept_titles = {
        variant.texts[language].cards[card.id].title
        for language in variant.texts
        for card in variant.cards
        if card.effect in GAMES_OWN
    }
    return {language: old - kept_titles for language, old in retitle(folder).items()}


EVERY_COMBO = replace(load_own("party-120"), combos=("pair", "triple", "five"))


pattern = cache(re.compile)  # compiles each pattern once, for all scenes


def list_text_patterns(house: Variant, language: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the key of each text in a language, with a pattern that matches the text."""
    texts = house.with_filled_texts.texts[language]
    effects = {card.id: card.effect for card in house.cards}
    texts_by_key = [
        (f"rulings.{slug}", text) for slug, r in texts.rulings.items() for text in (r.title, r.text)
    ]
    texts_by_key += [
        (f"cards.{'cat' if effects[id] == 'cat' else id}", text)
        for id, card in texts.cards.items()
        for text in (card.here, card.base)
    ]
    texts_by_key += [(f"log.{key}", text) for key, text in texts.log.items()]
    for name, words in PANEL_TEXTS.items():
        if Path(name).name == language:
            for key, text in words.items():
                forms = [text] if isinstance(text, str) else text.values()
                texts_by_key += [(key, form) for form in forms if isinstance(form, str)]
    texts_of = [(key, re.split(r"\{[^{}]*\}", form)) for key, form in texts_by_key]
    return [
        (key, pattern(".*".join(map(re.escape, parts)), re.I | re.S))
        for key, parts in texts_of
        if len("".join(parts).strip()) > 2
    ]


def find_unchanged_figures(before: Iterable[str], now: Iterable[str], language: str) -> set[str]:
    """Return the texts in ``now`` with a figure or number word that is the same as in ``before``.

    A text is compared with the texts in ``before`` that differ from it only in their figures.
    """

    def replace_figures(text: str) -> tuple[str, list[str]]:
        plain = NOT_SAID.sub("", text)
        return NUMBERS[language].sub("#", plain), NUMBERS[language].findall(plain)

    had = dict[tuple[str, int], set[str]]()
    for text in before:
        form, figures = replace_figures(text)
        for at, figure in enumerate(figures):
            had.setdefault((form, at), set()).add(figure)
    return {
        text
        for text in now
        for form, figures in [replace_figures(text)]
        if re.search(r"[^\W\d]{3}", form)
        and any(figure in had.get((form, at), ()) for at, figure in enumerate(figures))
    }


def find_unexpected_texts(
    before: set[str], now: set[str], house: Variant, language: str
) -> dict[str, set[str]]:
    """Return the texts with a figure that should have changed but is the same as before.

    A figure may stay the same in a text that states a rule of every classic game, and in a text
    that counts something. Each returned text comes with the text keys that match it.
    """
    unchanged = find_unchanged_figures(before, restore_titles(now, house, language), language)
    patterns = (
        [*list_text_patterns(EVERY_COMBO, language), *list_text_patterns(house, language)]
        if unchanged
        else []
    )
    keys = {text: {key for key, form in patterns if form.fullmatch(text)} for text in unchanged}
    return {text: those for text, those in keys.items() if not those & (RULED | COUNTED)}


def restore_titles(texts: Iterable[str], house: Variant, language: str) -> set[str]:
    """Return copies of the texts in which the original titles replace the new ones."""
    old = EVERY_COMBO.texts[language].cards
    now = {
        card.title: old[id.removeprefix("my_")].title
        for id, card in house.texts[language].cards.items()
    }
    new = re.compile("|".join(sorted(map(re.escape, now), key=len, reverse=True)))
    return {new.sub(lambda match: now[match[0]], text) for text in texts}


ALL_SHEETS = PILE_SHEETS | {"house": "lobby-host", "invite": "lobby-host", "others": "window-ten"}


def collect_scene_texts(
    open_scene_page: OpenScenePage, house: Variant, language: str, patched: pytest.MonkeyPatch
) -> dict[str, set[str]]:
    """Draw scenes and all sheets with this variant. Returns the texts of each.

    ``python3 tests`` draws one in ten scenes, and ``python3 tests all`` draws them all. The
    variant allows at most nine players.
    """
    for name in ("VARIANT", "AIMED"):
        patched.setattr(pile_scenes, name, house)
    patched.setattr(pile_scenes, "TEN", scenes.TEN[:9])
    patched.setattr(scenes, "play_once", lambda play: play())  # games of other variants are cached
    scene_page = open_scene_page((390, 844), lang=language, variant=house, own=True)
    texts_by_scene = {}
    names = [name for name in pile_scenes.SCENES if name != "act-two"]
    pictures = [(name, None) for name in select_share(names, 10)]
    pictures += [(name, {"kind": sheet, "seat": "s2"}) for sheet, name in ALL_SHEETS.items()]
    for name, sheet in pictures:
        scene = scenes.scene(name, pile_scenes.SCENES)
        scene["panel"] |= {"sheet": sheet} if sheet else {}
        page_texts = scene_page.draw(scene).evaluate(LIST_PAGE_TEXTS)
        texts_by_scene[f"{name} {sheet}"] = {
            re.sub(r"\s+", " ", text).strip() for text in page_texts
        }
    return texts_by_scene


def test_no_scene_of_a_classic_game_has_an_old_title_or_figure(
    open_scene_page: OpenScenePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All numbers, options and titles of this variant are different.

    A text that is the same as before must state a rule of every classic game, or count something at
    the table. One language is enough, because ``test_own_figures`` checks that no translation has
    figures or titles of its own.
    """
    language = "en"
    folder = write_renumbered_box(tmp_path)
    old = retitle_cards(folder)[language]
    house = load(folder)
    assert isinstance(house, Variant) and len(old) > 10
    before = collect_scene_texts(open_scene_page, EVERY_COMBO, language, monkeypatch)
    now = collect_scene_texts(open_scene_page, house, language, monkeypatch)
    assert len(now) > (80 if EVERYTHING else 15)
    assert not {
        name: faults_by_scene
        for name, texts in now.items()
        if (faults_by_scene := find_old_titles(texts, old))
    }
    faults_by_scene = {
        name: faults
        for name, texts in now.items()
        if (faults := find_unexpected_texts(before[name], texts, house, language))
    }
    assert not faults_by_scene
    whole = {text for texts in now.values() for text in texts}
    assert [text for text in whole if re.search(r"\b10\b.*Zonk", text)], "a hand of ten"
    assert "of 12" in whole, "seconds"


IN_PLAY = re.compile(
    r"\b[123]\d s(?:ec\w+)?\b|\b[1-8] (?:cards?|cart[ae]|turns?|turn[io]|person)\b"
    r"|five different cards|cinque carte diverse|[Ww]hich (?:three|five)|[Qq]uali cinque|takes two"
)
"""Figures that may be the same as in the usual variant: options, small numbers of cards and turns,
and the sizes of combos."""


@pytest.mark.repetition
def test_a_whole_classic_game_uses_its_own_titles_and_numbers(
    person: Callable[..., test_pile_game.Player], tmp_path: Path
) -> None:
    """Play a game with the usual variant and with the changed one, at three screen sizes, and
    compare their figures."""
    folder = write_renumbered_box(tmp_path / "own" / "variants")
    ids = rename_box_ids(folder)
    old = retitle_cards(folder)
    house = load(folder)
    assert isinstance(house, Variant)
    usual = Path(shutil.copytree(VARIANTS / "party-120", tmp_path / "usual" / "variants" / "house"))
    changes = ('id = "party-120"', 'id = "house"'), ('"triple"]', '"triple", "five"]')
    edit(usual, "variant.toml", *changes)
    people = {"Ana": ("en", SMALL), "Ben": ("it", PHONE), "Cleo": ("en", DESK)}

    def collect_game_texts(
        variants: Path, ids: Mapping[str, str]
    ) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """Return the shown texts and the joined texts of each person's page."""
        shutil.copytree(VARIANTS / "quarantined", variants / "quarantined")
        server = RealServer(variants.parent, COMPANION_VARIANTS_DIR=str(variants))
        with closing(server):
            players = [
                person(name, server.url, kind=test_pile_game.Player, viewport=size, locale=language)
                for name, (language, size) in people.items()
            ]
            for player in players:
                player.titles = ids
                player.page.add_init_script(RECORD_TEXTS)
            test_pile_game.play_game(*players)
            shown_texts, joined_texts = (
                {
                    player.name: {
                        re.sub(r"\s+", " ", text) for text in player.page.evaluate(f"[...{texts}]")
                    }
                    for player in players
                }
                for texts in ("shownTexts", "joinedTexts")
            )
            for player in players:
                player.page.goto("about:blank")
        return shown_texts, joined_texts

    before, _ = collect_game_texts(usual.parent, {})
    # The parts of the joined texts are among the shown texts, which are compared. So the joined
    # texts are only searched for old titles.
    now, joined_texts = collect_game_texts(folder.parent, ids)
    for name, (language, _) in people.items():
        assert len(now[name]) > 200
        assert joined_texts[name]
        assert not find_old_titles(now[name] | joined_texts[name], old[language])
        both = ({IN_PLAY.sub("", text) for text in texts[name]} for texts in (before, now))
        assert not find_unexpected_texts(*both, house, language), name
    whole = " ".join(now["Ana"])
    paw = sum(house.in_play(3).values())
    for player in (
        "Classic: Zonk", "take all 14 Kittens out", f"take the {paw} with a paw print",
        "deal 9 each, face down: a hand of 10", "Put 2 Kittens into what remains",
        f"a pile of {paw - 3 * 10 + 2} cards",
    ):  # fmt: skip
        assert player in whole
