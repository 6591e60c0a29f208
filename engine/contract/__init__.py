"""One turn of a contract hand: the draw, the claims, the melds on the table, and closing."""
