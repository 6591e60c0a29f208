"""The engine as the tournament sees it: rules, sheets, records and games of bots.

With `league` the only package that knows the engine; nothing here imports it before it is needed.
"""
