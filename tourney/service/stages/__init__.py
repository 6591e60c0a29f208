"""Stages of an event: their plan, who goes through, and what may still change."""
