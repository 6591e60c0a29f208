"""Attacks on the program's doors, with real processes on loopback; each is tried, and nothing may get through."""
