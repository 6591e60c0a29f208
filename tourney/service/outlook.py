"""What the coming and going of people changes in the rounds to come, before it happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tourney.domain import Event, Mode, Player, Round, TableChange
from tourney.service.coming import coming
from tourney.service.drawing import groups_of

Planned = dict[tuple[int, int], tuple[Player, ...]]
"""Tables to come, by round and number."""


def changes_ahead(before: Event, after: Event, drawn: Sequence[Round], mode: Mode) -> tuple[TableChange, ...] | None:
    """The tables of rounds to come at which others would sit; None unless it is a dry run and rounds are planned."""
    if mode != "dry run" or not drawn or "rotation" not in (before.settings.format, after.settings.format):
        return None
    return _changes(dict(_planned(before, before.playing, drawn)), dict(_planned(after, after.playing, drawn)))


def changes_by_drawing(event: Event, drawn: Sequence[Round], mode: Mode) -> tuple[TableChange, ...] | None:
    """The same for a draw: beside what was planned for those who were there in the round before."""
    if mode != "dry run" or not drawn or event.settings.format != "rotation":
        return None
    last = drawn[-1]
    seated = (last.sitting_out, *(table.players for table in last.tables))
    there = {player.id for players in seated for player in players}
    before = [player for player in event.entrants if player.id in there]
    return _changes(dict(_planned(event, before, drawn)), dict(_planned(event, event.playing, drawn)))


def _changes(old: Planned, new: Planned) -> tuple[TableChange, ...] | None:
    if not (old or new):
        return None
    return tuple(
        TableChange(*spot, old.get(spot, ()), new.get(spot, ()))
        for spot in sorted({*old, *new})
        if {player.id for player in old.get(spot, ())} != {player.id for player in new.get(spot, ())}
    )


def _planned(
    event: Event, playing: Sequence[Player], drawn: Sequence[Round]
) -> Iterator[tuple[tuple[int, int], tuple[Player, ...]]]:
    """What is planned for those who play; nothing where each round is drawn by itself."""
    if event.settings.format != "rotation":
        return
    by_id = {player.id: player for player in event.entrants}
    courses = [coming(event, players, drawn) for players in groups_of(event, playing)]
    for number in range(len(drawn), event.settings.rounds):
        tables = [table for rounds in courses for one in rounds[number - len(drawn) :][:1] for table in one.tables]
        for place, table in enumerate(tables, 1):
            yield (number + 1, place), tuple(by_id[player] for player in table)
