"""Import of a whole evening that was kept in a spreadsheet."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from os import PathLike

from tourney import storage
from tourney.domain.errors import DoubtWarning, ExitCode, TourneyError
from tourney.domain.events import Event, EventSettings, ImportedEvent
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.domain.rules import RulesRef
from tourney.files.description import PLAIN, Description
from tourney.files.named import refusal
from tourney.files.score_csv import SheetTable, place, read_score_sheets
from tourney.rulebook import rulesets
from tourney.rulebook.sheets import check_sheet, doubts, twin_doubt
from tourney.service import database
from tourney.service.change import Change
from tourney.service.directory import Directory
from tourney.service.events.events import make
from tourney.service.events.settings import checked
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean


@dataclass(frozen=True, slots=True)
class ImportSheets(Change[ImportedEvent]):
    """Create an event from a whole evening's score sheets: entrants, rounds and results, all or nothing.

    The number of rounds and the table size are the file's. Refused: REFUSED with the file and its line, or round, table
    and hand, for an impossible sheet; NOT_FOUND for unknown rules or people; CONFLICT for a name that is taken.
    """

    name: str
    path: str | PathLike[str]
    rules: str
    date: str = ""
    described: Description = PLAIN

    def perform(self, store: storage.Store) -> ImportedEvent:
        """Return the new event and its number of tables."""
        rules = rulesets.resolve(self.rules)
        sheets = _read(self.path, rules, self.described)
        rounds = max(sheet.round for sheet in sheets)
        size = max(rulesets.table_limits(rules)[0], *(len(sheet.names) for sheet in sheets))
        settings = checked(EventSettings(self.name, rules.id, date=self.date, rounds=rounds, size=size), rules)
        players = _players(store, self.path, sheets)
        event = make(store, settings, rules)
        everybody = {player.id: player for seated in players.values() for player in seated}
        event = store.events.enter(event, tuple(everybody.values()))
        _keep(store, event, self.path, sheets, players)
        _warn_of_doubts(event, self.path, sheets)
        store.after_commit(lambda: database.round_finished(store.db))
        return ImportedEvent(event, len(sheets))


def _read(path: str | PathLike[str], rules: RulesRef, described: Description) -> Sequence[SheetTable]:
    if rulesets.family(rules) == "knock":
        message = _("score sheets have a column for each contract, and {rules} has none").format(rules=rules.id)
        raise TourneyError(ExitCode.REFUSED, message, _("enter its tables with `tourney result enter --file`"))
    least, most = rulesets.table_limits(rules)
    sheets = read_score_sheets(path, [contract for contract, _cards in rulesets.contracts(rules)], described)
    for sheet in sheets:
        _check_size(path, sheet, least, most)
    return sheets


def _check_size(path: str | PathLike[str], sheet: SheetTable, least: int, most: int) -> None:
    if not least <= len(sheet.names) <= most:
        message = _("{place}: {number} players sit there").format(
            place=place(path, sheet.round, sheet.number), number=len(sheet.names)
        )
        raise TourneyError(
            ExitCode.REFUSED, message, _("a table has {least} to {most} players").format(least=least, most=most)
        )


def _players(
    store: storage.Store, path: str | PathLike[str], sheets: Sequence[SheetTable]
) -> dict[tuple[int, int], tuple[Player, ...]]:
    """Return the players of each table, by round and table. Refused: two spellings of one person in a round."""
    directory = Directory(store.people.players())
    players = {
        (sheet.round, sheet.number): tuple(
            _player(directory, path, name, line) for name, line in zip(sheet.names, sheet.lines, strict=True)
        )
        for sheet in sheets
    }
    _refuse_twice(path, sheets, players)
    return players


def _player(directory: Directory, path: str | PathLike[str], name: str, line: int) -> Player:
    try:
        return directory.find_exactly(clean(name), _("register everybody first with `tourney player import`"))
    except TourneyError as error:
        where = refusal(path, line, error.message)
        raise TourneyError(error.code, where.message, error.hint) from None


def _refuse_twice(
    path: str | PathLike[str],
    sheets: Iterable[SheetTable],
    players: Mapping[tuple[int, int], tuple[Player, ...]],
) -> None:
    seen: set[tuple[int, int]] = set()
    for sheet in sheets:
        for player, line in zip(players[sheet.round, sheet.number], sheet.lines, strict=True):
            if (sheet.round, player.id) in seen:
                message = _("{name} plays in round {round} twice").format(name=player.shown, round=sheet.round)
                raise refusal(path, line, message, _("look for another spelling of the name in that round"))
            seen.add((sheet.round, player.id))


def _keep(
    store: storage.Store,
    event: Event,
    path: str | PathLike[str],
    sheets: Sequence[SheetTable],
    players: Mapping[tuple[int, int], tuple[Player, ...]],
) -> None:
    for number, group in groupby(sheets, lambda sheet: sheet.round):
        round_sheets = list(group)
        tables = tuple(Table(number, sheet.number, players[number, sheet.number]) for sheet in round_sheets)
        store.rounds.draw(event, Round(number, tables, _sitting_out(event, tables)))
        for sheet, table in zip(round_sheets, tables, strict=True):
            _keep_sheet(store, event, path, sheet, table)


def _warn_of_doubts(event: Event, path: str | PathLike[str], sheets: Sequence[SheetTable]) -> None:
    """Warn of sheets that are possible but unusual, or equal to a sheet before; the first doubt is in words."""
    found = [
        f"{place(path, sheet.round, sheet.number)}: {doubt}"
        for sheet in sheets
        for doubt in (*doubts(event.rules, sheet.names, dict(enumerate(sheet.hands, 1))), *_twin_doubts(sheet, sheets))
    ]
    if found:
        more = ngettext("{doubt} (and {number} more)", "{doubt} (and {number} more)", len(found) - 1)
        said = found[0] if len(found) == 1 else more.format(doubt=found[0], number=len(found) - 1)
        warnings.warn(DoubtWarning(said, said), stacklevel=2)


def _twin_doubts(sheet: SheetTable, sheets: Sequence[SheetTable]) -> Iterator[str]:
    """Yield the doubt about a sheet with the same points as tables before it in its round."""
    same = [
        other.number
        for other in sheets
        if other.round == sheet.round
        and other.number < sheet.number
        and [hand.points for hand in other.hands] == [hand.points for hand in sheet.hands]
    ]
    if same:
        yield twin_doubt(sheet.number, same)


def _sitting_out(event: Event, tables: Sequence[Table]) -> tuple[Player, ...]:
    seated = {player.id for table in tables for player in table.players}
    return tuple(player for player in event.entrants if player.id not in seated)


def _keep_sheet(store: storage.Store, event: Event, path: str | PathLike[str], sheet: SheetTable, table: Table) -> None:
    names = [player.shown for player in table.players]
    try:
        outcome = check_sheet(event.rules, names, sheet.hands)
    except TourneyError as error:
        where = place(path, sheet.round, sheet.number)
        raise TourneyError(ExitCode.REFUSED, f"{where}: {error.message}", error.hint) from None
    store.write(storage.kinds.results.ResultEntered.of(event, table, outcome))
