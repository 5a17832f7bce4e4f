"""The service: tables in memory, their connections, and views of them.

It is independent of HTTP.
"""
