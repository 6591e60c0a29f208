"""What the seating of an event is to heed: whom not to meet, whom to meet, which table somebody needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

from tourney import rulebook, storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event, Wish, Wished
from tourney.domain.modes import Mode
from tourney.seating.constraints import Wishes
from tourney.service.lookup import find_entrant, find_event, refuse_finished
from tourney.service.seating.constraint_text import CLUB, clubs_of, read_wishes, refuse_contradiction, refuse_crowd
from tourney.service.seating.draw import groups_of
from tourney.service.seating.plan_diff import Outlook, changes_ahead
from tourney.service.seating.rotation_plan import sizes_for
from tourney.text.i18n import _, ngettext

How = Literal["besides", "instead"]
"""Whether new wishes stand beside those there are, or in their place."""


def wish(
    db: str | None,
    event: str | None,
    apart: Sequence[str] = (),
    together: Sequence[str] = (),
    tables: Sequence[str] = (),
    how: How = "besides",
    mode: Mode = "save",
) -> Wished:
    """Let the rounds to come heed wishes of entrants, in the words of `read_wishes`, where short numbers are names too;
    those drawn stay as they are.

    Raises TourneyError NOT_FOUND for an unknown event or entrant; USAGE for other words, where nothing is wished, and
    for wishes that contradict each other or those there are; REFUSED for a finished event, for clubs where nobody has
    one, for more people at a table than can sit there, and where nothing would change.
    """
    if how == "besides" and not (apart or together or tables):
        message = _("nothing is wished")
        hint = _("give --apart, --together or --table, or --clear to forget the wishes there are")
        raise TourneyError(ExitCode.USAGE, message, hint)
    with storage.writing(db, mode) as store:
        found = find_event(store, event)
        refuse_finished(found)
        new = _read(found, apart, together, tables)
        wishes = tuple(dict.fromkeys((*(_beside(found.wishes, new) if how == "besides" else ()), *new)))
        if wishes == found.wishes:
            message = _("nothing about the wishes in {event} would change").format(event=found.settings.name)
            raise TourneyError(ExitCode.REFUSED, message, _("see them with `tourney event show`"))
        _refuse_contradiction(found, wishes)
        before = Outlook.of(store, found)
        after = store.wish(found, wishes)
        return Wished(after, changes_ahead(before, Outlook.of(store, after)), tuple(_no_such_table(after)))


def _beside(before: Sequence[Wish], new: Sequence[Wish]) -> list[Wish]:
    """The wishes before that still stand: who needs another table now no longer needs the one he had."""
    moved = {one.players for one in new if one.kind == "table"}
    return [one for one in before if one.kind != "table" or one.players not in moved]


def _refuse_contradiction(event: Event, wishes: Sequence[Wish]) -> None:
    place = {player.id: number for number, player in enumerate(event.entrants)}
    named = [one.players for one in wishes if one.kind == "apart"]
    pairs = [one.players for one in wishes if one.kind == "together" and len(one.players) == 2]
    said = Wishes(
        tuple(frozenset(place[player.id] for player in group) for group in named),
        tuple((place[one.id], place[other.id]) for one, other in pairs),
        tuple((place[player.id], one.table or 1) for one in wishes if one.kind == "table" for player in one.players),
    )
    hint = _("leave this wish out, or forget those there are with --clear")
    refuse_contradiction(event.entrants, said, hint)
    size, (_least, most) = event.settings.size, rulebook.table_limits(event.rules)
    refuse_crowd(said, size if event.settings.tables is None else most, hint)


def _no_such_table(event: Event) -> Iterator[str]:
    """Who needs a table that no round has, as many as play now."""
    least, _most = rulebook.table_limits(event.rules)
    groups = [players for players in groups_of(event, event.playing) if len(players) >= least]
    number = sum(len(sizes_for(event, players)) for players in groups)
    needs = [(player.shown, one.table or 1) for one in event.wishes if one.kind == "table" for player in one.players]
    for name, table in needs:
        # Before enough have entered nobody knows how many tables there will be.
        if groups and table > number:
            yield ngettext(
                "{name} needs table {table}, and there is {number} table for those who play now.",
                "{name} needs table {table}, and there are {number} tables for those who play now.",
                number,
            ).format(name=name, table=table, number=number)


def _read(event: Event, apart: Sequence[str], together: Sequence[str], tables: Sequence[str]) -> list[Wish]:
    people, find = event.entrants, partial(find_entrant, event)
    named = [said for said in apart if said.strip().lower() != CLUB]
    wishes: list[Wish] = []
    if len(named) < len(apart):
        # Refused where nobody has a club; who is in one is asked again for every round.
        clubs_of(people)
        wishes.append(Wish("clubs apart"))
    found = read_wishes(people, find, named, together, tables)
    wishes += [Wish("apart", tuple(people[number] for number in sorted(group))) for group in found.apart]
    wishes += [Wish("together", (people[one], people[other])) for one, other in found.together]
    return wishes + [Wish("table", (people[player],), table) for player, table in found.tables]
