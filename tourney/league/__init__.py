"""Leagues of bots: blocks of deals, played by workers, added up with honest error bars.

With `games` the only package that knows the engine.
"""
