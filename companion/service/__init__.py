"""The service: tables in memory, their connections, and views of them. It knows no HTTP."""
