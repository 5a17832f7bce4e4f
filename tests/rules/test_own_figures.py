"""A variant's texts use the numbers and titles of its own cards."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.rules.families import load
from companion.rules.variants.form import Change
from companion.rules.variants.house_rules import apply
from companion.rules.variants.loading import Faults
from companion.rules.variants.variant import NAME, Texts, Variant
from tests.rules.test_variant import BIGGER, edit, folder
from tests.support.own_variants import load_own
from tests.support.paths import ROOT

__all__ = ["folder"]

WORDS = ROOT / "static/text"
VARIANTS = ROOT / "variants"
ALL = {name: load_own(name) for name in ("quarantined", "assault", "party-120")} | {
    name: load_own(name) for name in ("party-120-it", "party-122", "original-56")
}

FIGURES = {
    "en": "four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
    "it": "quattro cinque sette otto nove dieci undici dodici tredici quattordici quindici",
}
"""Number words above three. Smaller numbers belong to effects, such as the top three cards."""

FIXED_FIGURES = {
    "attack-stacks": "what an attack adds to two turns",
    "by-agreement": "how long the others have",
    "log-full": "what a log holds",
    "roll-call": "what many players are",
    "combos-of-this-edition": "what a five is",
    "five-different": "what a five is",
    "pick-from-the-discard": "what a five is",
    "no-combos": "what a five is",
}
"""Rulings with a number that is the same in every variant, and the meaning of the number."""

NUMBERS = {
    language: re.compile(
        rf"\d+|\b(?:{'|'.join({*words.split(), *more} - {'sei'})})\b", re.IGNORECASE
    )
    for (language, words), more in zip(
        FIGURES.items(), (("two", "three"), ("due", "tre")), strict=True
    )
}
"""For each language, a pattern that matches digits and number words. *Sei* is left out: it means
"you are" far more often than six."""

RULED = {
    *(f"rulings.{slug}" for slug in FIXED_FIGURES),
    *"""rulings.alter-three rulings.attack rulings.fewer-than-three rulings.matching-cards
    rulings.pile-lasts rulings.private-notes rulings.see-three rulings.unique-names
    cards.alter_future cards.attack cards.see_future cards.cat combo.five combo.name.five
    combo.play help.how.attack help.how.combo house.combos.pair house.combos.triple lesson.pair
    log.combo_played log.window_closed/yes now.combo.five options.special_combos
    refused.defuse-in-secret refused.five-different refused.matching-cards
    number.2 number.3 refused.matching-cards/cats refused.matching-cards/pair
    refused.matching-cards/triple say.kind/five say.number/2 say.number/3""".split(),
}
"""Texts with a number that is the same in every classic game: the cards of a combo, the turns of an
Attack, the cards that a player looks at, or the other players' time to answer."""

COUNTED = {
    *"""award.bouncer.why award.favourite.why award.grudge.why award.lives award.lives.why
    award.noped.why award.nosy.why award.opener.why award.ponderer.minutes award.ponderer.why
    award.shuffler.why award.slippery.why combo.left discard.none discard.of saw.empty saw.free
    seating.move seats.count setup.add setup.add.paw setup.defuses setup.next setup.ready
    top.watching window.waits window.waits.many""".split()
}
"""Texts that count people or plays, or a cat's lives. Their numbers don't depend on the variant."""

NOT_SAID = re.compile(
    r"KXQF7H|\bUTF-\d+|\b\d+×|^\d+(?:st|nd|rd|ª)(?=:)|(?<=: )\d+(?:st|nd|rd|th|ª)(?=\.)"
    r"|\d+ \w+ 20\d\d| \(\dx\)|\b1 (?:in|su)\b|(?:among (?:it|them)|gattini): \d+"
)
"""Numbers that aren't about the rules: a table's code, an encoding's name, the number of cards
played, a position in the pile, a date, a count such as "(2x)" after a title, odds of one in a
number, and the number of Kittens."""

