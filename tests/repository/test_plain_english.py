"""Docstrings, comments, names and pages have only a few markers of odd English."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.repository import prose


@pytest.mark.slow
@pytest.mark.parametrize("folder", prose.FOLDERS)
def test_texts_and_names_have_almost_no_markers_of_odd_english(folder: str) -> None:
    found = prose.measure_shares(prose.texts_in(folder))
    over = {marker: share for marker, share in found.items() if share > prose.LIMITS[marker]}
    assert not over, f"python -m tests.repository.prose --list {folder} names them"


@pytest.mark.parametrize(
    ("marker", "kind", "content"),
    [
        ("relative", "text", "Whether somebody may Nope."),
        ("speech", "text", "A client that is behind says so."),
        ("whoever", "text", "Close whatever is open."),
        ("measure", "text", "It is tried so often."),
        ("participle", "name", "told"),
        ("packed", "assignment", "packed"),
    ],
)
def test_each_marker_is_found(marker: str, kind: str, content: str) -> None:
    assert [*prose.find_markers(prose.Text("somewhere:1", kind, content))] == [marker]


def test_plain_texts_and_names_have_no_marker() -> None:
    plain = [
        prose.Text("somewhere:1", "text", "Return True if any living player can still Nope."),
        prose.Text("somewhere:2", "name", "apply_overlay"),
        prose.Text("somewhere:3", "name", "feed"),
        prose.Text("somewhere:4", "assignment", ""),
    ]
    assert not [marker for text in plain for marker in prose.find_markers(text)]


def test_a_string_under_a_variable_or_field_is_read(tmp_path: Path, monkeypatch: Any) -> None:
    source = 'WIDTH = 3\n"""Whether it fits."""\n\nclass Box:\n    size: int\n    """So many."""\n'
    (tmp_path / "module.py").write_text(source)
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    texts = [text.content for text in prose.texts_in("module.py") if text.kind == "text"]
    assert texts == ["Whether it fits.", "So many."]


def test_lines_of_one_comment_are_one_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    python = tmp_path / "some.py"
    python.write_text("# Keep the order\n# of arrival.\nx = 1  # ms\ny = 2  # also ms\n")
    assert get_contents(prose.python_texts(python)) == [
        "Keep the order of arrival.",
        "ms",
        "also ms",
    ]
    script = tmp_path / "some.js"
    script.write_text("// Keep the order\n// of arrival.\nlet x; // ms, a function of time\n")
    expected = ["Keep the order of arrival.", "ms, a function of time"]
    assert get_contents(prose.javascript_texts(script)) == expected


def get_contents(texts: Iterable[prose.Text]) -> list[str]:
    return [text.content for text in texts if text.kind != "assignment"]
