"""The wire contract as schemas: ``python -m companion.web.wire_schema`` writes them.

``docs/openapi.json`` describes the HTTP calls, ``docs/asyncapi.json`` the Socket.IO messages. Both
are generated from types. Commands, events and request bodies are the program's own types. Views and
answers have types of their own here, as ``docs/protocol.md`` defines them: ``shown.py`` for any
table, ``grid.py`` and ``pile.py`` for one family, ``answered.py`` for answers.
"""
