"""Seasons: results of events as values, their weights, and how they become one ranking."""
