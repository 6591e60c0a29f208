"""What goes wrong, in one clear line for a person."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What the program's exit code says."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    STORAGE = 5
    INTERRUPTED = 130


class TourneyError(Exception):
    """One clear line for a person: what is wrong and where, and as `hint` what to do next."""

    def __init__(self, code: ExitCode, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class TourneyWarning(UserWarning):
    """One line for a person about something that went wrong beside an act, which is done all the same."""
