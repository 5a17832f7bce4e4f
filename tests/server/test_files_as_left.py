"""Files as other programs leave them can be read, or are refused with the reason.

They may have a byte order mark, hidden system files beside them, an unusual name, compression or
another encoding.
"""

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
from companion.rules.families import load_all
from companion.rules.variants.files import language_shares
from companion.rules.variants.loading import Faults
from companion.service.replays.reading import Unreadable, parse_and_replay
from companion.web import panel_texts
from tests.rules.test_variant import folder
from tests.server.test_cli import companion
from tests.support.servers.server import ROOT, RealServer

__all__ = ["folder"]

BUILT_IN_VARIANTS = settings.default_variants()
GAME = (ROOT / "tests/data/replays/1-grid.json").read_bytes()
RULES = {
    "format": "hiss-rules", "version": 1, "like": "house",
    "rules": {"cards": {"skip": 4}, "deal": {"put_away": 5}},
}  # fmt: skip
APPLE_DOUBLE = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X"


@pytest.fixture
def variants(folder: Path) -> Path:
    """Return a folder with a variant called house and with house rules for it."""
    text = (folder / "variant.toml").read_text("utf-8")
    (folder / "variant.toml").write_text(text.replace('"quarantined"', '"house"', 1), "utf-8")
    (folder.parent / "snoozy.json").write_text(json.dumps(RULES), "utf-8")
    return folder.parent


def get_faults(variants: Path) -> list[str]:
    """Return the faults found when these variants are loaded."""
    try:
        load_all(variants, beside=BUILT_IN_VARIANTS)
    except Faults as faults:
        return faults.lines
    return []


def test_158_a_byte_order_mark_is_ignored(variants: Path) -> None:
    for file in (*variants.rglob("*.toml"), *variants.rglob("*.json")):
        file.write_bytes(codecs.BOM_UTF8 + file.read_bytes())
    loaded = load_all(variants, beside=BUILT_IN_VARIANTS)
    assert {*loaded} == {"house", "snoozy"}
    assert (
        loaded["house"].with_filled_texts.texts["it"]
        == load_all(BUILT_IN_VARIANTS)["quarantined"].with_filled_texts.texts["it"]
    )


def test_158_hidden_system_files_are_ignored(variants: Path) -> None:
    for name in ("house/._en.toml", "house/._variant.toml", "._snoozy.json", "._house"):
        (variants / name).write_bytes(APPLE_DOUBLE)
    (variants / ".kept").mkdir()
    shutil.copy(variants / "house/variant.toml", variants / ".kept/variant.toml")
    assert {*load_all(variants, beside=BUILT_IN_VARIANTS)} == {"house", "snoozy"}
    assert language_shares(variants / "house") == "en 100%, it 100%"


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("EN.toml", "en.toml"), ("pt-BR.toml", "pt.toml"), ("en (copy).toml", "en.toml"),
        ("it_IT.toml", "it.toml"), ("2.toml", "en.toml"),
    ],
)  # fmt: skip
def test_158_a_file_not_named_after_a_language_is_the_only_fault(
    variants: Path, name: str, right: str
) -> None:
    (variants / "house/en.toml").rename(variants / "house" / name)
    [line] = get_faults(variants)
    assert line.startswith(f"house/{name}: no language is called so: ") and f" {right}," in line


def test_158_a_fault_is_reported_once_without_its_consequences(variants: Path) -> None:
    for name in ("quick", "quicker"):
        (variants / name).mkdir()
        like = f'format = 1\nid = "{name}"\nlike = "{"house" if name == "quick" else "quick"}"\n'
        (variants / name / "variant.toml").write_text(like, "utf-8")
    assert get_faults(variants) == []
    file = variants / "house/variant.toml"
    valid = file.read_text("utf-8")
    file.write_text(valid.replace("seconds = 8", "seconds = 9999"), "utf-8")
    [line] = get_faults(variants)
    assert line.startswith("house/variant.toml: window: ")
    file.write_bytes(valid.encode("utf-16"))
    assert get_faults(variants) == [
        "house/variant.toml: can't be read: it is written in UTF-16: save it as UTF-8"
    ]
    file.write_text(valid, "utf-8")
    variant_file = variants / "quick/variant.toml"
    variant_file.write_text(variant_file.read_text("utf-8") + "joker = 1\n", "utf-8")
    assert get_faults(variants) == ["quick/variant.toml: joker: is not known"]


def test_158_the_panels_texts_may_have_marks_and_hidden_files(tmp_path: Path) -> None:
    shutil.copytree(settings.folder("static") / "text", tmp_path / "text")
    valid = (tmp_path / "text/it.json").read_bytes()
    (tmp_path / "text/it.json").write_bytes(codecs.BOM_UTF8 + valid)
    (tmp_path / "text/._it.json").write_bytes(APPLE_DOUBLE)
    (tmp_path / "text/late/._it.json").write_bytes(APPLE_DOUBLE)
    assert panel_texts.faults(tmp_path) == []
    assert panel_texts.texts(tmp_path, "it")["undo"] == "Annulla"
    assert {*panel_texts.keys_by_language(tmp_path)} == {"en", "it"}
    (tmp_path / "text/pt-BR.json").write_text("{}", "utf-8")
    [line] = panel_texts.faults(tmp_path)
    assert line.startswith("text/pt-BR.json: no language is called so") and "pt.json" in line


def test_158_a_saved_game_with_a_byte_order_mark_can_be_opened(
    serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    assert parse_and_replay(codecs.BOM_UTF8 + GAME).document == parse_and_replay(GAME).document
    assert serve().post("/api/replays", codecs.BOM_UTF8 + GAME).status == 200
    (tmp_path / "game.json").write_bytes(codecs.BOM_UTF8 + GAME)
    grid = json.loads(GAME)["variant"].get("family", "grid") == "grid"
    assert grid and companion("check", str(tmp_path / "game.json")).returncode == 0


def make_zip(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("game.json", content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "what", "why"),
    [
        (gzip.compress(GAME), "packed", "compressed (gzip): unpack it first"),
        (make_zip(GAME), "packed", "compressed (zip): unpack it first"),
        (bz2.compress(GAME), "packed", "compressed (bzip2): unpack it first"),
        (lzma.compress(GAME), "packed", "compressed (xz): unpack it first"),
        (GAME.decode().encode("utf-16"), "encoded", "written in UTF-16: save it as UTF-8"),
        (GAME.decode().encode("utf-16-be"), "encoded", "written in UTF-16: save it as UTF-8"),
        (GAME.decode().encode("utf-32"), "encoded", "written in UTF-32: save it as UTF-8"),
    ],
)
def test_158_a_compressed_or_differently_encoded_game_is_refused_with_the_reason(
    content: bytes, what: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(Unreadable) as error:
        parse_and_replay(content)
    assert error.value.what == what and why in error.value.why
    (tmp_path / "game.json").write_bytes(content)
    result = companion("replay", str(tmp_path / "game.json"))
    assert result.returncode == 1 and why in result.stderr and "Traceback" not in result.stderr


def test_158_the_server_states_why_it_cannot_read_a_file(server: RealServer) -> None:
    for content, what in (
        (gzip.compress(GAME), "packed"),
        (GAME.decode().encode("utf-16"), "encoded"),
    ):
        error = server.post("/api/replays", content).error
        assert (error["code"], error["facts"]["what"]) == ("bad_request", f"file-{what}")
