"""Standings of an event, and how the remaining games can still change them."""
