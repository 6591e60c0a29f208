"""What the coming and going of people, and settings, change in the rounds to come, before it happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tourney.domain import Event, Mode, Player, TableChange
from tourney.service.coming import Drawn, coming
from tourney.service.drawing import groups_of

if TYPE_CHECKING:
    from tourney.storage import Reader

Planned = dict[tuple[int, int], tuple[Player, ...]]
"""Tables to come, by round and number; behind them, as `OUT`, who sits out."""

OUT: Final = 1 << 30


def drawn_rounds(reader: Reader, event: Event) -> tuple[Drawn, ...]:
    """The drawn rounds of the event, each with the event as its settings and wishes were then."""
    pairs = zip(reader.rounds(event), reader.as_drawn(event), strict=True)
    return tuple(Drawn(one, *then) for one, then in pairs)


def changes_ahead(reader: Reader, before: Event, after: Event, mode: Mode) -> tuple[TableChange, ...] | None:
    """The tables of rounds to come at which others would sit; None unless it is a dry run and rounds are planned."""
    if mode != "dry run" or "rotation" not in (before.settings.format, after.settings.format):
        return None
    drawn = drawn_rounds(reader, after)
    if not drawn:
        return None
    return _changes(dict(_planned(before, before.playing, drawn)), dict(_planned(after, after.playing, drawn)))


def changes_by_drawing(event: Event, drawn: Sequence[Drawn], mode: Mode) -> tuple[TableChange, ...] | None:
    """The same for a draw: beside what was planned for those who were there in the round before, as things were."""
    if mode != "dry run" or not drawn or event.settings.format != "rotation":
        return None
    last = drawn[-1]
    seated = (last.round.sitting_out, *(table.players for table in last.round.tables))
    there = {player.id for players in seated for player in players}
    before = [player for player in event.entrants if player.id in there]
    return _changes(dict(_planned(last.event, before, drawn)), dict(_planned(event, event.playing, drawn)))


def _changes(old: Planned, new: Planned) -> tuple[TableChange, ...] | None:
    if not (old or new):
        return None
    return tuple(
        TableChange(spot[0], None if spot[1] == OUT else spot[1], old.get(spot, ()), new.get(spot, ()))
        for spot in sorted({*old, *new})
        if {player.id for player in old.get(spot, ())} != {player.id for player in new.get(spot, ())}
    )


def _planned(
    event: Event, playing: Sequence[Player], drawn: Sequence[Drawn]
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
        out = {player for rounds in courses for one in rounds[number - len(drawn) :][:1] for player in one.out}
        yield (number + 1, OUT), tuple(player for player in event.entrants if player.id in out)
