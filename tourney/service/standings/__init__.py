"""Standings of an event, and what the games left can still change in them."""
