"""Objects reachable from a value, by the references of the garbage collector and by attributes."""

import gc
from collections.abc import Iterator
from contextlib import suppress
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from engine.errors import EngineError

SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)
"""Classes and code are the same for all values: what only they lead to is not reached from a value."""


def reachable(value: Any) -> Iterator[Any]:
    """Yield the value and all objects that it leads to, but for classes, modules and code."""
    seen, waiting = {id(value)}, [value]
    while waiting:
        found = waiting.pop()
        yield found
        for other in (*gc.get_referents(found), *attributes(found)):
            if not isinstance(other, SHARED) and id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)


def attributes(value: Any) -> Iterator[Any]:
    """Yield the values of the object's own attributes, hidden ones too, and what its properties return."""
    cls = type(value)
    named = [name for name in dir(value) if isinstance(getattr(cls, name, None), property)]
    for name in [*fields_of(value), *named]:
        with suppress(AttributeError, TypeError, EngineError):
            yield getattr(value, name)


def frames(value: Any) -> list[FrameType]:
    """Return the frames that the value leads to, such as those of generators that have begun."""
    return [found for found in reachable(value) if isinstance(found, FrameType)]


def spoil(value: Any) -> int:
    """Change everything that can be changed in what the value leads to; return how many changes were made."""
    changes, seen, waiting = 0, set[int](), [value]
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, SHARED):
            continue
        seen.add(id(found))
        waiting += found.values() if isinstance(found, dict) else found if isinstance(found, list | tuple) else ()
        waiting += attributes(found)
        changes += _spoiled(found)
    return changes


def _spoiled(value: Any) -> int:
    changes = 0
    if type(value) in (list, dict, set):
        value.clear()
        changes += 1
    for name in fields_of(value):
        try:
            object.__setattr__(value, name, None)
        except (AttributeError, TypeError):
            continue
        changes += 1
    return changes


def fields_of(value: Any) -> list[str]:
    """Return the names of a value's own fields."""
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ()) or ()]
    own = getattr(type(value), "__mypyc_attrs__", ())
    return [*slots, *own, *getattr(value, "__dict__", ())]
