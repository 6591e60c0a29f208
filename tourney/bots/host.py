"""The program in which a Python class plays from the level `process` on; its other end is `protocol.dialect.Values`.

`python -I host.py play|describe FOLDER TEXT`. With `describe` it only says by which text the class is known, or why it
cannot be. What the class prints goes to standard error.
"""

import io
import os
import sys
from base64 import b64decode
from collections.abc import Callable
from pickle import Unpickler
from typing import Any


class _Unpickler(Unpickler):
    """An unpickler of values in which the rules are only named."""

    def __init__(self, pickled: bytes, rules: Any) -> None:
        super().__init__(io.BytesIO(pickled))
        self._rules = rules

    def persistent_load(self, name: str) -> Any:
        """Return the rules."""
        return self._rules


class Host:
    """A class at one seat of one game; `say` sends a line."""

    def __init__(self, make: Callable[[], Any], say: Callable[[str], None]) -> None:
        self._make, self._say = make, say
        self._bot: Any = None
        self._rules: Any = None
        self._place: tuple[int, str] = (0, "")
        self._unseen: list[Any] = []

    def hear(self, pickled: bytes) -> None:
        """Take one value, and answer if it is a question."""
        kind, *given = _Unpickler(pickled, self._rules).load()
        if kind == "start":
            self._rules, *place = given
            self._place = (place[0], place[1])
        elif kind == "see":
            self._unseen += given
        elif kind == "finish":
            self._try(lambda: self._informed().finish(*given))
        else:
            decide = self._choose if kind == "choose" else self._answer
            self._say(self._try(lambda: decide(*given)))

    def _try(self, call: Callable[[], Any]) -> Any:
        """Return what a call returns, or a line that says what it raised."""
        try:
            return call()
        except BaseException as error:  # noqa: BLE001 - whatever a bot raises is its fault
            return f"raised {_said(error)}"

    def _choose(self, view: Any, legal: Any) -> str:
        from tourney.bots.values import plain_action

        answer = self._informed().choose(view, legal)
        action = plain_action(answer)
        return f"wrong {type(answer).__name__} is not an action" if action is None else str(action)

    def _answer(self, offer: Any) -> str:
        answer = self._informed().answer(offer)
        if type(answer) is not bool:
            return f"wrong {type(answer).__name__} is neither True nor False"
        return "buy" if answer else "decline"

    def _informed(self) -> Any:
        """Return the bot, started, after it has seen all events so far."""
        if self._bot is None:
            bot = self._make()
            bot.start(self._rules, *self._place)
            self._bot = bot
        unseen, self._unseen = self._unseen, []
        for event in unseen:
            self._bot.see(event)
        return self._bot


def _said(error: BaseException) -> str:
    from tourney.bots.faults import cut

    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - the text of a bot's own error may fail in every way
        text = "…"
    return cut(f"{type(error).__name__}: {text}")


def _own_output() -> Callable[[str], None]:
    """Return what says a line; standard output goes to standard error from now on."""
    output = os.dup(1)
    os.dup2(2, 1)

    def say(line: str) -> None:
        rest = f"{line}\n".encode()
        while rest:
            rest = rest[os.write(output, rest) :]

    return say


def main(task: str, folder: str, text: str) -> None:
    """Say what the class is, or play until `bye`."""
    say = _own_output()
    from pathlib import Path

    from tourney.bots.faults import cut
    from tourney.bots.python_class import PYTHON_CLASS
    from tourney.domain.errors import TourneyError

    try:
        entrant = PYTHON_CLASS.loaded(text, Path(folder))
    except TourneyError as error:
        say(f"refused {int(error.code)} {cut(error.message)}\t{cut(error.hint)}")
        return
    if task == "describe":
        say(f"known {entrant.canonical(text)}")
        return
    say("hello 1 class")
    say("ready")
    host = Host(lambda: entrant.bot(**entrant.values), say)
    for line in sys.stdin.buffer:
        word, _blank, rest = line.partition(b" ")
        if word == b"value":
            host.hear(b64decode(rest))
        elif word.strip() == b"bye":
            return


if __name__ == "__main__":
    sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]
    main(*sys.argv[1:])
