"""One turn of a knock hand, the ways to end it, and the pot."""
