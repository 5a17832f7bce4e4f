"""The wire: pages and calls over HTTP, commands and views over Socket.IO. Handlers parse, hand over
and answer. Nothing in here decides what is allowed at a table."""
