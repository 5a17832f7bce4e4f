"""The wire contract as schemas: an OpenAPI and an AsyncAPI document, generated from types.

``openapi.json`` describes the HTTP calls, ``asyncapi.json`` the Socket.IO messages. Commands,
events and request bodies are the program's own types. Views and answers have types of their own
here, as ``docs/protocol.md`` defines them: ``views.py`` for any table, ``grid.py`` and ``pile.py``
for one family, ``calls.py`` for answers.

A server generates each document when it is first requested, in less than a second, and keeps it.
``python -m companion.web.wire_schema FOLDER`` writes both documents into a folder.
"""

from functools import cache, partial

from flask import Blueprint, Response, request

NAMES = ("openapi.json", "asyncapi.json")


@cache
def document(name: str) -> bytes:
    """Return a document as JSON in UTF-8; ``name`` is one of ``NAMES``."""
    from companion.web.wire_schema.documents import DOCUMENTS

    return DOCUMENTS[name]().encode()


def add_to(api: Blueprint) -> Blueprint:
    """Add the routes of the documents to the API, and return the API."""
    for name in NAMES:
        api.add_url_rule(f"/{name}", name.removesuffix(".json"), partial(_send, name))
    return api


def _send(name: str) -> Response:
    answer = Response(document(name), mimetype="application/json")
    answer.add_etag()
    answer.make_conditional(request)
    return answer
