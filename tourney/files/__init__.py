"""Files that people name: CSV, score sheets, seatings and results."""
