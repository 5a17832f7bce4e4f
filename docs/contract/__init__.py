"""The wire contract as schemas: ``python -m docs.contract`` writes them.

``docs/openapi.json`` has the calls over HTTP, ``docs/asyncapi.json`` what goes over Socket.IO. Both
are made from types: commands, events, bodies and errors are the program's own, what is shown
stands here, as ``docs/protocol.md`` fixes it: ``shown.py`` for any table, ``grid.py``, ``pile.py``,
``answered.py`` for calls.
"""
