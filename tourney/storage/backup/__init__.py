"""Copies of the database: made, verified, restored."""
