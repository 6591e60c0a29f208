"""Leagues of bots: running, resuming, joining and inspecting them."""
