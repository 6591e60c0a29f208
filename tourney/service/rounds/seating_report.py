"""The quality of an event's drawn rounds, compared with the best that any seating of such tables can have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round
from tourney.seating.build import build
from tourney.seating.formats import FORMATS
from tourney.seating.model import Task
from tourney.seating.quality.bounds import Certificate, certify
from tourney.service import lookup
from tourney.service.lookup import find_event
from tourney.service.seating.constraint_text import constraints_of
from tourney.service.seating.plan_diff import PlanInputs
from tourney.service.seating.plans import NamedSeating
from tourney.service.seating.rotation_plan import DrawnRound
from tourney.text.i18n import _, ngettext


def of_event(db: str | None, event: str | None = None) -> NamedSeating:
    """Return all drawn rounds of an event with their certificate, which compares byes of present players only.

    Raises TourneyError NOT_FOUND for an unknown event, REFUSED if nothing is drawn.
    """

    with storage.reading(db) as reader:
        found = find_event(reader, event)
        drawn = PlanInputs.of(reader, found).drawn
    if not drawn:
        raise lookup.nothing_drawn(found)
    seating = certified(found, [round_.round for round_ in drawn])
    return replace(seating, certificate=replace(_signed(seating.certificate, drawn), level=_level(seating)))


def _level(seating: NamedSeating) -> int | None:
    """Return the fewest repeats found where rounds at a smaller table are even; None if they are, or nothing was tried.

    It is looked for where all rounds have the same players and sizes of tables.
    """
    shapes = {tuple(sorted(map(len, tables), reverse=True)) for tables in seating.rounds}
    players = {frozenset(player for table in tables for player in table) for tables in seating.rounds}
    if seating.certificate.judgement.smaller_table_spread <= 1 or len(shapes) > 1 or len(players) > 1:
        return None
    return build(Task(len(players.pop()), shapes.pop(), len(seating.rounds), "no third meeting")).level


def _signed(certificate: Certificate, drawn: Sequence[DrawnRound]) -> Certificate:
    """Return the certificate with the formats, seeds and versions of the draws, if the program drew all rounds."""
    versions = [round_.how.program for round_ in drawn if round_.how is not None]
    if len(versions) < len(drawn):
        return certificate
    settings = [round_.event.settings for round_ in drawn]
    return replace(
        certificate,
        method=", ".join(dict.fromkeys(each.format for each in settings)),
        seed=", ".join(dict.fromkeys(each.seed for each in settings)),
        version=", ".join(dict.fromkeys(versions)),
    )


def certified(event: Event, rounds: Sequence[Round]) -> NamedSeating:
    """Return these rounds of the event with their certificate; players who have left are numbered after the present."""
    present = {player.id for player in event.playing}
    people = [*event.playing, *(player for player in event.entrants if player.id not in present)]
    number_of = {player.id: number for number, player in enumerate(people)}

    def numbered(players: Sequence[Player]) -> tuple[int, ...]:
        return tuple(number_of[player.id] for player in players)

    seats = tuple(tuple(numbered(table.players) for table in round_.tables) for round_ in rounds)
    numbers = tuple(tuple(table.number for table in round_.tables) for round_ in rounds)
    return NamedSeating(
        tuple(player.shown for player in people),
        seats,
        numbers,
        tuple(numbered(round_.sitting_out) for round_ in rounds),
        certify(seats, len(present), numbers=numbers, constraints=constraints_of(event).renumbered(number_of)),
        event.settings.name,
    )


def quality_note(event: Event, rounds: Sequence[Round]) -> Iterator[str]:
    """Yield a draw's note on the rounds so far; no note where repeats are none or no choice.

    A single round has none; one table, and groups, meet again in every round.
    """
    if len(rounds) < 2 or len(rounds[-1].tables) < 2:
        return
    stage = event.in_round(rounds[-1].number)
    if not FORMATS[event.settings.format if stage is None else stage.format].ordered_once:
        quality = meetings_text(certified(event, rounds).certificate)
        yield _("Rounds 1 to {rounds}: {quality}.").format(rounds=len(rounds), quality=quality)


def meetings_text(certificate: Certificate) -> str:
    """Return how often players meet again and whether that can be helped, as players say it, without a full stop."""
    again, bound = certificate.judgement.repeats, certificate.bound.repeats
    if again == 0:
        return _("no two players meet twice")
    met = ngettext("players meet again once", "players meet again {number} times", again).format(number=again)
    if bound == 0:
        return _("{met}, and less often may be possible").format(met=met)
    if not certificate.proven:
        return _("{met}, of which at least {bound} cannot be avoided").format(met=met, bound=bound)
    # Two rounds need no condition: nobody can meet three times in them.
    if certificate.holds_for == "no third meeting" and certificate.rounds > 2:
        return _("{met}, and less often only if some of them meet a third time").format(met=met)
    return _("{met}, and less often is not possible at these tables").format(met=met)


def quality_text(certificate: Certificate) -> str:
    """Return in words, without a full stop, the number of repeats and of those proven unavoidable."""
    repeats = certificate.judgement.repeats
    if repeats == 0:
        return repeats_text(repeats)
    if certificate.bound.repeats == 0:
        return _("{repeats}; fewer may be possible").format(repeats=repeats_text(repeats))
    if certificate.proven:
        text = _("{repeats}, the proven minimum for such tables")
    else:
        text = _("{repeats}, at least {bound} of them unavoidable")
    # Two rounds need no condition: nobody can meet three times in them.
    if certificate.holds_for == "no third meeting" and certificate.rounds > 2:
        text = _("{text} without third meetings").format(text=text)
    return text.format(repeats=repeats_text(repeats), bound=certificate.bound.repeats)


def repeats_text(number: int) -> str:
    """Return a number of repeats in words."""
    if number == 0:
        return _("no repeats")
    return ngettext("{number} repeat", "{number} repeats", number).format(number=number)