PANEL_FIGURES = set(
    """help.how.pair help.how.triple house.combos.five house.fault.text kind.five layout.phone.what
    layout.side.what lobby.alone now.combo.triple practice preview.picture
    practise.what setup.aside special.five special.triple undo.ask.what""".split()
)
"""Texts of the panel with a number that doesn't come from the variant: the width of a window, the
two robots of a practice game, two cards put aside, the time to answer a request for an undo, and
the names of the combos."""


GAMES_OWN = {"nope", "kitten"}
"""Effects that players always call by this name, even if the cards have other titles."""


VERBS = re.compile(r"\b(Shuffle|Mescola|Mescolate|Defuse|Skip)(:| (?=the|your|it|and|la |le |il ))")
"""Verbs that are also card titles."""


def collect_help_texts(texts: Texts) -> dict[str, str]:
    """Return the help texts about the current game, by key.

    Texts about other games and search words are left out.
    """
    texts_by_place = {"about": texts.about}
    texts_by_place |= {f"cards.{id}.here": card.here for id, card in texts.cards.items()}
    for slug, ruling in texts.rulings.items():
        texts_by_place |= {
            f"rulings.{slug}.title": ruling.title,
            f"rulings.{slug}.text": ruling.text,
        }
    return texts_by_place


def collect_sentences(texts: Texts) -> dict[str, str]:
    """Return the help texts and the texts shown during play, by key."""
    return collect_help_texts(texts) | {
        f"{section}.{key}": text
        for section in ("refused", "log", "say")
        for key, text in getattr(texts, section).items()
    }


@pytest.mark.parametrize("language", FIGURES)
@pytest.mark.parametrize("name", ALL)
def test_no_sentence_has_a_bare_figure(name: str, language: str) -> None:
    figure = re.compile(rf"\b(\d+|{'|'.join(FIGURES[language].split())})\b", re.IGNORECASE)
    places = {
        place
        for place, text in collect_help_texts(ALL[name].texts[language]).items()
        if figure.search(NAME.sub("", text)) and place.split(".")[1] not in FIXED_FIGURES
    }
    assert not places


def find_unexplained_figures(entries: Iterable[tuple[str, str]], language: str) -> set[str]:
    """Return the keys of texts that contain a number, in digits or words, and are in no
    list above."""
    stripped = ((key, NOT_SAID.sub("", NAME.sub("", text))) for key, text in entries)
    keys = {key for key, text in stripped if NUMBERS[language].search(text)}
    return keys - RULED - COUNTED - PANEL_FIGURES


@pytest.mark.parametrize("language", FIGURES)
@pytest.mark.parametrize("name", [name for name in ALL if name not in ("quarantined", "assault")])
def test_a_classic_games_texts_have_only_figures_that_are_always_true(
    name: str, language: str
) -> None:
    cats = {f"cards.{card.id}" for card in ALL[name].cards if card.effect == "cat"}
    entries = [
        (re.sub(r"^(cards|rulings)(\..*)\.\w+$", r"\1\2", place), text)
        for place, text in collect_sentences(ALL[name].texts[language]).items()
    ]
    assert find_unexplained_figures(entries, language) <= cats


@pytest.mark.parametrize("file", sorted(WORDS.rglob("*.json")), ids=str)
def test_the_panels_texts_have_only_figures_that_are_always_true(file: Path) -> None:
    entries = [
        (key, str(form))
        for key, words in json.loads(file.read_text("utf-8")).items()
        for form in ([words] if isinstance(words, str) else words.values())
    ]
    assert not find_unexplained_figures(entries, file.stem)


