"""The game of Continental: its rules, its cards and a referee for both.

Needs only the standard library, and mypy_extensions for the types of compiled modules.
"""
