"""Ratings as reports."""
