"""The commands that make pages for a printer."""
