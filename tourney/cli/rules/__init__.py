"""Commands about rules and records."""
