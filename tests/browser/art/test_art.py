"""Tests for the promises of docs/art.md: contrast and size, and no content that the content
security policy blocks."""

import gzip
import re
import struct
from pathlib import Path

import pytest

from tests.support.paths import ROOT

ART = ROOT / "static/art"
TOKENS = ROOT / "static/css/tokens.css"
TITLES = ("kitten", "defuse", "look", "favor", "nope", "shuffle", "skip")

TEXT = [
    *(
        f"{text} on {ground}"
        for text in ("ink", "soft", "link", "danger", "good")
        for ground in ("ground", "card")
    ),
    *(f"on-{title} on {title}" for title in TITLES),
    "danger-ink on danger",
    "good-ink on good",
    "you-ink on you",
    "on-back on back",
    *(f"print on seat-{seat}" for seat in range(10)),
    "print on paper",
    "print on told",
    "print on blaze",
    "paper on nope",
]
MARKS = [
    *(
        f"{mark} on {ground}"
        for mark in ("rule", "focus", "told-edge")
        for ground in ("ground", "card")
    ),
    "told on back",
    "paper on back",
]


def colours(scheme: int) -> dict[str, str]:
    """Return every colour token as ``#rrggbb``, by name. ``scheme`` is 0 for light, 1 for dark."""
    found = {}
    for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", TOKENS.read_text("utf-8")):
        both = re.fullmatch(r"light-dark\((#\w{6}), (#\w{6})\)", value)
        if both or re.fullmatch(r"#\w{6}", value):
            found[name] = both[scheme + 1] if both else value
    return found


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` as defined by WCAG."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["day", "night"])
@pytest.mark.parametrize(
    ("pair", "least"), [*((pair, 4.5) for pair in TEXT), *((pair, 3.0) for pair in MARKS)]
)
def test_contrast(pair: str, least: float, scheme: int) -> None:
    one, other = pair.split(" on ")
    found = colours(scheme)
    dark, light = sorted((luminance(found[one]), luminance(found[other])))
    assert (light + 0.05) / (dark + 0.05) >= least


LATER = ("scenes.js", "howto.js", "preparation.js", "wordmark.js", "layouts.js")
"""Pictures that aren't part of the first load, because pages load them only when needed."""


def test_the_pictures_of_a_first_load_weigh_at_most_15_kb_compressed() -> None:
    first = [file for file in sorted(ART.glob("*.js")) if file.name not in LATER]
    files = [*first, ART / "art.css", TOKENS]
    # Pages load bundles without comments.
    contents = [re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.S) for file in files]
    assert sum(len(gzip.compress(text.encode())) for text in contents) <= 15 * 1024


@pytest.mark.parametrize("file", sorted(ART.glob("*.*")), ids=lambda file: file.name)
def test_nothing_that_a_strict_csp_stops_or_another_host_serves(file: Path) -> None:
    text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"\sstyle=|<style|<script|https?:|@import|\burl\(", text)


def test_phones_that_draw_no_svg_find_an_icon() -> None:
    for side in (180, 192, 512):
        head = (ROOT / f"static/icon-{side}.png").read_bytes()[:24]
        assert head.startswith(b"\x89PNG")
        assert struct.unpack(">II", head[16:]) == (side, side)
    named = (ROOT / "static/manifest.webmanifest").read_text()
    assert "static/icon-192.png" in named and "static/icon-512.png" in named
    link = 'static/icon-180.png">'
    assert all(link in (ROOT / f"static/{page}.html").read_text() for page in ("index", "table"))
