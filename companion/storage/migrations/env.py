"""Alembic's environment: runs migrations on the given connection, in its current transaction."""

from alembic import context

from companion.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
