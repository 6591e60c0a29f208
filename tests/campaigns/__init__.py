"""Campaigns: the promises of storage at scale, bounded and seeded, with figures: `python -m tests.campaigns`."""
