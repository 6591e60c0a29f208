"""Ratings: mu and sigma from results in order, forecasts from them, and tests of how good they are."""
