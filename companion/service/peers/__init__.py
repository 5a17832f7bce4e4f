"""Messages between the processes that serve the same tables, and Redis, which carries them."""
