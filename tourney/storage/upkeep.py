"""The names of storage for the care of the file: copies, checks and upgrades, used like those of `api`."""

from tourney.storage.backup.copies import make_backup as make_backup
from tourney.storage.backup.erasures import backups_naming as backups_naming
from tourney.storage.backup.erasures import empty_log as empty_log
from tourney.storage.backup.mirrors import add_mirror as add_mirror
from tourney.storage.backup.mirrors import list_mirrors as list_mirrors
from tourney.storage.backup.mirrors import mirrored_entries as mirrored_entries
from tourney.storage.backup.mirrors import mirrors_away as mirrors_away
from tourney.storage.backup.mirrors import on_one_disk as on_one_disk
from tourney.storage.backup.mirrors import remove_mirror as remove_mirror
from tourney.storage.backup.mirrors import round_backup_state as round_backup_state
from tourney.storage.backup.restore import restore_backup as restore_backup
from tourney.storage.backup.restore import restore_mirror as restore_mirror
from tourney.storage.backup.round_backup import back_up_round as back_up_round
from tourney.storage.backup.round_backup import erase_in_round_backup as erase_in_round_backup
from tourney.storage.check import check_database as check_database
from tourney.storage.health import filesystem as filesystem
from tourney.storage.health import journaled as journaled
from tourney.storage.health import readable_by_others as readable_by_others
from tourney.storage.health import sqlite_version as sqlite_version
from tourney.storage.health import writable as writable
from tourney.storage.migrate import upgrade as upgrade
