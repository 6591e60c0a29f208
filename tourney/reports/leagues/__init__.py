"""Leagues and bots as reports."""
