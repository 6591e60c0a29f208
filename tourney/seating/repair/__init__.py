"""Planned rounds changed as little as possible when people come and go."""
