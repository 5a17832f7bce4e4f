"""Run by Alembic, on the connection that it was given and in the transaction that is under way."""

from alembic import context

from companion.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
