"""Kinds of journal entries, each one class, by noun; importing the package declares all of them."""

from tourney.storage.journal.kinds import club as club
from tourney.storage.journal.kinds import columns as columns
from tourney.storage.journal.kinds import events as events
from tourney.storage.journal.kinds import leagues as leagues
from tourney.storage.journal.kinds import people as people
from tourney.storage.journal.kinds import pools as pools
from tourney.storage.journal.kinds import results as results
from tourney.storage.journal.kinds import rounds as rounds
from tourney.storage.journal.kinds import seasons as seasons
from tourney.storage.journal.kinds.base import KINDS as KINDS
from tourney.storage.journal.kinds.base import Change as Change
from tourney.storage.journal.kinds.base import OfEvent as OfEvent
from tourney.storage.journal.kinds.base import is_of_events as is_of_events
from tourney.storage.journal.kinds.base import kind_of as kind_of
from tourney.storage.journal.kinds.base import permanent_names as permanent_names
