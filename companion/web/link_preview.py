"""Tags that describe a page to chat programs, which show them as the preview of a link.

The tags are the same for each table, whether or not it exists, so a preview can't reveal anything
about a table. They contain no address of the page: a chat program then uses the link as its sender
wrote it.
"""

from collections.abc import Mapping

from markupsafe import escape

PICTURE = "static/preview.png"
WIDTH, HEIGHT = 1200, 630  # the size that chat programs ask for

TEXTS = {
    "index.html": ("preview.home.title", "preview.home.what"),
    "room.html": ("preview.table.title", "preview.table.what"),
    "table.html": ("preview.table.title", "preview.table.what"),
    "replay.html": ("preview.replay.title", "preview.replay.what"),
}
"""The keys of each page's title and description."""


def render_tags(page: str, texts: Mapping[str, object], picture: str) -> bytes:
    """Return the tags of a page.

    ``page`` is the name of its file, and ``picture`` the picture's whole address. Chat programs
    show PNG, but not SVG.
    """
    title, what = (texts[key] for key in TEXTS[page])
    properties = {
        "og:type": "website",
        "og:site_name": "Hiss",
        "og:title": title,
        "og:description": what,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": WIDTH,
        "og:image:height": HEIGHT,
        "og:image:alt": texts["preview.picture"],
    }
    names = {"description": what, "twitter:card": "summary_large_image"}
    lines = [f'<meta name="{name}" content="{escape(text)}">' for name, text in names.items()]
    lines += [
        f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items()
    ]
    return "".join(f"    {line}\n" for line in lines).encode()
