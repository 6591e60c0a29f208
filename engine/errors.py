"""The errors that a caller of the engine may want to catch."""

from engine.text import message


class EngineError(Exception):
    """Anything that the engine refuses."""


class NotationError(EngineError):
    """A text that is not a card, an action or a meld; `line` and `column`, from 1, are where reading failed."""

    def __init__(self, reason: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message("{reason} (line {line}, column {column})", reason=reason, line=line, column=column))
        self.reason = reason
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type["NotationError"], tuple[str, int, int]]:
        return type(self), (self.reason, self.line, self.column)


class IllegalAction(EngineError):
    """An action that the rules forbid here; `clause` names the rule, as in `003/1.6`."""

    def __init__(self, reason: str, clause: str) -> None:
        super().__init__(message("{reason} [{clause}]", reason=reason, clause=clause))
        self.reason = reason
        self.clause = clause

    def __reduce__(self) -> tuple[type["IllegalAction"], tuple[str, str]]:
        return type(self), (self.reason, self.clause)


class RulesError(EngineError):
    """An impossible rules file, or a request that the rules make impossible; `hint` says what is possible."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(message("{reason}; {hint}", reason=reason, hint=hint) if hint else reason)
        self.reason = reason
        self.hint = hint


class UnknownRules(RulesError):
    """A rule set, or a variant of one, that does not exist."""


class RecordError(EngineError):
    """A record that cannot be read or does not replay.

    `step` is the number, from 1, of the action at which the replay of a hand failed (0: none).
    """

    def __init__(self, reason: str, step: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.step = step
