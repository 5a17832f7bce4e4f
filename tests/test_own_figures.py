"""A variant's texts speak of its own cards: figures and titles are filled in from its data."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.rules.core.house_rules import Change, apply
from companion.rules.core.loading import Faults
from companion.rules.core.variant import NAME, Texts, Variant
from companion.rules.families import load
from tests.test_variant import BIGGER, edit, folder

__all__ = ["folder"]

WORDS = Path(__file__).parent.parent / "static/text"
VARIANTS = Path(__file__).parent.parent / "variants"
ALL = {name: load(VARIANTS / name) for name in ("quarantined", "assault", "party-120")} | {
    name: load(VARIANTS / name) for name in ("party-120-it", "party-122", "original-56")
}

FIGURES = {
    "en": "four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
    "it": "quattro cinque sette otto nove dieci undici dodici tredici quattordici quindici",
}
"""Up to three they are what effects do: the top three cards, two turns."""

SAME = {
    "attack-stacks": "what an attack adds to two turns",
    "by-agreement": "how long the others have",
    "log-full": "what a log holds",
    "roll-call": "what many players are",
    "combos-of-this-edition": "what a five is",
    "five-different": "what a five is",
    "pick-from-the-discard": "what a five is",
    "no-combos": "what a five is",
}
"""The rulings with a figure that is the same in every variant, and what it is."""

NUMBERS = {
    language: re.compile(
        rf"\d+|\b(?:{'|'.join({*words.split(), *more} - {'sei'})})\b", re.IGNORECASE
    )
    for (language, words), more in zip(
        FIGURES.items(), (("two", "three"), ("due", "tre")), strict=True
    )
}
"""*Sei* is what one is, far more often than six."""

RULED = {
    *(f"rulings.{slug}" for slug in SAME),
    *"""rulings.alter-three rulings.attack rulings.fewer-than-three rulings.matching-cards
    rulings.pile-lasts rulings.private-notes rulings.see-three rulings.unique-names
    cards.alter_future cards.attack cards.see_future cards.cat combo.five combo.name.five
    combo.play help.how.attack help.how.combo house.combos.pair house.combos.triple lesson.pair
    log.combo_played log.window_closed/yes now.combo.five options.special_combos
    refused.defuse-in-secret refused.five-different refused.matching-cards
    refused.matching-cards/cats refused.matching-cards/pair refused.matching-cards/triple
    say.kind/five say.number/2 say.number/3""".split(),
}
"""What has a figure that is a rule of every classic game: how many cards a combo takes, how many
turns an Attack makes, how many cards are looked at, how long the others have."""

COUNTED = {
    *"""combo.left discard.none discard.of saw.empty saw.free seating.move seats.count setup.add
    setup.add.paw setup.defuses setup.next setup.ready story.luck top.watching window.waits
    window.waits.many""".split()
}
"""What counts people, what was played, or how often: the same, whichever the variant's numbers."""

NOT_SAID = re.compile(
    r"KXQF7H|\bUTF-\d+|\b\d+×|^\d+(?:st|nd|rd|ª)(?=:)|(?<=: )\d+(?:st|nd|rd|th|ª)(?=\.)"
    r"|\d+ \w+ 20\d\d| \(\dx\)|\b1 (?:in|su)\b|(?:among (?:it|them)|gattini): \d+"
)
"""The table's code; an encoding's name; how many cards were played; a place in the pile, as a
heading or as a player chose it; a date; the end of a title; odds of one in a number; the number of
Kittens, one fewer than players."""

OWN = set(
    """help.how.pair help.how.triple house.combos.five house.fault.text kind.five layout.phone.what
    layout.side.what lobby.alone now.combo.triple practice practise.what setup.aside special.five
    special.triple undo.ask.what""".split()
)
"""What the panel has a figure of by itself: how wide a window is, two robots to practise with, two
cards put aside, how long the others are asked; and what each combo is called."""


GAMES_OWN = {"nope", "kitten"}
"""What everybody calls the two things that the game is about, whatever stands on their cards."""


VERBS = re.compile(r"\b(Shuffle|Mescola|Mescolate|Defuse|Skip)(:| (?=the|your|it|and|la |le |il ))")
"""What one does, which some cards are called, too."""


def help_texts(texts: Texts) -> dict[str, str]:
    """Return the help texts of the game in play by their place, without other games' and search
    words."""
    said = {"about": texts.about}
    said |= {f"cards.{id}.here": card.here for id, card in texts.cards.items()}
    for slug, ruling in texts.rulings.items():
        said |= {f"rulings.{slug}.title": ruling.title, f"rulings.{slug}.text": ruling.text}
    return said


