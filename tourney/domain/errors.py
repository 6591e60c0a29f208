"""Errors and warnings, each of them one clear line for a person."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the program."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    STORAGE = 5
    INTERRUPTED = 130


class TourneyError(Exception):
    """A refusal: one clear line that says what is wrong and where, and a `hint` that says what to do next."""

    def __init__(self, code: ExitCode, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        """Return how another process makes it again: without the arguments, of which subclasses have others."""
        return _made, (type(self), self.message), self.__dict__


def _made(kind: type[TourneyError], message: str) -> TourneyError:
    return kind.__new__(kind, message)


class TemplateError(TourneyError):
    """A refusal by a layer below the translation: `template` and `values` are translated when it is shown."""

    def __init__(self, code: ExitCode, template: str, hint: str = "", **values: object) -> None:
        super().__init__(code, template.format(**values), hint)
        self.template = template
        self.values = values


class UnusableError(TourneyError):
    """A file that cannot be used now for a reason outside its content: no room, no permission, another program."""


class LackingEntriesError(TourneyError):
    """A database that lacks entries which the journal `mirror`, a file, has."""

    def __init__(self, code: ExitCode, message: str, hint: str, mirror: str) -> None:
        super().__init__(code, message, hint)
        self.mirror = mirror


class TourneyWarning(UserWarning):
    """A warning in one line: the change was made, but something else went wrong."""


class DoubtWarning(TourneyWarning):
    """A warning that what was done may not be what was meant; `doubt` is for pages, without a command that helps."""

    def __init__(self, message: str, doubt: str) -> None:
        super().__init__(message)
        self.doubt = doubt


class TourneyNotice(UserWarning):
    """A line about something besides the command that has become right again."""
