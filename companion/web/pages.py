"""The HTML pages and their files, QR codes, and the server's health and metrics."""

import hashlib
import io
import re
import time
from functools import lru_cache, partial
from hmac import compare_digest
from pathlib import Path, PurePosixPath

import segno
from flask import Blueprint, Response, redirect, request, send_from_directory
from markupsafe import escape
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as Sent

from companion.adapters.hand_over import HandOver
from companion.service import codec
from companion.service.errors import Fault
from companion.service.tables import Tables
from companion.settings import folder
from companion.web import link_preview, panel_texts
from companion.web.address import Address
from companion.web.connection import bearer, require_code
from companion.web.metrics import Metrics
from companion.web.request_guards import ENTRANCE, RequestGuards
from companion.web.responses import json_response

FOREVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
A_DAY = "public, max-age=86400"  # for the icons of the browser's tab, which change at every turn

KINDS = {
    ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
    ".png": "image/png", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
}  # fmt: skip
"""The media types of the panel's files. Windows may list others in its registry. With those, a
browser wouldn't run the scripts."""

RELATIVE = re.compile(rb'(?:(?<=href=")|(?<=src="))(?=\w)')
"""Matches the start of each relative link in a page. Links are relative, so that the server can be
published under any path."""

FIRST_WORDS = {
    "index.html": ("", "late/"),
    "table.html": ("",),
    "replay.html": ("", "replay/", "late/"),
    "room.html": ("", "late/"),
}
"""The folders of texts that are embedded in each page, so that the page can show them at once."""

TYPED = re.compile(r"/(?:t/)?([^/]+?)(/replay/\d+)?/?", re.IGNORECASE)
"""Matches the path of a table or a replay, even if a person typed it inexactly."""

PLAIN = "The panel's files are missing: this server answers programs, not browsers."


def blueprint(
    tables: Tables, metrics: Metrics, gates: RequestGuards, address: Address, token: str,
    hand_over: HandOver,
) -> Blueprint:  # fmt: skip
    pages = Blueprint("pages", __name__, static_folder=None)
    add_files(pages)
    pages.before_app_request(redirect_typed)

    addresses = {
        "index": "/",
        "room": "/t/new",
        "table": "/t/<typed>",
        "replay": "/t/<typed>/replay/<number>",
    }
    for name, path in addresses.items():
        pages.add_url_rule(path, name, partial(page, f"{name}.html", address))

    @pages.get("/offline")
    def offline() -> Response:
        static = folder("static")
        if not (static / "offline.html").is_file():
            raise NotFound
        html = (static / "offline.html").read_text("utf-8")
        language = _requested_language()
        texts = panel_texts.texts(static, language)
        texts |= panel_texts.texts(static, f"offline/{language}")
        filled = re.sub(r"\{([\w.]+)\}", lambda match: escape(texts[match[1]]), html)
        return Response(filled, mimetype="text/html")

    @pages.get("/t/<typed>/qr.svg")
    def qr_code(typed: str) -> Response:
        code = require_code(typed)
        claim = request.args.get("claim", "")
        fragment = f"#claim={claim}" if re.fullmatch(r"[\w-]{20,100}", claim) else ""
        link = address.link(request, f"t/{code}{fragment}")
        return Response(_qr_code(link), mimetype="image/svg+xml")

    @pages.get("/qr.svg")
    def qr_code_of_start_page() -> Response:
        return Response(_qr_code(address.link(request, "")), mimetype="image/svg+xml")

    @pages.get("/healthz")
    def healthy() -> Response:
        is_healthy = tables.is_healthy()
        damaged = len(tables.live.damages)
        health = {"ok": is_healthy} | ({"damaged": damaged} if damaged else {})
        return json_response(health, 200 if is_healthy else 503)

    @pages.get("/readyz")
    def ready() -> Response:
        if hand_over.begun:
            return json_response({"ok": False, "moving": True}, 503)
        is_ready = tables.is_ready()
        return json_response({"ok": is_ready, "store": is_ready}, 200 if is_ready else 503)

    @pages.get("/metrics")
    def figures() -> Response:
        if ENTRANCE in request.environ or not (token or gates.is_local(request.environ)):
            raise Fault("forbidden")
        sent = bearer(request.environ) or ""
        if token and not compare_digest(sent.encode("latin-1", "replace"), token.encode()):
            raise Fault("unauthenticated")
        return Response(metrics.text(), mimetype="text/plain; version=0.0.4")

    return pages


