"""A language is only a set of files, and its missing texts are shown in English."""

import json
import shutil
from pathlib import Path

import pytest

from companion import settings
from companion.rules.families import load
from companion.rules.text import sentences
from companion.rules.variants.files import language_shares
from companion.rules.variants.loading import Faults
from companion.web import panel_texts
from tests.rules.test_variant import folder
from tests.support.servers.server import RealServer

__all__ = ["folder"]

STATIC = settings.folder("static")
VARIANTS = settings.folder("variants")


@pytest.fixture
def text_folder(tmp_path: Path) -> Path:
    """Return a copy of the panel's texts with three texts in another language."""
    shutil.copytree(STATIC / "text", tmp_path / "text")
    texts = {"language": "Zzz", "undo": "zurück", "help": "hülfe"}
    (tmp_path / "text/zz.json").write_text(json.dumps(texts), "utf-8")
    return tmp_path


def test_a_language_of_the_panel_is_found_by_its_file(text_folder: Path) -> None:
    texts = panel_texts.texts(text_folder, "zz")
    assert texts["languages"] == {"en": "English", "it": "Italiano", "zz": "Zzz"}
    assert (texts["undo"], texts["menu"]) == (
        "zurück",
        panel_texts.texts(text_folder, "en")["menu"],
    )
    assert "small" not in texts, "English's small words change before English letters"
    assert panel_texts.texts(text_folder, "late/zz") == panel_texts.texts(text_folder, "late/en")
    assert panel_texts.texts(text_folder, "fr,zz,it")["lang"] == "zz"
    assert panel_texts.texts(text_folder, "fr,late")["lang"] == "en"
    with pytest.raises(FileNotFoundError):
        panel_texts.texts(text_folder, "later/zz")


def test_an_unreadable_text_file_is_reported_by_name(text_folder: Path) -> None:
    assert panel_texts.faults(text_folder) == []
    (text_folder / "text/late/zz.json").write_text('{"undo": ', "utf-8")
    (text_folder / "text/zz.json").write_text("[]", "utf-8")
    (text_folder / "text/pt-BR.json").write_text("{}", "utf-8")
    faults = panel_texts.faults(text_folder)
    names = ["text/late/zz.json", "text/pt-BR.json", "text/zz.json"]
    assert [line.partition(":")[0] for line in faults] == names


def test_a_language_of_a_variant_may_lack_sentences_and_invent_none(folder: Path) -> None:
    texts = '[cards.skip]\ntitle = "Hüpf"\n\n[log]\npassed = "{seat} paßt."\n'
    (folder / "zz.toml").write_text(texts, "utf-8")
    variant = load(folder)
    zz = variant.with_filled_texts.texts["zz"]
    en = variant.with_filled_texts.texts["en"]
    assert (zz.cards["skip"].title, zz.cards["skip"].base) == ("Hüpf", en.cards["skip"].base)
    assert (zz.log["passed"], zz.log["held"]) == ("{seat} paßt.", en.log["held"])
    assert "3 Hüpf" in zz.rulings["deck-of-fifteen"].text
    assert language_shares(folder) == "en 100%, it 100%, zz 0%"
    (folder / "zz.toml").write_text('[log]\npast = "{seat} paßt."\n', "utf-8")
    with pytest.raises(Faults, match=r"house/zz.toml: log.past: is not known"):
        load(folder)


@pytest.mark.parametrize("name", ["quarantined", "party-120"])
def test_italian_has_its_own_rule_for_small_words_before_a_name(name: str) -> None:
    """Italian "a" becomes "ad" before an A only; English "a" becomes "an" before an E or U too."""
    it = load(VARIANTS / name).texts["it"]
    for player_name, phrase in (("Anna", "ad Anna"), ("Elena", "a Elena"), ("Ugo", "a Ugo")):
        sentence = sentences.fill_sentence(
            it.log["turn_began"], it.small, {"seat": player_name}, {"seat": "s1"}
        )
        assert sentence.startswith(f"Tocca {phrase}."), sentence


def test_every_included_language_is_complete() -> None:
    keys_by_language = panel_texts.keys_by_language(STATIC)
    assert {
        language: keys_by_language["en"] - keys for language, keys in keys_by_language.items()
    } == {language: set() for language in keys_by_language}


def test_the_server_lists_its_languages(server: RealServer) -> None:
    response = server.get("/static/text/it.json")
    assert response.json["languages"] == {"en": "English", "it": "Italiano"}
    assert response.json["undo"] == "Annulla"
    etag = {"If-None-Match": response.headers["ETag"]}
    assert server.get("/static/text/it.json", **etag).status == 304
    assert server.get("/static/text/xx,it,en.json").json["lang"] == "it"
    assert server.get("/static/text/late/xx.json").json
    for name in ("later/it", "../it", "it/../en", "IT", "it,", ",".join(["it"] * 21)):
        assert server.get(f"/static/text/{name}.json").status == 404


def test_a_tables_texts_come_in_the_first_available_language(server: RealServer) -> None:
    code = server.create_table("Ana").table
    for requested, languages in (("it", {"en", "it"}), ("xx,it,en", {"en", "it"}), ("xx", {"en"})):
        assert {
            *server.get(f"/api/tables/{code}/variant?language={requested}").json["texts"]
        } == languages


def test_companion_variants_reports_how_complete_each_language_is(server: RealServer) -> None:
    output = server.run("variants").stdout
    assert "quarantined: Draw grid (en 100%, it 100%)" in output
    assert "The panel itself (en 100%, it 100%)" in output
