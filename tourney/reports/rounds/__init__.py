"""Rounds and seatings as reports."""
