"""Mirrors of the journal: plain text in other folders, such as a USB stick, from which a database can be completed."""
