"""Runs migrations on the connection that `tourney.storage.migrate` has opened, in its transaction."""

from alembic import context

from tourney.storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # SQLite can take table changes back; Alembic believes it cannot.
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
