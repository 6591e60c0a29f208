"""Seatings by construction, without a search."""
