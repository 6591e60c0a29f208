"""A game as text, and the text replayed."""
