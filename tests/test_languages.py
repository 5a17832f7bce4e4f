"""A language is a set of files and nothing else; missing texts fall back to English."""

import json
import shutil
from pathlib import Path

import pytest

from companion import settings
from companion.rules.core import wording
from companion.rules.core.files import shares
from companion.rules.core.loading import Faults
from companion.rules.families import load
from companion.web import panel_texts
from tests.server import RealServer
from tests.test_variant import folder

__all__ = ["folder"]

STATIC = settings.folder("static")
VARIANTS = settings.folder("variants")


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """The panel's words, and three of another language."""
    shutil.copytree(STATIC / "text", tmp_path / "text")
    own = {"language": "Zzz", "undo": "zurück", "help": "hülfe"}
    (tmp_path / "text/zz.json").write_text(json.dumps(own), "utf-8")
    return tmp_path


def test_a_language_of_the_panel_is_found_by_its_file(static: Path) -> None:
    said = panel_texts.texts(static, "zz")
    assert said["languages"] == {"en": "English", "it": "Italiano", "zz": "Zzz"}
    assert (said["undo"], said["menu"]) == ("zurück", panel_texts.texts(static, "en")["menu"])
    assert "small" not in said, "English's small words change before English letters"
    assert panel_texts.texts(static, "late/zz") == panel_texts.texts(static, "late/en")
    assert panel_texts.texts(static, "fr,zz,it")["lang"] == "zz"
    assert panel_texts.texts(static, "fr,late")["lang"] == "en"
    with pytest.raises(FileNotFoundError):
        panel_texts.texts(static, "later/zz")


def test_a_file_of_words_that_cannot_be_read_is_named(static: Path) -> None:
    assert panel_texts.faults(static) == []
    (static / "text/late/zz.json").write_text('{"undo": ', "utf-8")
    (static / "text/zz.json").write_text("[]", "utf-8")
    (static / "text/pt-BR.json").write_text("{}", "utf-8")
    told = panel_texts.faults(static)
    names = ["text/late/zz.json", "text/pt-BR.json", "text/zz.json"]
    assert [line.partition(":")[0] for line in told] == names


def test_a_language_of_a_variant_may_lack_sentences_and_invent_none(folder: Path) -> None:
    texts = '[cards.skip]\ntitle = "Hüpf"\n\n[log]\npassed = "{seat} paßt."\n'
    (folder / "zz.toml").write_text(texts, "utf-8")
    variant = load(folder)
    zz = variant.with_filled_texts.texts["zz"]
    en = variant.with_filled_texts.texts["en"]
    assert (zz.cards["skip"].title, zz.cards["skip"].base) == ("Hüpf", en.cards["skip"].base)
    assert (zz.log["passed"], zz.log["held"]) == ("{seat} paßt.", en.log["held"])
    assert "3 Hüpf" in zz.rulings["deck-of-fifteen"].text
    assert shares(folder) == "en 100%, it 100%, zz 0%"
    (folder / "zz.toml").write_text('[log]\npast = "{seat} paßt."\n', "utf-8")
    with pytest.raises(Faults, match=r"house/zz.toml: log.past: is not known"):
        load(folder)


@pytest.mark.parametrize("name", ["quarantined", "party-120"])
def test_the_small_words_of_english_change_before_no_other_languages_names(name: str) -> None:
    """Italian's “a” is “ad” before an A; English's would be “an” before an E or a U as well."""
    it = load(VARIANTS / name).texts["it"]
    for who, said in (("Anna", "ad Anna"), ("Elena", "a Elena"), ("Ugo", "a Ugo")):
        told = wording.fill(it.log["turn_began"], it.small, {"seat": who}, {"seat": "s1"})
        assert told.startswith(f"Tocca {said}."), told


def test_every_language_that_comes_along_is_whole() -> None:
    said = panel_texts.keys_by_language(STATIC)
    assert {language: said["en"] - keys for language, keys in said.items()} == {
        language: set() for language in said
    }


def test_the_server_lists_its_languages(server: RealServer) -> None:
    said = server.get("/static/text/it.json")
    assert said.json["languages"] == {"en": "English", "it": "Italiano"}
    assert said.json["undo"] == "Annulla"
    etag = {"If-None-Match": said.headers["ETag"]}
    assert server.get("/static/text/it.json", **etag).status == 304
    assert server.get("/static/text/xx,it,en.json").json["lang"] == "it"
    assert server.get("/static/text/late/xx.json").json
    for name in ("later/it", "../it", "it/../en", "IT", "it,", ",".join(["it"] * 21)):
        assert server.get(f"/static/text/{name}.json").status == 404


def test_a_tables_words_come_in_the_first_language_that_they_are_in(server: RealServer) -> None:
    code = server.create_table("Ana").table
    for asked, told in (("it", {"en", "it"}), ("xx,it,en", {"en", "it"}), ("xx", {"en"})):
        assert {*server.get(f"/api/tables/{code}/variant?language={asked}").json["texts"]} == told


def test_companion_variants_reports_how_complete_each_language_is(server: RealServer) -> None:
    told = server.run("variants").stdout
    assert "quarantined: Draw grid (en 100%, it 100%)" in told
    assert "The panel itself (en 100%, it 100%)" in told
