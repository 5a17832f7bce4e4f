"""The service: tables in memory, their connections, and the views that clients receive. The service
is independent of HTTP."""
