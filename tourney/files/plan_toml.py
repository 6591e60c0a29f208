"""Read the plan of an event: a TOML file with its settings and, under `[[stages]]`, its stages."""

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, get_args

from tourney.domain.errors import TourneyError
from tourney.domain.events import SETTINGS
from tourney.domain.rounds import PLANNED, Stage
from tourney.files.named import read_bytes, read_failure, refusal, shown, toml_tables
from tourney.text.i18n import _, either

MAX_BYTES: Final = 100_000
MOST_STAGES: Final = 20
SETTINGS_OF_STAGES: Final = ("format", "rounds")
"""The settings that the stages of a plan give."""


@dataclass(frozen=True, slots=True)
class WrittenPlan:
    """The plan of an event as a file has it: its rules ("": not said), settings by name, and stages."""

    rules: str
    settings: Mapping[str, Any]
    stages: tuple[Stage, ...]


def read_plan(path: str | os.PathLike[str]) -> WrittenPlan:
    """Return the plan of a file. Raises TourneyError NOT_FOUND, or REFUSED naming the field that cannot be read."""
    document = _document(path)
    rows = document.pop("stages", None)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        message = _("there are no stages")
        raise refusal(path, 0, message, _("each stage begins with a line [[stages]]; see `tourney guide plans`"))
    if len(rows) > MOST_STAGES:
        message = _("a plan has at most {most} stages").format(most=MOST_STAGES)
        raise refusal(path, 0, message, _("leave some out"))
    rules = document.pop("rules", "")
    known = [name for name in SETTINGS if name not in SETTINGS_OF_STAGES]
    for name, value in document.items():
        if name not in known:
            message = _("“{field}” is not a setting of an event").format(field=shown(name))
            raise refusal(path, 0, message, _("a plan may have rules, and {settings}").format(settings=either(known)))
        _refuse_type(path, name, value, int if SETTINGS[name].least is not None else str)
    _refuse_type(path, "rules", rules, str)
    return WrittenPlan(rules, document, tuple(_stage(path, number, row) for number, row in enumerate(rows, 1)))


def _document(path: str | os.PathLike[str]) -> dict[str, Any]:
    raw = read_bytes(path, MAX_BYTES, _("name the file of the plan; see `tourney guide plans`"))
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        return toml_tables(text)
    except UnicodeDecodeError:
        raise refusal(path, 0, _("the file is not UTF-8 text"), _("save it as UTF-8")) from None
    except (ValueError, RecursionError) as error:
        hint = _(
            'write texts in quotes, numbers without, lists in brackets: name = "Final", rounds = 1, hands = ["EEE"]'
        )
        raise refusal(path, 0, read_failure(error), hint) from None


def _stage(path: str | os.PathLike[str], number: int, row: Mapping[str, Any]) -> Stage:
    """Return the stage of a table of the file. Raises TourneyError REFUSED for a field that no stage has."""
    place = _("stage {number}").format(number=number)
    types = {each.name: each for each in fields(Stage)}
    values: dict[str, Any] = {}
    for name, value in row.items():
        where = f"{place}, {shown(name)}"
        if name not in PLANNED:
            message = _("“{field}” is not a field of a stage").format(field=shown(name))
            raise refusal(path, 0, f"{place}: {message}", _("a stage has {fields}").format(fields=either(PLANNED)))
        values[name] = _value(path, where, value, types[name].type)
    for name in PLANNED:
        if types[name].default is MISSING and name not in values:
            message = _("“{field}” is missing").format(field=name)
            hint = _('each stage has at least a name and rounds, such as name = "Final" and rounds = 1')
            raise refusal(path, 0, f"{place}: {message}", hint)
    return Stage(**values)


def _value(path: str | os.PathLike[str], where: str, value: object, kind: Any) -> object:
    """Return a value of a stage's field. Raises TourneyError REFUSED for one of another type."""
    if kind in (tuple[str, ...], tuple[int, ...]):
        if not isinstance(value, list):
            raise _of_type(path, where, _("a list"))
        if not value:
            message = _("{field}: the list is empty").format(field=where)
            raise refusal(path, 0, message, _("leave it out, or write what is in it"))
        for each in value:
            _refuse_type(path, where, each, get_args(kind)[0])
        return tuple(value)
    choices = get_args(kind)
    if str not in (kind, *choices) and any(isinstance(choice, str) for choice in choices):
        if value not in choices:
            message = _("{field}: “{value}” is not possible").format(field=where, value=shown(str(value)))
            possible = ", ".join(choice for choice in choices if choice)
            raise refusal(path, 0, message, _("it can be {possible}").format(possible=possible))
        return value
    _refuse_type(path, where, value, str if str in (kind, *choices) else int)
    return value


def _refuse_type(path: str | os.PathLike[str], where: str, value: object, kind: type) -> None:
    if type(value) is not kind:
        raise _of_type(path, where, _("a whole number") if kind is int else _("a text in quotes"))


def _of_type(path: str | os.PathLike[str], where: str, kind: str) -> TourneyError:
    message = _("{field}: this is not {kind}").format(field=where, kind=kind)
    return refusal(path, 0, message, _("write {kind}").format(kind=kind))
