"""Bots of your own for Continental, in Python.

    import random

    from tourney.bots import Bot, duel


    class Mine(Bot):
        def start(self, rules, seat, seed):
            self.random = random.Random(seed)

        def choose(self, view, legal):
            return self.random.choice(legal)


    print(duel(Mine, "random"))

`play` plays a game and `duel` measures which of two bots is better; `tourney league run --bots mine.py:Mine,greedy`
plays a league. `tourney guide bots` has the rest.
"""

from typing import TYPE_CHECKING

from tourney.lazy import on_first_use

if TYPE_CHECKING:
    from tourney.bots.for_authors import *  # noqa: F403 - every name
else:
    __getattr__ = on_first_use(__name__, "for_authors")

    def __dir__() -> list[str]:
        return __getattr__("__all__")
