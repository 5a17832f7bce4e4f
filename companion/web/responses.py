"""HTTP answers: JSON, a finished game, each error in the one shape; safe, and small where it pays.
A page's files are compressed once for all, other answers each time."""

import gzip
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from math import ceil

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.rules.core.house_rules import Form
from companion.rules.core.variant import Variant
from companion.service import codec
from companion.service.errors import STATUS, Denied, Error, Fault
from companion.service.games.file import Record
from companion.service.logs import bug, line, refusals
from companion.storage.database import Busy
from companion.web import panel_texts
from companion.web.rate_limits import household

WORTH_BYTES = 1024  # smaller answers fit into one packet as they are
TEXTS = ("application/json", "application/manifest+json", "image/svg+xml")


def json_response(value: object, status: int = 200) -> Response:
    return Response(codec.encode(value), status, mimetype="application/json")


def add_handlers(
    app: Flask, error: Callable[[Fault, str | None], Error], languages: Collection[str],
    frame_ancestors: str, lost: Callable[[], Response] | None = None,
) -> None:  # fmt: skip
    """Every answer has what each has, and whatever goes wrong is in the one shape. ``error``: what
    is wrong, in that language if possible. ``lost``: what a person sees where there is no page."""

    @app.errorhandler(Exception)
    def error_response(problem: Exception) -> Response:
        if isinstance(problem, Denied):
            why = problem.error
        else:
            why = error(
                as_fault(problem), panel_texts.lookup(panel_texts.wanted_by(request), languages)
            )
        note_refusal("http", request.remote_addr or "", problem, why)
        status = problem.code if isinstance(problem, HTTPException) else STATUS[why.code]
        if not _by_a_person():
            answer = json_response({"error": why}, status or 500)
        elif status == 404 and lost:
            answer = lost()
        else:
            answer = Response(why.text, status or 500, mimetype="text/plain")
        if why.facts and "retry_after_ms" in why.facts:
            answer.headers["Retry-After"] = str(ceil(why.facts["retry_after_ms"] / 1000))
        if isinstance(problem, MethodNotAllowed) and problem.valid_methods:
            answer.headers["Allow"] = ", ".join(sorted(problem.valid_methods))
        return answer

    @app.after_request
    def add_headers(answer: Response) -> Response:
        if _is_compressible(answer):
            _compress(answer)
        sockets = "wss" if request.is_secure else "ws"
        answer.headers["Content-Security-Policy"] = (
            f"default-src 'self'; connect-src 'self' {sockets}://{request.host};"
            " img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self';"
            f" frame-ancestors {frame_ancestors}"
        )
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers["Referrer-Policy"] = "no-referrer"
        if request.is_secure:
            answer.headers["Strict-Transport-Security"] = "max-age=31536000"
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer


def _by_a_person() -> bool:
    """Whether somebody looks at an address in a browser, which is said by nothing but this."""
    looks = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
    return looks and "text/html" in request.accept_mimetypes.values()


def as_fault(problem: Exception) -> Fault:
    """Which of the wire's codes something is that went wrong."""
    if isinstance(problem, Fault):
        return problem
    if isinstance(problem, Busy):
        return Fault("busy")
    if isinstance(problem, HTTPException) and (problem.code or 500) < 500:
        if problem.code == 404:
            return Fault("not_found", what="page")
        return Fault("bad_request", at="$", why=problem.name.lower())
    return Fault("internal")


def note_refusal(type: str, address: str, problem: Exception, why: Error) -> None:
    """What went wrong stands in the server's log, unless it does often enough for this address."""
    if refusals.allows_line(household(address)):
        if not isinstance(problem, Fault | Denied | Busy | HTTPException):
            bug(type)
        line("refused", type=type, code=why.code, ruling=why.ruling or None)


def _is_compressible(answer: Response) -> bool:
    kind = answer.mimetype or ""
    text = kind.startswith("text/") or kind in TEXTS
    whole = answer.status_code in (200, 201) and request.method != "HEAD"
    if not text or not whole or "Content-Encoding" in answer.headers:
        return False
    answer.vary.add("Accept-Encoding")
    return bool(request.accept_encodings.quality("gzip"))


def _compress(answer: Response) -> None:
    if answer.is_streamed and not answer.direct_passthrough:
        answer.response = _piecewise(answer.iter_encoded())
    else:
        answer.direct_passthrough = False
        body = answer.get_data()
        if len(body) < WORTH_BYTES:
            return
        tag, _ = answer.get_etag()
        if tag is None:
            answer.set_data(gzip.compress(body, 6, mtime=0))
        else:
            answer.set_data(_file(body))
            answer.set_etag(tag, weak=True)
    answer.headers["Content-Encoding"] = "gzip"


def _piecewise(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compressed as it comes, so that nobody waits for the whole."""
    packer = zlib.compressobj(6, wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


@lru_cache(maxsize=256)
def _file(body: bytes) -> bytes:
    """A file's bytes, compressed as well as can be."""
    return gzip.compress(body, 9, mtime=0)


def as_file(record: Record, name: str) -> Response:
    answer = Response(record.bytes, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return answer


def as_moments(packed: bytes) -> Response:
    if not request.accept_encodings.quality("gzip"):
        return Response(gzip.decompress(packed), mimetype="application/json")
    answer = Response(packed, mimetype="application/json")
    answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    return answer


def variant_response(variant: Variant, form: Form | None = None) -> Response:
    """A variant with all its texts, or its own and those in the first ``language`` of some, by
    commas, that it has; and the ``form`` of its house rules. ``brief``: without that, and without
    its rulings, which are nearly half of it and which few look up."""
    variant = variant.with_filled_texts
    texts = variant.texts
    if (languages := request.args.get("language")) is not None:
        asked = panel_texts.lookup(languages.split(","), texts) or variant.language
        texts = {code: texts[code] for code in {asked, variant.language}}
    if "brief" in request.args:
        texts = {
            code: msgspec.structs.replace(words, rulings={}, topics={}, search=None, words={})
            for code, words in texts.items()
        }
        variant = msgspec.structs.replace(variant, topics=(), sources={}, presets={})
        form = None
    whole = msgspec.structs.replace(variant, texts=texts).to_json()
    if form is not None:
        whole = b'%b,"house":%b}' % (whole[:-1], codec.encode(form))
    return json_response(msgspec.Raw(whole))
