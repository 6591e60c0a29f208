"""Reading and checking the files that a user passes to a command: CSV, score sheets, seatings and results."""
