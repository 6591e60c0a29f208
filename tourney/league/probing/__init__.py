"""Probing: one bot alone, put into situations that are known beforehand."""
