"""Verification of drawn rounds: each is drawn a second time from the seed and the data before it."""

from __future__ import annotations

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.rounds import Drawing, Round
from tourney.domain.schedule import PlanState, VerifiedDraw, VerifiedRound
from tourney.seating.model import seating_as
from tourney.service.lookup import find_event, nothing_drawn
from tourney.service.rounds.draw_round import ordering_of
from tourney.service.seating.draw import Given, next_round
from tourney.service.seating.plan_diff import PlanInputs, ids_of
from tourney.service.version import seating_version


def verify(db: str | None, event: str | None = None) -> VerifiedDraw:
    """Draw every drawn round of the event again, each from the database as it was before, and compare seat by seat.

    A round is seated as by the version of the program that drew it. Later edits by hand are ignored. Raises
    TourneyError NOT_FOUND for an unknown event, REFUSED if nothing is drawn.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        drawn = [round_.number for round_ in reader.rounds.of(found)]
        if not drawn:
            raise nothing_drawn(found)
        edited = reader.rounds.times_edited(found)
        # A round that was cancelled has been drawn more than once: its last drawing is the one that counts.
        verified = {
            round_.number: _verified(reader_then.events.get(found.id), round_, how, reader_then, edited[round_.number])
            for round_, how, reader_then in reader.draws(found)
        }
        rounds = tuple(verified[number] for number in drawn)
        with seating_as(next((each.program for each in reversed(rounds) if each.program), "")):
            announced = _announced(reader, found)
        return VerifiedDraw(found, seating_version(), rounds, announced)


def _announced(reader: storage.Reader, event: Event) -> PlanState:
    """Plan the coming rounds again, step by step, and compare each step with the plan that the journal keeps."""
    inputs = PlanInputs.of(reader, event, prove=True)
    if not inputs.steps.any_kept:
        return "not kept"
    list(inputs.planned_tables())
    return "other" if inputs.steps.differs else "the same"


def _verified(
    event: Event, round_: Round, how: Drawing | None, reader_then: storage.Reader, edited: int
) -> VerifiedRound:
    if how is None:
        return VerifiedRound(round_.number, "brought in", edited=edited)
    with seating_as(how.program):
        inputs = PlanInputs.of(reader_then, event, prove=True)
        ordering = ordering_of(reader_then, inputs.event)
        again = next_round(inputs.event, inputs.drawn, inputs.steps, ordering, _given(round_, how))
    is_same = _seats(again) == _seats(round_)
    return VerifiedRound(round_.number, "the same" if is_same else "other", how.program, how.given, edited)


def _given(round_: Round, how: Drawing) -> Given | None:
    if not (how.given or how.rested):
        return None
    return Given({table.number: table.players for table in round_.tables if table.number in how.given}, how.rested)


def _seats(round_: Round) -> tuple[list[list[int]], list[int]]:
    return [ids_of(table.players) for table in round_.tables], ids_of(round_.sitting_out)
