"""The journal's entries as sentences."""
