"""The database: the only package that knows SQL. It takes and gives domain values."""
