"""Searches for seatings: simulated annealing, tabu search, multi-start and exhaustive search."""
