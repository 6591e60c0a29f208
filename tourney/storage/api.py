"""The names of storage for reading and writing, which other packages use by `from tourney import storage`."""

from tourney.storage.backup.names import newest_backup as newest_backup
from tourney.storage.journal.entries import Entry as Entry
from tourney.storage.journal.entries import LoggedEntry as LoggedEntry
from tourney.storage.journal.fold import Reversal as Reversal
from tourney.storage.journal.kinds import KINDS as KINDS
from tourney.storage.league_blocks import KeptBlock as KeptBlock
from tourney.storage.league_blocks import KeptFault as KeptFault
from tourney.storage.location import locate as locate
from tourney.storage.person_names import NewPerson as NewPerson
from tourney.storage.rating_inputs import Game as Game
from tourney.storage.rating_inputs import GameBatch as GameBatch
from tourney.storage.rating_inputs import History as History
from tourney.storage.read import Reader as Reader
from tourney.storage.rows import NOTHING as NOTHING
from tourney.storage.session import reading as reading
from tourney.storage.session import writing as writing
from tourney.storage.sqlite import Patience as Patience
from tourney.storage.sqlite import WriteMark as WriteMark
from tourney.storage.sqlite import file_writable as file_writable
from tourney.storage.sqlite import last_written as last_written
from tourney.storage.sqlite import log_alone as log_alone
from tourney.storage.write import KeptRatings as KeptRatings
from tourney.storage.write import Store as Store
