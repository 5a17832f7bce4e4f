"""The service: tables in memory, who is at them, and what each is shown; it knows no HTTP."""
