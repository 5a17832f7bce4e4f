"""HTTP answers: everything as JSON, and each error in the one shape.

This module must not know what was asked.
"""

from math import ceil
from typing import Any, Protocol

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.rules.core.variant import Variant
from companion.service import codec
from companion.service.errors import STATUS, Denied, Error, Fault
from companion.service.logs import bug, heard, line
from companion.storage.database import Busy
from companion.web.rates import household


class Says(Protocol):
    """Whoever has words for what is wrong with a request."""

    @property
    def own_variant(self) -> Variant:
        """Whose languages there are."""

    def error(self, fault: Fault, language: str | None = None) -> Error:
        """What is wrong, in that language if possible."""


def answered(value: Any, status: int = 200) -> Response:
    """A value as the answer's JSON."""
    return Response(codec.encode(value), status, mimetype="application/json")


def failed(error: Error, status: int | None = None) -> Response:
    """An error in the one shape, with its own status or another one."""
    if heard.has_a_line(household(request.remote_addr or "")):
        line("refused", type="http", code=error.code, ruling=error.ruling or None)
    answer = answered({"error": error}, status or STATUS[error.code])
    if error.facts and "retry_after_ms" in error.facts:
        answer.headers["Retry-After"] = str(ceil(error.facts["retry_after_ms"] / 1000))
    return answer


def handle_errors(app: Flask, tables: Says) -> None:
    """Whatever goes wrong is answered in the one shape; no traceback leaves."""

    def said(problem: Fault) -> Error:
        languages = tables.own_variant.texts
        return tables.error(problem, request.accept_languages.best_match(languages))

    def fault(problem: Fault) -> Response:
        return failed(said(problem))

    def denied(problem: Denied) -> Response:
        return failed(problem.error)

    def busy(_problem: Busy) -> Response:
        return failed(said(Fault("busy")))

    def http(problem: HTTPException) -> Response:
        status = problem.code or 500
        if status < 400:
            return Response(status=status, headers=problem.get_headers())
        answer = failed(said(_fault(status, problem)), status)
        if isinstance(problem, MethodNotAllowed) and problem.valid_methods:
            answer.headers["Allow"] = ", ".join(sorted(problem.valid_methods))
        return answer

    def unforeseen(_problem: Exception) -> Response:
        if heard.has_a_line(household(request.remote_addr or "")):
            bug("http")
        return failed(said(Fault("internal")))

    app.register_error_handler(Fault, fault)
    app.register_error_handler(Denied, denied)
    app.register_error_handler(Busy, busy)
    app.register_error_handler(HTTPException, http)
    app.register_error_handler(Exception, unforeseen)


def _fault(status: int, problem: HTTPException) -> Fault:
    """Which of the wire's codes an HTTP error is."""
    if status == 404:
        return Fault("not_found", what="page")
    if status >= 500:
        return Fault("internal")
    return Fault("bad_request", at="$", why=problem.name.lower())
