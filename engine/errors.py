"""The errors that a caller of the engine may want to catch.

The reason of an error is a sentence, or the template of one with the values in it.
"""

from engine.text import message


class EngineError(Exception):
    """Anything that the engine refuses."""

    def __init__(self, reason: str, /, **values: object) -> None:
        self.reason = message(reason, **values) if values else reason
        super().__init__(self.reason)


class NotationError(EngineError):
    """A text that is not a card, an action or a meld; `line` and `column`, from 1, are where reading failed."""

    def __init__(self, reason: str, line: int = 1, column: int = 1, /, **values: object) -> None:
        super().__init__(reason, **values)
        self.args = (message("{reason} (line {line}, column {column})", reason=self.reason, line=line, column=column),)
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type["NotationError"], tuple[str, int, int]]:
        return type(self), (self.reason, self.line, self.column)


class IllegalAction(EngineError):
    """An action that the rules forbid here; `clause` names the rule, as in `003/1.6`."""

    def __init__(self, reason: str, clause: str) -> None:
        super().__init__(reason)
        self.args = (message("{reason} [{clause}]", reason=reason, clause=clause),)
        self.clause = clause

    def __reduce__(self) -> tuple[type["IllegalAction"], tuple[str, str]]:
        return type(self), (self.reason, self.clause)


class RulesError(EngineError):
    """An impossible rules file, or a request that the rules make impossible; `hint` says what is possible."""

    def __init__(self, reason: str, hint: str = "", /, **values: object) -> None:
        super().__init__(reason, **values)
        if hint:
            self.args = (message("{reason}; {hint}", reason=self.reason, hint=hint),)
        self.hint = hint


class UnknownRules(RulesError):
    """A rule set, or a variant of one, that does not exist."""


class RecordError(EngineError):
    """A record that cannot be read or does not replay.

    `step` is the number, from 1, of the action at which the replay of a hand failed (0: none).
    """

    def __init__(self, reason: str, step: int = 0, /, **values: object) -> None:
        super().__init__(reason, **values)
        self.step = step
