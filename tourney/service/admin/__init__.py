"""The database file, the journal of changes, backups, the demo and the doctor."""
