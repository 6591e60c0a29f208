"""Measure how good a seating is, and how good any could be."""
