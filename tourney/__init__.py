"""Tournaments of Continental: players, rounds, results, standings and ratings."""
