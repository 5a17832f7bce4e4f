"""The store: a durable log of events in SQL, and a few other tables. The store knows nothing of the
rules."""