@pytest.mark.parametrize("language", FIGURES)
@pytest.mark.parametrize("name", ALL)
def test_no_sentence_has_a_bare_title(name: str, language: str) -> None:
    variant = ALL[name]
    texts = variant.texts[language]
    titles = {
        card.id: re.sub(r" \(.*", "", texts.cards[card.id].title)
        for card in variant.cards
        if card.effect not in GAMES_OWN
    }
    bare_titles = {
        (place, title)
        for place, text in collect_sentences(texts).items()
        for title in titles.values()
        if re.search(rf"\b{re.escape(title)}\b", VERBS.sub("", NAME.sub("", text)))
    }
    assert not bare_titles


def test_a_house_variants_texts_name_its_own_cards(folder: Path) -> None:
    edit(folder, "variant.toml", *BIGGER)
    edit(folder, "en.toml", ('title = "Skip"', 'title = "Snooze"'))
    texts = load(folder).words
    prepared = texts.rulings["prepare-in-order"].text
    assert "shuffle the other 14. Put 2 away" in prepared
    assert "the last 8 and lay these 9 face down, 3 rows of 3" in prepared
    assert texts.rulings["skip-ends-turn"].title == "Snooze"
    assert "4 Snooze" in texts.rulings["deck-of-fifteen"].text
    assert texts.rulings["deck-of-fifteen"].title == "16 cards each"
    whole = " ".join(collect_sentences(texts).values())
    assert "Skip" not in whole and not NAME.search(whole)


def test_texts_of_a_classic_game_follow_its_house_rules() -> None:
    party = ALL["party-120"]
    assert "(2–3), only the others (4–7) or all of them (8–10)" in (
        party.words.rulings["paw-prints"].text
    )
    few = apply(party, [Change("hand", 7, 15)], 4).words.rulings["paw-prints"].text
    assert "only those (–), only the others (4) or all of them (–)" in few
    changes = [
        Change("combos", ("pair", "triple"), ("pair", "five")),
        Change("attack_stacks", True, False),
        Change("extra_defuses", "before", "after"),
    ]
    for before, after in (([], changes), (changes, [])):
        texts, other = (apply(party, set_of_changes, 4).words for set_of_changes in (before, after))
        for slug in (
            "combos-of-this-edition", "five-different", "attack-stacks", "extra-defuses",
        ):  # fmt: skip
            assert texts.rulings[slug].text != other.rulings[slug].text, slug
        assert texts.cards["attack"].here != other.cards["attack"].here
    texts = apply(party, changes, 4).words
    assert texts.rulings["combos-of-this-edition"].text.startswith(
        "Pairs, no triples, five different cards."
    )
    assert texts.cards["tacocat"].here == "Does nothing alone. Two of a kind steal a card."
    assert "no more" in texts.rulings["attack-stacks"].text
    assert "exactly one" in texts.rulings["extra-defuses"].text


def test_an_unknown_figure_is_a_fault(folder: Path) -> None:
    edit(folder, "en.toml", ("{deal.put_away} away", "{deal.put_off} away"))
    with pytest.raises(Faults, match=r"house/en.toml: deal.put_off: is no figure"):
        load(folder)


def test_a_variant_that_was_stored_with_its_figures_stays_the_same() -> None:
    variant: Variant = ALL["quarantined"].with_filled_texts
    assert variant.with_filled_texts == variant


@pytest.mark.parametrize("file", sorted(WORDS.rglob("*.json")), ids=str)
def test_no_word_of_the_panel_has_a_bare_title(file: Path) -> None:
    language = file.stem
    titles = {
        re.sub(r" \(.*", "", variant.texts[language].cards[card.id].title)
        for variant in ALL.values()
        for card in variant.cards
        if card.effect not in GAMES_OWN
    }
    forms = [
        (key, form)
        for key, entry in json.loads(file.read_text("utf-8")).items()
        for form in ([entry] if isinstance(entry, str) else entry.values())
    ]
    assert not {
        (key, title)
        for key, form in forms
        for title in titles
        if re.search(rf"\b{re.escape(title)}\b", VERBS.sub("", NAME.sub("", str(form))))
    }
