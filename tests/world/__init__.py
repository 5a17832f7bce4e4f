"""A fleet in one process and one thread, in which everything goes wrong that one seed draws.

``python -m tests.world --help``; how it is made is told in docs/architecture.md.
"""
