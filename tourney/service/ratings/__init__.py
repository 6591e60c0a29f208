"""Ratings: pools, listings, histories, forecasts and how far they can be trusted."""
