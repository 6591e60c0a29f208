"""Ratings: results in order to mu and sigma, step by step. The only package that knows `trueskill`."""
