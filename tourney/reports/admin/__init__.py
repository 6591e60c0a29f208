"""The database file, the journal and the demo as reports."""
