"""Seat players at tables over rounds, and measure how good a seating is. Pure values; standard library only."""
