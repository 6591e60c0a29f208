"""Commands about rounds and seatings."""
