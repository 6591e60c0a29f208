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
    if mode != "dry run":
        return None
    return _changes(after, before.playing, drawn)


def changes_by_drawing(event: Event, drawn: Sequence[Round], mode: Mode) -> tuple[TableChange, ...] | None:
    """The same for a draw: beside what was planned for those who were there in the round before."""
    if mode != "dry run" or not drawn:
        return None
    last = drawn[-1]
    there = {
        player.id for players in (last.sitting_out, *(table.players for table in last.tables)) for player in players
    }
    return _changes(event, [player for player in event.entrants if player.id in there], drawn)


def _changes(event: Event, before: Sequence[Player], drawn: Sequence[Round]) -> tuple[TableChange, ...] | None:
    """What is planned for those who play, beside what was for those before."""
    if event.settings.format != "rotation" or not drawn or len(drawn) >= event.settings.rounds:
        return None
    old, new = dict(_planned(event, before, drawn)), dict(_planned(event, event.playing, drawn))
    return tuple(
        TableChange(*spot, old.get(spot, ()), new.get(spot, ()))
        for spot in sorted({*old, *new})
        if set(old.get(spot, ())) != set(new.get(spot, ()))
    )


def _planned(
    event: Event, playing: Sequence[Player], drawn: Sequence[Round]
) -> Iterator[tuple[tuple[int, int], tuple[Player, ...]]]:
    by_id = {player.id: player for player in event.entrants}
    courses = [coming(event, players, drawn) for players in groups_of(event, playing)]
    for number in range(len(drawn), event.settings.rounds):
        tables = [table for rounds in courses for one in rounds[number - len(drawn) :][:1] for table in one.tables]
        for place, table in enumerate(tables, 1):
            yield (number + 1, place), tuple(by_id[player] for player in table)
