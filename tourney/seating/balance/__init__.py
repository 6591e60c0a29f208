"""Seats, byes, table numbers and rounds at smaller tables, shared out evenly."""
