"""Parameters of bots: the text behind a bot's name, as in `planner?guarding=off&buying=off`."""

from collections.abc import Mapping
from typing import Final

from engine.errors import EngineError
from engine.text import message

Value = bool | int | float | str
"""A parameter's value. The type of its default says how its text is read."""

MOST: Final = 1 << 63
"""A number that is larger than any parameter."""
_TRUTHS: Final[dict[str, bool]] = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def split_bot(text: str) -> tuple[str, str]:
    """Return a bot's name and the text of its parameters, empty if there are none."""
    name, _mark, parameters = text.partition("?")
    return name, parameters


def read_parameters(text: str, defaults: Mapping[str, Value]) -> dict[str, Value]:
    """Return the value of every parameter: those of the text, as in `a=on&b=3`, and the defaults of the others.

    Raises EngineError for an unknown parameter, one that is named twice, and a value of another type.
    """
    values: dict[str, Value] = {}
    for part in text.split("&") if text else []:
        name, equals, value = part.partition("=")
        if name not in defaults:
            raise EngineError(_unknown(name, defaults))
        if name in values:
            raise EngineError("the parameter “{name}” is given twice", name=name)
        if not equals:
            raise EngineError("the parameter “{name}” has no value; write {name}=…", name=name)
        values[name] = _value(name, value, defaults[name])
    return {**defaults, **values}


def written_parameters(values: Mapping[str, Value], defaults: Mapping[str, Value]) -> str:
    """Return the values that are not the defaults as text, in the order of the defaults, with the question mark."""
    parts = [f"{name}={_written(values[name])}" for name in defaults if values[name] != defaults[name]]
    return f"?{'&'.join(parts)}" if parts else ""


def _unknown(name: str, defaults: Mapping[str, Value]) -> str:
    if not defaults:
        return message("there is no parameter “{name}”: this bot has none", name=name[:40])
    known = ", ".join([f"{name}={_written(value)}" for name, value in defaults.items()])
    return message("there is no parameter “{name}”; the parameters are: {known}", name=name[:40], known=known)


def _value(name: str, text: str, default: Value) -> Value:
    """Return the value of a text, of the type of the default."""
    if isinstance(default, bool):
        truth = _TRUTHS.get(text.lower())
        if truth is None:
            raise EngineError("“{name}” is on or off, not “{text}”", name=name, text=text[:40])
        return truth
    if isinstance(default, str):
        return text
    try:
        number = int(text) if isinstance(default, int) else float(text)
        if not abs(number) < MOST:
            raise ValueError
    except ValueError:
        raise EngineError("“{name}” is a number, not “{text}”", name=name, text=text[:40]) from None
    return number


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
