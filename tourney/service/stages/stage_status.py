"""Where an event with stages stands: which stage is played, and what must be decided before the next one begins."""

from __future__ import annotations

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.status import StageStatus
from tourney.service.stages.advance import cut_to, is_over
from tourney.service.stages.cut_lines import cut_lines
from tourney.service.stages.later import can_seat_again, difference
from tourney.service.stages.play_offs import play_off_lines


def stage_status(reader: storage.Reader, event: Event) -> StageStatus | None:
    """Return where the stages of an event stand; None for an event without stages or one that is finished."""
    stage, following = event.stage, event.next_stage
    if stage is None or event.state == "finished":
        return None
    found = difference(reader, event)
    changed = () if found is None else (found.coming, found.going, found.gone)
    coming, going, gone = changed or ((), (), ())
    lines = tuple(cut_lines(reader, event))
    offers = (
        found is not None and found.can_replace,
        found is not None and found.can_add,
        found is not None and can_seat_again(reader, event, found.stage),
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
        () if decided is None else decided.undecided,
        decided is not None and following.take == "named" and not decided.through,
        coming,
        going,
        gone,
        lines,
        *offers,
        () if decided is None else tuple(play_off_lines(event, following, decided)),
    )
