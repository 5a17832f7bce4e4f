"""Every place that needs a library's inside, one module a library, and what they share.

What is borrowed is named in ``tests/test_adapters.py``, the versions are bounded above in
``pyproject.toml``: a new version of a library is tried before it is taken.
"""
