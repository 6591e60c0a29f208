"""Kinds of journal entries by what they are about: each says how it is written to the partitions that it touches.

Importing this package declares them all.
"""

from tourney.storage.projections import events, leagues, people, pools, results, rounds

__all__ = ["events", "leagues", "people", "pools", "results", "rounds"]
