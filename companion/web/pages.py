"""The pages, their files, QR codes, and how the server is."""

import hashlib
import io
import re
import time
from functools import lru_cache, partial
from hmac import compare_digest
from pathlib import Path

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
from companion.web import panel_texts
from companion.web.address import Address
from companion.web.connection import bearer, code_of
from companion.web.metrics import Metrics
from companion.web.request_guards import RequestGuards
from companion.web.responses import json_response

FOREVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
A_DAY = "public, max-age=86400"  # the tab's pictures: it bears another one with every turn

RELATIVE = re.compile(rb'(?:(?<=href=")|(?<=src="))(?=\w)')
"""Where a page names one of its files: from its own address, so that it may lie under any path."""

FIRST_WORDS = {
    "index.html": ("", "late/"),
    "table.html": ("",),
    "replay.html": ("", "replay/", "late/"),
}
"""The folders of words that a page says first: they come with it, so that it is never without."""

TYPED = re.compile(r"/(?:t/)?([^/]+?)(/replay/\d+)?/?", re.IGNORECASE)
"""A table's address, or a replay's, as a person may write it."""

PLAIN = "The panel's files are missing: this server answers programs, not browsers."


def blueprint(
    tables: Tables, metrics: Metrics, gates: RequestGuards, address: Address, token: str,
    hand_over: HandOver,
) -> Blueprint:  # fmt: skip
    pages = Blueprint("pages", __name__, static_folder=None)
    with_files(pages)
    pages.before_app_request(lead)

    addresses = {"index": "/", "table": "/t/<typed>", "replay": "/t/<typed>/replay/<number>"}
    for name, path in addresses.items():
        pages.add_url_rule(path, name, partial(page, f"{name}.html"))

    @pages.get("/offline")
    def offline() -> Response:
        static = folder("static")
        if not (static / "offline.html").is_file():
            raise NotFound
        html = (static / "offline.html").read_text("utf-8")
        said = panel_texts.texts(static, _requested_languages()) | panel_texts.texts(
            static, f"offline/{_requested_languages()}"
        )
        filled = re.sub(r"\{([\w.]+)\}", lambda found: escape(said[found[1]]), html)
        return Response(filled, mimetype="text/html")

    @pages.get("/t/<typed>/qr.svg")
    def qr_code(typed: str) -> Response:
        code = code_of(typed)
        claim = request.args.get("claim", "")
        opens = f"#claim={claim}" if re.fullmatch(r"[\w-]{20,100}", claim) else ""
        link = address.link(request, f"t/{code}{opens}")
        return Response(_qr_code(link), mimetype="image/svg+xml")

    @pages.get("/healthz")
    def healthy() -> Response:
        well = tables.healthy()
        damaged = len(tables.live.damages)
        told = {"ok": well} | ({"damaged": damaged} if damaged else {})
        return json_response(told, 200 if well else 503)

    @pages.get("/readyz")
    def ready() -> Response:
        if hand_over.begun:
            return json_response({"ok": False, "moving": True}, 503)
        well = tables.ready()
        return json_response({"ok": well, "store": well}, 200 if well else 503)

    @pages.get("/metrics")
    def figures() -> Response:
        if not token and not gates.is_local(request.environ):
            raise Fault("forbidden")
        said = bearer(request.environ) or ""
        if token and not compare_digest(said.encode("latin-1", "replace"), token.encode()):
            raise Fault("unauthenticated")
        return Response(metrics.text(), mimetype="text/plain; version=0.0.4")

    return pages


def with_files(pages: Blueprint) -> None:
    """Adds what every page wears."""
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


def page(name: str, **_address: str) -> Response:
    html = _page_with_texts(name)
    if html is None:
        return Response(PLAIN, mimetype="text/plain")
    answer = Response(html, mimetype="text/html")
    answer.headers["Cache-Control"] = ASK_FIRST
    answer.vary.add("Accept-Language")
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def lead() -> Sent | None:
    """Whoever wrote a table's address in another way than it is written is led to it."""
    if not isinstance(request.routing_exception, NotFound):
        return None
    found = TYPED.fullmatch(request.path)
    code = codec.as_code(found[1]) if found else None
    return redirect(f"{_up()}t/{code}{(found[2] or '').lower()}") if found and code else None


def not_found_page() -> Response:
    """Where there is nothing: the start page, which says so."""
    html = _page_with_texts("index.html")
    if html is None:
        return Response(PLAIN, 404, mimetype="text/plain")
    return Response(RELATIVE.sub(_up().encode(), html), 404, mimetype="text/html")


def _page_with_texts(name: str) -> bytes | None:
    """A page with its first words as data, in the reader's language; ``None``: there is none."""
    static = folder("static")
    file = (static / "lean" if lean_is_fresh(static) else static) / name
    if not file.is_file():
        return None
    said = {
        part: panel_texts.texts(static, f"{part}{_requested_languages()}")
        for part in FIRST_WORDS[name]
    }
    data = codec.encode(said).replace(b"<", b"\\u003c")
    script = b'<script type="application/json" id="words">%b</script>' % data
    return file.read_bytes().replace(b"</body>", script + b"</body>")


def _requested_languages() -> str:
    """The panel's language that suits the reader."""
    there = panel_texts.languages(folder("static"))
    return panel_texts.lookup(panel_texts.wanted_by(request), there) or "en"


def _up() -> str:
    """From the address that was asked for to the server's root, under whichever path that lies."""
    return "../" * (request.path.count("/") - 1)


def lean_is_fresh(static: Path) -> bool:
    """Whether the joined files of ``static/lean/`` are made of what lies in ``static/`` now.
    Whoever changes a module sees it a second later: the joined ones are of yesterday then."""
    return _fresh(static, int(time.monotonic()))


@lru_cache(maxsize=1)
def _fresh(static: Path, _second: int) -> bool:
    stamp = static / "lean/stamp"
    if not stamp.is_file():
        return False
    found = (path for kind in ("js", "css", "html") for path in static.rglob(f"*.{kind}"))
    sources = sorted(path for path in found if path.relative_to(static).parts[0] != "lean")
    changed = max(path.stat().st_mtime_ns for path in sources)
    return stamp.read_text() == _digest(tuple(sources), changed)


@lru_cache(maxsize=1)
def _digest(sources: tuple[Path, ...], _changed: int) -> str:
    """The hash of these files, read once for as long as they don't change."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def _send_file(folder: Path, name: str, caching: str = ASK_FIRST) -> Response:
    answer = send_from_directory(folder, name, conditional=True)
    answer.headers["Cache-Control"] = caching
    return answer


def _qr_code(link: str) -> bytes:
    """Black on white with its quiet zone, which every camera reads on every background."""
    drawing = io.BytesIO()
    segno.make(link, error="m").save(
        drawing, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, title=None
    )
    return drawing.getvalue()
