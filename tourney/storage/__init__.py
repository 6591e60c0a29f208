"""The database: the only package that knows SQL. It takes and gives domain values."""

from tourney.storage.leagues import Blocks, KeptBlock, KeptFault
from tourney.storage.opening import reading, writing
from tourney.storage.persons import NewPerson
from tourney.storage.place import locate
from tourney.storage.rated import Game, History, Stretch
from tourney.storage.reader import Held, LoggedAct, PlayedTable, Reader
from tourney.storage.sqlite import Patience, writable
from tourney.storage.store import KeptRatings, Store
from tourney.storage.undoing import Turn
from tourney.storage.values import NOTHING

__all__ = [
    "NOTHING",
    "Blocks",
    "Game",
    "Held",
    "History",
    "KeptBlock",
    "KeptFault",
    "KeptRatings",
    "LoggedAct",
    "NewPerson",
    "Patience",
    "PlayedTable",
    "Reader",
    "Store",
    "Stretch",
    "Turn",
    "locate",
    "reading",
    "writable",
    "writing",
]
