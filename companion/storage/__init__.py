"""The store: a durable log of events in SQL, and what stands beside it; it knows no rules."""
