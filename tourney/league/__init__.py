"""Leagues of bots: blocks of deals, played by worker processes, and statistics with error bars.

Only this package and `rulebook` import the engine.
"""
