"""Commands about the database, the journal and the program."""
