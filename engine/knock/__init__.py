"""A turn of a knock hand, the four ways to end the hand, and the pot."""
