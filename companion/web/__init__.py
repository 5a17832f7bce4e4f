"""The web layer: pages and requests over HTTP, commands and views over Socket.IO.

Handlers decode the input, call the service, and encode the answer. No module here decides what is
allowed at a table.
"""
