"""Leagues as reports."""
