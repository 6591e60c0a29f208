"""Rules and records as reports."""
