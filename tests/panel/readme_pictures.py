"""The README's pictures, from real scenes: ``python -m tests.panel.readme_pictures``.

They are flat drawings, so 64 colours do: a palette makes a picture a third as heavy.
"""

import base64
import struct
import zlib
from collections import Counter

from playwright.sync_api import Page

from tests.panel.shots import ROOT, SIZES, Looker, chromium

PICTURES = {
    "lobby": "lobby-host",
    "told": "act-turn",
    "window": "window-could",
    "end": "over-winner",
}
COLOURS = 64

PIXELS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const data = canvas.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (const byte of data) text += String.fromCharCode(byte);
  return btoa(text);
}"""

Colour = tuple[int, int, int]


def pixels(page: Page, png: bytes) -> list[Colour]:
    data = base64.b64decode(page.evaluate(PIXELS, base64.b64encode(png).decode()))
    return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 4)]


def palette(colours: list[Colour]) -> list[Colour]:
    """The commonest colours that can be told apart."""
    found: list[Colour] = []
    for colour, _ in Counter(colours).most_common():
        if len(found) < COLOURS and all(far(colour, known) > 200 for known in found):
            found.append(colour)
    return found


def far(one: Colour, other: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def png(colours: list[Colour], width: int) -> bytes:
    """The picture with a palette of its own."""
    known = palette(colours)
    nearest = {c: min(range(len(known)), key=lambda at: far(known[at], c)) for c in set(colours)}
    row = range(0, len(colours), width)
    lines = [bytes([0, *(nearest[c] for c in colours[at : at + width])]) for at in row]
    head = struct.pack(">IIBBBBB", width, len(lines), 8, 3, 0, 0, 0)
    plte = bytes(channel for colour in known for channel in colour)
    body = zlib.compress(b"".join(lines), 9)
    parts = ((b"IHDR", head), (b"PLTE", plte), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    with chromium() as browser:
        looker = Looker(browser, SIZES[0], "light", "en")
        for picture, name in PICTURES.items():
            page = looker.show(name)
            page.wait_for_timeout(300)
            shot = page.screenshot(caret="initial", scale="css")
            (folder / f"{picture}.png").write_bytes(png(pixels(page, shot), SIZES[0][0]))


if __name__ == "__main__":
    main()
