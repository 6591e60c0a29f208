"""Rounds: drawing, editing, timing and verifying them."""
