"""Writes ``docs/openapi.json`` and ``docs/asyncapi.json``."""

from pathlib import Path

from companion.web.wire_schema.documents import DOCUMENTS

for name, text in DOCUMENTS.items():
    Path("docs", name).write_text(text(), encoding="utf-8")
