"""Standings as people see them, where an event with stages is, and the hand of players level at a border."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import PlayOff, Stage
from tourney.domain.status import StageStatus
from tourney.rulebook import rulesets
from tourney.seating.rng import seeded_rng, shuffled
from tourney.service.lookup import find_event, find_round
from tourney.service.results import standings as plain
from tourney.service.stages import border_reasons, cut_news, later, states
from tourney.service.stages.advance import cut_to, is_over, names_of, play_off_hand
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _, marked, ngettext
from tourney.text.names import fold

if TYPE_CHECKING:
    from tourney.service.stages.border_reasons import Border


_PLACES: Final = (marked("FIRST"), marked("SECOND"), marked("THIRD"), marked("FOURTH"))


def order_to_type(players: int) -> str:
    """Return what stands for the names of so many players in a command: pasted as it is, it decides nothing."""
    places = [_(place) for place in _PLACES]
    return ",".join(places[:players]) if players <= len(places) else ",".join((*places[:2], "..."))


def play_off_lines(event: Event, stage: Stage, play_offs: Sequence[PlayOff]) -> Iterator[str]:
    """Yield for each border which hand its players play for how many places, and who sits where."""
    for each in play_offs:
        text = ngettext(
            "Play-off hand for {stage}{hand}: the fewest points win {places} place.",
            "Play-off hand for {stage}{hand}: the fewest points win {places} places.",
            each.places,
        )
        hand = play_off_hand(event, stage)
        yield text.format(stage=stage.name, places=each.places, hand=f" ({hand})" if hand else "")
        tables = seats(event, stage, each.players)
        for number, players in enumerate(tables, 1):
            line = _("Seats (the first deals): {names}.") if len(tables) == 1 else _("Table {table}: {names}.")
            yield line.format(table=number, names=names_of(players))
        if len(tables) > 1:
            yield _("The first at each table deals; the points of all these tables are compared.")


def seats(event: Event, stage: Stage, players: Sequence[Player]) -> list[list[Player]]:
    """Return the tables of a play-off hand in seat order, by lot: as few as the rules allow, of nearly equal size."""
    order = shuffled(list(players), seeded_rng("play-off", event.settings.seed, stage.name))
    number = -(-len(order) // rulesets.table_limits(event.rules)[1])
    return [order[at::number] for at in range(number)]


def stage_status(reader: storage.Reader, event: Event) -> StageStatus | None:
    """Return where the stages of an event stand; None for an event without stages or one that is finished."""
    stage, following = event.stage, event.next_stage
    if stage is None or event.state == "finished":
        return None
    found = later.difference(reader, event)
    changed = () if found is None else (found.coming, found.going, found.gone)
    coming, going, gone = changed or ((), (), ())
    lines = tuple(cut_news.cut_lines(reader, event))
    offers = (
        found is not None and found.can_replace,
        found is not None and found.can_add,
        found is not None and later.can_seat_again(reader, event, found.stage),
    )
    if following is None:
        return StageStatus(
            stage.name,
            coming=coming,
            going=going,
            gone=gone,
            lines=lines,
            can_replace=offers[0],
            can_add=offers[1],
            can_seat_again=offers[2],
        )
    rounds, done = reader.rounds.of(event), reader.results.finished(event.id)
    tables = {(table.round, table.number) for drawn in rounds for table in drawn.tables}
    begins = is_over(reader, event, len(rounds)) and tables <= done
    decided = cut_to(reader, event, following) if begins else None
    return StageStatus(
        stage.name,
        following.name,
        begins,
        () if decided is None else decided.play_offs,
        decided is not None and following.take == "named" and not decided.through,
        coming,
        going,
        gone,
        lines,
        *offers,
        () if decided is None else tuple(play_off_lines(event, following, decided.play_offs)),
    )


def standings(
    db: str | None, event: str | None = None, round_number: int | None = None, stage: str | None = None
) -> StandingsTable:
    """Return the standings of an event now, after a round, or at the end of a stage, with who goes through now.

    Standings after a round leave out the penalties of later rounds; penalties without a round always count. Raises
    TourneyError NOT_FOUND, and USAGE for a round and a stage together.
    """
    if round_number is not None and stage is not None:
        raise TourneyError(ExitCode.USAGE, _("give a round or a stage, not both"), _("leave out --round or --stage"))
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if stage is not None:
            round_number = _last_round(reader, found, stage)
        if round_number is not None:
            find_round(found, reader.rounds.of(found), round_number)
        table = plain.table_of(reader, found, round_number)
        if found.settings.stages:
            table = _with_borders(db, table)
        if round_number is not None or not found.settings.stages or found.state == "finished":
            return table
        return _with_stages(reader, found, table)


def _last_round(reader: storage.Reader, event: Event, name: str) -> int:
    """Return the last round that was drawn of a stage. Raises TourneyError NOT_FOUND for a stage without one."""
    begun = [stage for stage in event.settings.stages if stage.begun]
    at = next((at for at, stage in enumerate(begun) if fold(stage.name) == fold(name)), None)
    drawn = [each.number for each in reader.rounds.of(event) if at is not None and each.number >= begun[at].first]
    if at is None or not drawn:
        message = _("{event} has no stage “{name}” of which a round is drawn")
        hint = _("the stages that have begun are: {stages}") if begun else _("the event has no stages")
        stages = ", ".join(stage.name for stage in begun)
        raise TourneyError(
            ExitCode.NOT_FOUND,
            message.format(event=event.settings.name, name=name[:40]),
            hint.format(stages=stages),
        )
    return max(drawn) if at + 1 == len(begun) else begun[at + 1].first - 1


def _with_borders(db: str | None, table: StandingsTable) -> StandingsTable:
    """Return the table with arithmetic that says why somebody plays in a stage, where not only the results decide."""

    @cache  # The pages of all players ask for them.
    def found() -> tuple[Border, ...]:
        with storage.reading(db) as reader:
            return border_reasons.borders(reader, table.event, table.round)

    def steps(player: Player) -> Sequence[str]:
        return (*(reason for border in found() for reason in border.reasons(player)), *table.arithmetic(player))

    return replace(table, arithmetic=steps)


def _with_stages(reader: storage.Reader, event: Event, table: StandingsTable) -> StandingsTable:
    found, stage = states.prospects_of(reader, event), event.next_stage
    notes = (*cut_news.cut_lines(reader, event), *table.notes)
    rows = states.with_prospects(table.rows, found)
    return replace(table, rows=rows, notes=notes, next_stage=stage.name if found and stage is not None else "")
