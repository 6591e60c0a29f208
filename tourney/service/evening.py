"""Bringing in a whole evening that was kept in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from tourney import games
from tourney.domain import (
    Event,
    EventSettings,
    ExitCode,
    ImportedEvent,
    Mode,
    Player,
    Round,
    Table,
    TourneyError,
)
from tourney.names import clean
from tourney.score_sheets import SheetTable, place, read_score_sheets
from tourney.service import backups
from tourney.service.events import make
from tourney.service.lookup import Directory
from tourney.service.settings import checked
from tourney.spreadsheet import refusal
from tourney.text import _

if TYPE_CHECKING:
    from os import PathLike

    from tourney.storage import Store


def bring_in(db: str | None, settings: EventSettings, path: str | PathLike[str], mode: Mode = "save") -> ImportedEvent:
    """Make the event of these settings with the rounds, entrants and results of a file of score sheets.

    All is kept, or nothing. Rounds and size are the file's. Raises TourneyError REFUSED with the file and
    its line, or round, table and hand, for what cannot have happened; NOT_FOUND for unknown rules or people.
    """
    from tourney.storage import writing

    rules = settings.rules
    if games.family(rules) == "knock":
        message = _("score sheets have a column for each contract, and {rules} has none").format(rules=rules)
        raise TourneyError(ExitCode.REFUSED, message, _("enter its tables with `tourney result enter --file`"))
    least, most = games.table_limits(rules)
    sheets = read_score_sheets(path, [contract for contract, _cards in games.contracts(rules)])
    for sheet in sheets:
        _check_size(path, sheet, least, most)
    rounds = max(sheet.round for sheet in sheets)
    size = max(least, *(len(sheet.names) for sheet in sheets))
    settings = checked(replace(settings, rounds=rounds, size=size))
    adopted = games.adopted(rules)
    with writing(db, mode) as store:
        players = _players(store, path, sheets)
        event = make(store, settings, adopted)
        event = store.enter(event, tuple({one.id: one for there in players.values() for one in there}.values()))
        _keep(store, event, path, sheets, players)
    backups.round_finished(db, mode)
    return ImportedEvent(event, len(sheets))


def _check_size(path: str | PathLike[str], sheet: SheetTable, least: int, most: int) -> None:
    if not least <= len(sheet.names) <= most:
        message = _("{place}: {number} players sit there").format(
            place=place(path, sheet.round, sheet.number), number=len(sheet.names)
        )
        raise TourneyError(ExitCode.REFUSED, message, _("{least} to {most} can").format(least=least, most=most))


def _players(
    store: Store, path: str | PathLike[str], sheets: Sequence[SheetTable]
) -> dict[tuple[int, int], tuple[Player, ...]]:
    """Who sat at each table; two spellings of one person in a round are refused."""
    directory = Directory(store.players())
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
        return directory.find(clean(name), _("register everybody first with `tourney player import`"))
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
    store: Store,
    event: Event,
    path: str | PathLike[str],
    sheets: Sequence[SheetTable],
    players: Mapping[tuple[int, int], tuple[Player, ...]],
) -> None:
    for number, group in groupby(sheets, lambda sheet: sheet.round):
        there = list(group)
        tables = tuple(Table(number, sheet.number, players[number, sheet.number]) for sheet in there)
        store.draw(event, Round(number, tables, _sitting_out(event, tables)))
        for sheet, table in zip(there, tables, strict=True):
            _keep_sheet(store, event, path, sheet, table)


def _sitting_out(event: Event, tables: Sequence[Table]) -> tuple[Player, ...]:
    seated = {player.id for table in tables for player in table.players}
    return tuple(player for player in event.entrants if player.id not in seated)


def _keep_sheet(store: Store, event: Event, path: str | PathLike[str], sheet: SheetTable, table: Table) -> None:
    names = [player.shown for player in table.players]
    try:
        outcome = games.check_sheet(event.rulebook, names, sheet.hands)
    except TourneyError as error:
        where = place(path, sheet.round, sheet.number)
        raise TourneyError(ExitCode.REFUSED, f"{where}: {error.message}", error.hint) from None
    store.keep_result(event, table, outcome)
