"""Irregularities: their kinds with an arbiter's steps, and the search for a kind by what players say."""
