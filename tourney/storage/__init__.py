"""The database, the only package that knows SQL. It takes and gives domain values.

Any module may say `from tourney import storage` at its top: the names of `tourney.storage.api` and of `upkeep` are
loaded when one of them is first used, because importing sqlalchemy takes half the time of a command that reads.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

# Type checkers take every name from the two modules that list them; at run time `__getattr__` finds it there.
if TYPE_CHECKING:
    from tourney.storage.api import *  # noqa: F403 - every name
    from tourney.storage.upkeep import *  # noqa: F403 - every name
else:

    def __getattr__(name: str) -> object:
        # `from tourney.storage import sqlite` asks here first; the import system then loads the module itself.
        if name.startswith("__") or find_spec(f"{__name__}.{name}") is not None:
            raise AttributeError(name)
        home = import_module(f"{__name__}.api")
        if not hasattr(home, name):
            home = import_module(f"{__name__}.upkeep")
        value = getattr(home, name)
        globals()[name] = value
        return value
