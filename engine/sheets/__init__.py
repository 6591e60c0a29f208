"""Checks of the score sheets of games that people played."""
