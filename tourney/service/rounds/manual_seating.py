"""Tables of a round as given in a file."""

from __future__ import annotations

from os import PathLike

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.files.seating import SeatingFile, read_seating
from tourney.rulebook import rulesets
from tourney.service.events.attendance import refuse_absent
from tourney.service.lookup import find_entrant
from tourney.service.seating.draw import Given
from tourney.text.i18n import _, ngettext


def given_tables(event: Event, number: int, path: str | PathLike[str]) -> Given:
    """Return the tables that the file gives for the event's round of that number; a single round is taken for it.

    Raises TourneyError as `read_seating` does, NOT_FOUND for players who have not entered, REFUSED for players who are
    not to be seated and for tables that the rules do not allow.
    """
    file = read_seating(path, number, rulesets.table_limits(event.rules))
    place = _place(file, number, path)
    tables = {
        table: tuple(find_entrant(event, name) for name in names)
        for table, names in zip(file.numbers[place], file.rounds[place], strict=True)
    }
    _refuse_many(event, len(tables))
    out = tuple(find_entrant(event, name) for name in file.sitting_out[place])
    for table, players in tables.items():
        _refuse_size(event, table, len(players))
        for player in players:
            refuse_absent(event, player)
    _refuse_twice([player for players in (*tables.values(), out) for player in players])
    return Given(tables, tuple(player for player in out if player in event.playing))


def _place(file: SeatingFile, number: int, path: str | PathLike[str]) -> int:
    if len(file.rounds) == 1:
        return 0
    if number > len(file.rounds):
        message = _("{path} has no round {round}").format(path=path, round=number)
        raise TourneyError(ExitCode.REFUSED, message, _("give a file of this round alone, or of all rounds"))
    return number - 1


def _refuse_many(event: Event, tables: int) -> None:
    """Raise TourneyError REFUSED for more tables than the event has."""
    limit = event.settings.tables
    if limit is not None and tables > limit:
        message = ngettext(
            "the file seats {number} table, and {event} has {limit}",
            "the file seats {number} tables, and {event} has {limit}",
            tables,
        ).format(number=tables, event=event.settings.name, limit=limit)
        raise TourneyError(ExitCode.REFUSED, message, _("give fewer, or set more with `tourney event set --tables`"))


def _refuse_size(event: Event, table: int, players: int) -> None:
    least, most = rulesets.table_limits(event.rules)
    if not least <= players <= most:
        message = ngettext(
            "table {table} would have {number} player", "table {table} would have {number} players", players
        ).format(table=table, number=players)
        hint = _("{rules} allow tables of {least} to {most}").format(rules=event.settings.rules, least=least, most=most)
        raise TourneyError(ExitCode.REFUSED, message, hint)


def _refuse_twice(players: list[Player]) -> None:
    """Raise TourneyError REFUSED for two names or numbers of one entrant."""
    seen: set[int] = set()
    for player in players:
        if player.id in seen:
            message = _("{name} has two places in the file").format(name=player.shown)
            raise TourneyError(ExitCode.REFUSED, message, _("seat everybody once"))
        seen.add(player.id)
