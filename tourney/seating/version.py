"""Which seating this is: a number that says whether two programs draw alike."""

from typing import Final

SEATING_VERSION: Final = 1
"""Raised whenever a golden plan of `fixtures/seatings.json` changes, and only then."""

FIRST_DIGEST: Final = "cfdef106"
"""What stood in the place of the number 1 while the version was a digest of the sources."""


def seating_number(program: str) -> str:
    """The seating's number in a program version such as `0.2.0+seating.1`; empty if the version names none."""
    _, _, number = program.partition("+seating.")
    return str(1) if number == FIRST_DIGEST else number
