"""Packages that load a module when it is first used, so that commands which only read start quickly.

The `__init__` of such a package says `__getattr__ = on_first_use(__name__)`. Any module may then say at its top `from
tourney.league import playing`, and `playing.block_games(…)` in a function loads it. Type checkers and the import
contracts see an ordinary import.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec


class _Later:
    """A module that is loaded when one of its names is first used; it has no name of its own, not even `__dict__`."""

    __slots__ = ("_name",)
    _name: str

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self._name), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(import_module(self._name), name, value)


def on_first_use(package: str, *homes: str) -> Callable[[str], object]:
    """Return the `__getattr__` of a package: its modules, and the names of those that are `homes`, load when used."""

    def found(name: str) -> object:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        if find_spec(f"{package}.{name}") is not None:
            later = _Later(f"{package}.{name}")
            setattr(sys.modules[package], name, later)
            return later
        for home in homes:
            module = import_module(f"{package}.{home}")
            if hasattr(module, name):
                value = getattr(module, name)
                setattr(sys.modules[package], name, value)
                return value
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return found
