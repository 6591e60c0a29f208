"""Whole games, hand after hand: a contract game by its contracts, a knock game until one player is left."""
