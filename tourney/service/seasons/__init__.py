"""Seasons: creating and changing them, and their standings."""
