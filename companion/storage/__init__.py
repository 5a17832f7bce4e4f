"""The store: a durable log of events in SQL, and a few other tables.

It knows nothing of the rules.
"""
