"""Seats, byes, table numbers and turns at small tables, shared out evenly."""
