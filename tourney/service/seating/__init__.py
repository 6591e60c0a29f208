"""Seating the next round of an event, planning those to come, and seatings without an event."""