def sentences(texts: Texts) -> dict[str, str]:
    """These, and the texts shown during play."""
    return help_texts(texts) | {
        f"{section}.{key}": text
        for section in ("refused", "log", "say")
        for key, text in getattr(texts, section).items()
    }


@pytest.mark.parametrize("language", FIGURES)
@pytest.mark.parametrize("name", ALL)
def test_no_sentence_has_a_bare_figure(name: str, language: str) -> None:
    figure = re.compile(rf"\b(\d+|{'|'.join(FIGURES[language].split())})\b", re.IGNORECASE)
    found = {
        place
        for place, text in help_texts(ALL[name].texts[language]).items()
        if figure.search(NAME.sub("", text)) and place.split(".")[1] not in SAME
    }
    assert not found


def figures(said: Iterable[tuple[str, str]], language: str) -> set[str]:
    """The keys of what has a figure of its own, also in letters, that nothing explains."""
    plain = ((key, NOT_SAID.sub("", NAME.sub("", text))) for key, text in said)
    found = {key for key, text in plain if NUMBERS[language].search(text)}
    return found - RULED - COUNTED - OWN


@pytest.mark.parametrize("language", FIGURES)
@pytest.mark.parametrize("name", [name for name in ALL if name not in ("quarantined", "assault")])
def test_a_classic_games_texts_have_only_figures_that_are_always_true(
    name: str, language: str
) -> None:
    cats = {f"cards.{card.id}" for card in ALL[name].cards if card.effect == "cat"}
    said = [
        (re.sub(r"^(cards|rulings)(\..*)\.\w+$", r"\1\2", place), text)
        for place, text in sentences(ALL[name].texts[language]).items()
    ]
    assert figures(said, language) <= cats


@pytest.mark.parametrize("file", sorted(WORDS.rglob("*.json")), ids=str)
def test_the_panels_texts_have_only_figures_that_are_always_true(file: Path) -> None:
    said = [
        (key, str(form))
        for key, words in json.loads(file.read_text("utf-8")).items()
        for form in ([words] if isinstance(words, str) else words.values())
    ]
    assert not figures(said, file.stem)


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
    found = {
        (place, title)
        for place, text in sentences(texts).items()
        for title in titles.values()
        if re.search(rf"\b{re.escape(title)}\b", VERBS.sub("", NAME.sub("", text)))
    }
    assert not found


def test_a_house_variant_speaks_of_its_own_cards(folder: Path) -> None:
    edit(folder, "variant.toml", *BIGGER)
    edit(folder, "en.toml", ('title = "Skip"', 'title = "Snooze"'))
    said = load(folder).words
    prepared = said.rulings["prepare-in-order"].text
    assert "shuffle the other 14. Put 2 away" in prepared
    assert "the last 8 and lay these 9 face down, 3 rows of 3" in prepared
    assert said.rulings["skip-ends-turn"].title == "Snooze"
    assert "4 Snooze" in said.rulings["deck-of-fifteen"].text
    assert said.rulings["deck-of-fifteen"].title == "16 cards each"
    whole = " ".join(sentences(said).values())
    assert "Skip" not in whole and not NAME.search(whole)


def test_texts_of_a_classic_game_follow_its_house_rules() -> None:
    """Rulings paw-prints, combos-of-this-edition, attack-stacks, extra-defuses."""
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
        said, other = (apply(party, one, 4).words for one in (before, after))
        for slug in (
            "combos-of-this-edition", "five-different", "attack-stacks", "extra-defuses",
        ):  # fmt: skip
            assert said.rulings[slug].text != other.rulings[slug].text, slug
        assert said.cards["attack"].here != other.cards["attack"].here
    said = apply(party, changes, 4).words
    assert said.rulings["combos-of-this-edition"].text.startswith(
        "Pairs, no triples, five different cards."
    )
    assert said.cards["tacocat"].here == "Does nothing alone. Two of a kind steal a card."
    assert "no more" in said.rulings["attack-stacks"].text
    assert "exactly one" in said.rulings["extra-defuses"].text


def test_a_figure_that_there_is_not_is_a_fault(folder: Path) -> None:
    edit(folder, "en.toml", ("{deal.put_away} away", "{deal.put_off} away"))
    with pytest.raises(Faults, match=r"house/en.toml: deal.put_off: is no figure"):
        load(folder)


def test_a_variant_that_is_stored_with_its_figures_reads_as_ever() -> None:
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
        for key, said in json.loads(file.read_text("utf-8")).items()
        for form in ([said] if isinstance(said, str) else said.values())
    ]
    assert not {
        (key, title)
        for key, form in forms
        for title in titles
        if re.search(rf"\b{re.escape(title)}\b", VERBS.sub("", NAME.sub("", str(form))))
    }
