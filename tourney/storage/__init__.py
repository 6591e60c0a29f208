"""The database, the only package that knows SQL. It takes and gives domain values.

Any module may say `from tourney import storage` at its top: the names of `tourney.storage.api` and of `upkeep` are
loaded when one of them is first used, because importing sqlalchemy takes half the time of a command that reads.
"""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

# Type checkers take every name from the two modules that list them.
if TYPE_CHECKING:
    from tourney.storage.api import *  # noqa: F403 - every name
    from tourney.storage.upkeep import *  # noqa: F403 - every name
else:
    __getattr__ = on_first_use(__name__, "api", "upkeep")