def add_files(pages: Blueprint) -> None:
    """Add the static files: scripts, styles, pictures and the panel's texts."""
    static = folder("static")

    @pages.get("/static/text/<path:name>.json")
    def send_panel_texts(name: str) -> Response:
        try:
            answer = json_response(panel_texts.texts(static, name))
        except FileNotFoundError:
            raise NotFound from None
        answer.headers["Cache-Control"] = FOREVER if request.args.get("v") else ASK_FIRST
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    @pages.get("/static/<path:path>")
    def file(path: str) -> Response:
        if path.startswith("lean/") or request.args.get("v"):
            return _send_file(static, path, FOREVER)
        return _send_file(static, path, A_DAY if path.endswith(".svg") else ASK_FIRST)

    for name in ("sw.js", "manifest.webmanifest", "favicon.ico"):
        pages.add_url_rule(f"/{name}", Path(name).stem, partial(_send_file, static, name))


def page(name: str, address: Address, **_typed: str) -> Response:
    html = _page_with_texts(name)
    if html is None:
        return Response(PLAIN, mimetype="text/plain")
    texts = panel_texts.texts(folder("static"), f"preview/{_requested_language()}")
    tags = link_preview.render_tags(name, texts, address.link(request, link_preview.PICTURE))
    html = html.replace(b"  </head>", tags + b"  </head>", 1)
    answer = Response(html, mimetype="text/html")
    answer.headers["Cache-Control"] = ASK_FIRST
    answer.vary.add("Accept-Language")
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def redirect_typed() -> Sent | None:
    """Redirect to a table whose address was typed inexactly, such as ``/kxqf7h``.

    Return None if the page exists, or the address contains no table's code.
    """
    if not isinstance(request.routing_exception, NotFound):
        return None
    match = TYPED.fullmatch(request.path)
    code = codec.parse_code(match[1]) if match else None
    return (
        redirect(f"{_path_to_root()}t/{code}{(match[2] or '').lower()}") if match and code else None
    )


def not_found_page() -> Response:
    """Return the start page with the status 404. The page's script reports what is missing."""
    html = _page_with_texts("index.html")
    if html is None:
        return Response(PLAIN, 404, mimetype="text/plain")
    return Response(RELATIVE.sub(_path_to_root().encode(), html), 404, mimetype="text/html")


def _page_with_texts(name: str) -> bytes | None:
    """Return a page with the texts that it needs first, as JSON in the reader's language.

    Return None if the page's file is missing.
    """
    static = folder("static")
    file = (static / "lean" if bundles_are_current(static) else static) / name
    if not file.is_file():
        return None
    texts = {
        part: panel_texts.texts(static, f"{part}{_requested_language()}")
        for part in FIRST_WORDS[name]
    }
    data = codec.encode(texts).replace(b"<", b"\\u003c")
    script = b'<script type="application/json" id="words">%b</script>' % data
    return file.read_bytes().replace(b"</body>", script + b"</body>")


def _requested_language() -> str:
    """Return the panel's language that the reader's browser prefers, or English."""
    available = panel_texts.languages(folder("static"))
    return panel_texts.choose_language(panel_texts.requested_languages(request), available) or "en"


def _path_to_root() -> str:
    """Return the relative path from the requested page to the server's root."""
    return "../" * (request.path.count("/") - 1)


def bundles_are_current(static: Path) -> bool:
    """Return True if the bundles in ``static/lean/`` were built from the current ``static/``.

    If a developer has edited a module since the bundles were built, the server sends the sources
    instead. The result is cached for a second.
    """
    return _check_stamp(static, int(time.monotonic()))


@lru_cache(maxsize=1)
def _check_stamp(static: Path, _second: int) -> bool:
    stamp = static / "lean/stamp"
    if not stamp.is_file():
        return False
    files = (path for kind in ("js", "css", "html") for path in static.rglob(f"*.{kind}"))
    sources = [path for path in files if path.relative_to(static).parts[0] != "lean"]
    # Windows would sort paths without regard to case.
    sources.sort(key=lambda path: path.relative_to(static).parts)
    changed = max(path.stat().st_mtime_ns for path in sources)
    return stamp.read_text() == _digest(tuple(sources), changed)


@lru_cache(maxsize=1)
def _digest(sources: tuple[Path, ...], _changed: int) -> str:
    """Return the hash of these files. The hash is cached until one of the files has changed."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def _send_file(folder: Path, name: str, caching: str = ASK_FIRST) -> Response:
    kind = KINDS.get(PurePosixPath(name).suffix)
    answer = send_from_directory(folder, name, mimetype=kind, conditional=True)
    answer.headers["Cache-Control"] = caching
    return answer


def _qr_code(link: str) -> bytes:
    """Return a QR code as SVG: black on white, with a margin so that cameras can read it."""
    drawing = io.BytesIO()
    segno.make(link, error="m").save(
        drawing, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, title=None
    )
    return drawing.getvalue()
