"""The tables of the database, by subject.

What the schema can enforce is declared here, because SQLModel does not validate table models. Columns called
`act` name the entry that made the row or changed it last; seats count from 0, as in the domain, first dealer first.
"""

from tourney.storage.schema import events as events
from tourney.storage.schema import journal as journal
from tourney.storage.schema import ratings as ratings
from tourney.storage.schema import results as results
from tourney.storage.schema.base import METADATA as METADATA
