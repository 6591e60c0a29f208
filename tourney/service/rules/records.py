"""Records of games in files: shown, replayed and verified."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import read_bytes
from tourney.rulebook.answers import RecordFile
from tourney.rulebook.records import open_record, record_digest, replay_record
from tourney.rulebook.rulesets import resolve
from tourney.text.i18n import _

Value = TypeVar("Value")

MOST_BYTES = 16_000_000
"""A game of seven hands takes some twenty thousand; what is a thousand times as long is no record."""


def show(path: str) -> RecordFile:
    """Return what the record in the file says. Raises TourneyError NOT_FOUND, and REFUSED for any other text."""
    text = _read(path)
    return RecordFile(path, record_digest(text), _named(path, open_record, text))


def replay(path: str, rules: str | None = None) -> RecordFile:
    """Return the record with the outcome of replaying every action, by the rules that it names or by those given.

    Raises TourneyError REFUSED, naming hand and step, where the record does not replay to its own scores.
    """
    text = _read(path)
    page = _named(path, open_record, text)
    ref = None if rules is None else resolve(rules)
    outcome = _named(path, lambda record: replay_record(record, ref), text)
    return RecordFile(path, record_digest(text), replace(page, outcome=outcome))


def _named(path: str, verb: Callable[[str], Value], text: str) -> Value:
    """Return what the verb gives; its refusals name the file."""
    try:
        return verb(text)
    except TourneyError as error:
        raise TourneyError(error.code, f"{path}: {error.message}", error.hint) from error


def _read(path: str) -> str:
    hint = _("check the name; `tourney result show --record` prints a record")
    raw = read_bytes(path, MOST_BYTES, hint)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        message = _("{path}: this is no record: byte {place} is not UTF-8").format(path=path, place=error.start)
        raise TourneyError(ExitCode.REFUSED, message, hint) from error
