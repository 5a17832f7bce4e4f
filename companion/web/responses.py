"""HTTP responses: JSON, errors, finished games and variants, with security headers and
compression.

Every error of the API has the same form: ``{"error": {"code": ..., "text": ...}}``. Static files
are compressed once and cached; other responses are compressed each time.
"""

import gzip
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from math import ceil

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.rules.variants.form import Form
from companion.rules.variants.variant import Variant
from companion.service import codec
from companion.service.addresses import household
from companion.service.errors import STATUS, Denied, Error, Fault
from companion.service.logs import bug, line, refusals
from companion.service.replays.file import Record
from companion.storage.database import Busy
from companion.web import panel_texts

WORTH_BYTES = 1024  # smaller responses fit into one packet even without compression
TEXTS = ("application/json", "application/manifest+json", "image/svg+xml")


def json_response(value: object, status: int = 200) -> Response:
    return Response(codec.encode(value), status, mimetype="application/json")


def add_handlers(
    app: Flask, as_error: Callable[[Fault, str | None], Error], languages: Collection[str],
    frame_ancestors: str, not_found_page: Callable[[], Response] | None = None,
) -> None:  # fmt: skip
    """Add the error handler, and the headers that every response has.

    ``as_error`` returns the error to send for a fault, in the given language if it is available.
    ``not_found_page`` returns the page for a person who opens an unknown address.
    """

    @app.errorhandler(Exception)
    def error_response(problem: Exception) -> Response:
        if isinstance(problem, Denied):
            error = problem.error
        else:
            error = as_error(
                as_fault(problem),
                panel_texts.choose_language(panel_texts.requested_languages(request), languages),
            )
        note_refusal("http", request.remote_addr or "", problem, error)
        status = problem.code if isinstance(problem, HTTPException) else STATUS[error.code]
        if not _is_from_a_person():
            answer = json_response({"error": error}, status or 500)
        elif status == 404 and not_found_page:
            answer = not_found_page()
        else:
            answer = Response(error.text, status or 500, mimetype="text/plain")
        if error.facts and "retry_after_ms" in error.facts:
            answer.headers["Retry-After"] = str(ceil(error.facts["retry_after_ms"] / 1000))
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


def _is_from_a_person() -> bool:
    """Return True if the request looks like a browser opening a page."""
    opens = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
    return opens and "text/html" in request.accept_mimetypes.values()


def as_fault(problem: Exception) -> Fault:
    """Return the fault that corresponds to an exception. It has one of the wire's error codes."""
    if isinstance(problem, Fault):
        return problem
    if isinstance(problem, Busy):
        return Fault("busy")
    if isinstance(problem, HTTPException) and (problem.code or 500) < 500:
        if problem.code == 404:
            return Fault("not_found", what="page")
        return Fault("bad_request", at="$", why=problem.name.lower())
    return Fault("internal")


def note_refusal(type: str, address: str, problem: Exception, error: Error) -> None:
    """Log a refused request, unless the log already has too many lines about this address."""
    if refusals.allows_line(household(address)):
        if not isinstance(problem, Fault | Denied | Busy | HTTPException):
            bug(type)
        line("refused", type=type, code=error.code, ruling=error.ruling or None)


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
        answer.response = _compress_stream(answer.iter_encoded())
    else:
        answer.direct_passthrough = False
        body = answer.get_data()
        if len(body) < WORTH_BYTES:
            return
        tag, _ = answer.get_etag()
        if tag is None:
            answer.set_data(gzip.compress(body, 6, mtime=0))
        else:
            answer.set_data(_compress_file(body))
            answer.set_etag(tag, weak=True)
    answer.headers["Content-Encoding"] = "gzip"


def _compress_stream(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a streamed response. Each piece is compressed on its own, so that the stream isn't
    delayed."""
    packer = zlib.compressobj(6, wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


@lru_cache(maxsize=256)
def _compress_file(body: bytes) -> bytes:
    """Return a file compressed at the highest level. This is slow, so the result is cached."""
    return gzip.compress(body, 9, mtime=0)


def as_file(record: Record, name: str) -> Response:
    """Return a finished game as a file to download."""
    answer = Response(record.bytes, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return answer


def as_moments(packed: bytes) -> Response:
    """Return a response with a game's moments, which are already compressed JSON."""
    if not request.accept_encodings.quality("gzip"):
        return Response(gzip.decompress(packed), mimetype="application/json")
    answer = Response(packed, mimetype="application/json")
    answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    return answer


def variant_response(variant: Variant, form: Form | None = None) -> Response:
    """Return a variant with its texts, and with ``form``: what house rules can change.

    The query can request less. With ``language``, a list such as ``fr,it``, only texts in the
    variant's own language and in the first available language of the list are sent. ``brief``
    leaves out the form, and parts that are rarely read, such as the rulings. The form and these
    parts together are nearly half of the response.
    """
    variant = variant.with_filled_texts
    texts = variant.texts
    if (languages := request.args.get("language")) is not None:
        language = panel_texts.choose_language(languages.split(","), texts) or variant.language
        texts = {code: texts[code] for code in {language, variant.language}}
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
