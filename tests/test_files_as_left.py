"""Files as other programs leave them: with a mark before the text, beside unseen ones of the
system, under another name, compressed or in another encoding."""

import bz2
import codecs
import gzip
import io
import json
import lzma
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import settings
from companion.rules.core.files import shares
from companion.rules.core.loading import Faults
from companion.rules.families import load_all
from companion.service.games.reading import Unreadable, parse_and_replay
from companion.web import panel_texts
from tests.server import ROOT, RealServer
from tests.test_cli import companion
from tests.test_variant import folder

__all__ = ["folder"]

HERE = settings.default_variants()
GAME = (ROOT / "tests/replays/1-grid.json").read_bytes()
RULES = {
    "format": "hiss-rules", "version": 1, "like": "house",
    "rules": {"cards": {"skip": 4}, "deal": {"put_away": 5}},
}  # fmt: skip
APPLE = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X"


@pytest.fixture
def variants(folder: Path) -> Path:
    """A folder with a variant called house, and house rules of it."""
    text = (folder / "variant.toml").read_text("utf-8")
    (folder / "variant.toml").write_text(text.replace('"quarantined"', '"house"', 1), "utf-8")
    (folder.parent / "snoozy.json").write_text(json.dumps(RULES), "utf-8")
    return folder.parent


def wrong(variants: Path) -> list[str]:
    """Return the error lines for these variants."""
    try:
        load_all(variants, beside=HERE)
    except Faults as faults:
        return faults.lines
    return []


def test_158_a_mark_before_a_text_is_read_over(variants: Path) -> None:
    for file in (*variants.rglob("*.toml"), *variants.rglob("*.json")):
        file.write_bytes(codecs.BOM_UTF8 + file.read_bytes())
    found = load_all(variants, beside=HERE)
    assert {*found} == {"house", "snoozy"}
    assert (
        found["house"].with_filled_texts.texts["it"]
        == load_all(HERE)["quarantined"].with_filled_texts.texts["it"]
    )


def test_158_unseen_files_of_the_system_are_passed_over(variants: Path) -> None:
    for name in ("house/._en.toml", "house/._variant.toml", "._snoozy.json", "._house"):
        (variants / name).write_bytes(APPLE)
    (variants / ".kept").mkdir()
    shutil.copy(variants / "house/variant.toml", variants / ".kept/variant.toml")
    assert {*load_all(variants, beside=HERE)} == {"house", "snoozy"}
    assert shares(variants / "house") == "en 100%, it 100%"


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("EN.toml", "en.toml"), ("pt-BR.toml", "pt.toml"), ("en (copy).toml", "en.toml"),
        ("it_IT.toml", "it.toml"), ("2.toml", "en.toml"),
    ],
)  # fmt: skip
def test_158_a_file_that_is_called_like_no_language_is_named_alone(
    variants: Path, name: str, right: str
) -> None:
    (variants / "house/en.toml").rename(variants / "house" / name)
    [line] = wrong(variants)
    assert line.startswith(f"house/{name}: no language is called so: ") and f" {right}," in line


def test_158_a_fault_is_reported_once_without_its_consequences(variants: Path) -> None:
    for name in ("quick", "quicker"):
        (variants / name).mkdir()
        like = f'format = 1\nid = "{name}"\nlike = "{"house" if name == "quick" else "quick"}"\n'
        (variants / name / "variant.toml").write_text(like, "utf-8")
    assert wrong(variants) == []
    file = variants / "house/variant.toml"
    sound = file.read_text("utf-8")
    file.write_text(sound.replace("seconds = 8", "seconds = 9999"), "utf-8")
    [line] = wrong(variants)
    assert line.startswith("house/variant.toml: window: ")
    file.write_bytes(sound.encode("utf-16"))
    assert wrong(variants) == [
        "house/variant.toml: can't be read: it is written in UTF-16: save it as UTF-8"
    ]
    file.write_text(sound, "utf-8")
    own = variants / "quick/variant.toml"
    own.write_text(own.read_text("utf-8") + "joker = 1\n", "utf-8")
    assert wrong(variants) == ["quick/variant.toml: joker: is not known"]


def test_158_the_panels_words_are_read_as_they_are_left(tmp_path: Path) -> None:
    shutil.copytree(settings.folder("static") / "text", tmp_path / "text")
    sound = (tmp_path / "text/it.json").read_bytes()
    (tmp_path / "text/it.json").write_bytes(codecs.BOM_UTF8 + sound)
    (tmp_path / "text/._it.json").write_bytes(APPLE)
    (tmp_path / "text/late/._it.json").write_bytes(APPLE)
    assert panel_texts.faults(tmp_path) == []
    assert panel_texts.texts(tmp_path, "it")["undo"] == "Annulla"
    assert {*panel_texts.keys_by_language(tmp_path)} == {"en", "it"}
    (tmp_path / "text/pt-BR.json").write_text("{}", "utf-8")
    [line] = panel_texts.faults(tmp_path)
    assert line.startswith("text/pt-BR.json: no language is called so") and "pt.json" in line


def test_158_a_saved_game_opens_with_a_mark_before_it(
    serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    assert parse_and_replay(codecs.BOM_UTF8 + GAME).document == parse_and_replay(GAME).document
    assert serve().post("/api/replays", codecs.BOM_UTF8 + GAME).status == 200
    (tmp_path / "game.json").write_bytes(codecs.BOM_UTF8 + GAME)
    grid = json.loads(GAME)["variant"].get("family", "grid") == "grid"
    assert grid and companion("check", str(tmp_path / "game.json")).returncode == 0


def zip_bytes(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("game.json", content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "what", "why"),
    [
        (gzip.compress(GAME), "packed", "compressed (gzip): unpack it first"),
        (zip_bytes(GAME), "packed", "compressed (zip): unpack it first"),
        (bz2.compress(GAME), "packed", "compressed (bzip2): unpack it first"),
        (lzma.compress(GAME), "packed", "compressed (xz): unpack it first"),
        (GAME.decode().encode("utf-16"), "encoded", "written in UTF-16: save it as UTF-8"),
        (GAME.decode().encode("utf-16-be"), "encoded", "written in UTF-16: save it as UTF-8"),
        (GAME.decode().encode("utf-32"), "encoded", "written in UTF-32: save it as UTF-8"),
    ],
)
def test_158_a_game_that_was_packed_or_written_otherwise_is_refused_with_what_it_is(
    content: bytes, what: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(Unreadable) as refused:
        parse_and_replay(content)
    assert refused.value.what == what and why in refused.value.why
    (tmp_path / "game.json").write_bytes(content)
    ended = companion("replay", str(tmp_path / "game.json"))
    assert ended.returncode == 1 and why in ended.stderr and "Traceback" not in ended.stderr


def test_158_the_server_names_the_kind_of_file_that_it_cannot_read(server: RealServer) -> None:
    for content, what in (
        (gzip.compress(GAME), "packed"),
        (GAME.decode().encode("utf-16"), "encoded"),
    ):
        error = server.post("/api/replays", content).error
        assert (error["code"], error["facts"]["what"]) == ("bad_request", f"file-{what}")
