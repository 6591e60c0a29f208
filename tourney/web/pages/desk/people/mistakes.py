"""People who were entered by mistake: taken out of the event, or recognised as somebody who is registered already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from tourney.domain.errors import TourneyError
from tourney.domain.people import Player
from tourney.domain.schedule import Attendance
from tourney.reports import people as people_report
from tourney.reports.render.report import Report
from tourney.service import players as people_service
from tourney.service.change import Change
from tourney.service.events.attendance import WithdrawPlayers, taking_part
from tourney.service.players import Merged, MergePlayers
from tourney.service.rounds import rounds as rounds_service
from tourney.text.i18n import _
from tourney.text.names import name_order
from tourney.text.similar import similar
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Button, Refused, event_name, for_event, form, page, press, previewed, view
from tourney.web.pages.desk.people.people import PEOPLE, entrant
from tourney.web.render import Shown

NEAR: Final = 3
"""The people of similar names who are offered first."""


def mistakes(asked: Asked, refused: Refused = None) -> View:
    """Ask what kind of mistake it was, and show what each remedy does."""
    event, found = entrant(asked)
    of = asked.query.get("of") or asked.field("of")
    outlooks = list[tuple[Shown, str, str]]()
    try:
        outlooks = [*_outlooks(asked, event.settings.name, found, of)]
    except TourneyError as error:
        refused = refused or error
    number = asked.path["number"]
    about = f"mistake {number}"
    values = {
        "here": f"{PEOPLE}/{number}",
        "player": found,
        "about": about,
        "outlooks": outlooks,
        "others": _others(asked, found),
        "of": of,
    }
    title = _("Was {player} entered by mistake?").format(player=found.shown)
    return view(asked, "mistake.html", title, values, refused, about=(about,))


def _others(asked: Asked, found: Player) -> list[str]:
    """Return who else is registered, those of similar names first."""
    names = [each.shown for each in people_service.listing(asked.db, kind="person") if each.id != found.id]
    near = similar(found.shown, names, NEAR)
    return [*near, *sorted((name for name in names if name not in near), key=name_order)]


def _outlooks(asked: Asked, event: str, found: Player, of: str) -> Iterator[tuple[Shown, str, str]]:
    """Yield what each remedy would do, with its button: that of a person who is chosen, else leaving the event."""
    if of:
        title = _("{gone} and {keep} will be one person, with the name {keep}.").format(gone=found.shown, keep=of)
        shown = previewed(asked, MergePlayers(of, found.shown), people_report.merged, title)
        yield shown, "merge", _("They are the same person")
    elif may_be_removed(asked, event, found):
        title = _("{player} will be taken out of the event.").format(player=found.shown)
        shown = previewed(asked, _removal(event, found.shown), removed, title)
        yield shown, "remove", _("Take them out of the event")


def may_be_removed(asked: Asked, event: str, found: Player) -> bool:
    """Return whether somebody has no seat in any round: who has played, or sits, did not enter by mistake."""
    drawn = rounds_service.show(asked.db, event)
    return not any(found in table.players for each in drawn.rounds for table in each.tables) and found in taking_part(
        drawn.event, ()
    )


def _removal(event: str, name: str) -> Change[Attendance]:
    return WithdrawPlayers(event, [name], absence="removed")


def removed(outcome: Attendance) -> Report:
    """Report who no longer counts in the event."""
    names = ", ".join(player.shown for player in outcome.changed)
    title = _("taken out of the event: {names}").format(names=names)
    lines = (
        _("They count nowhere in this event and are not copied into the next one; they stay registered in the club."),
    )
    return Report(title, lines=lines)


def act(asked: Asked) -> Answer:
    """Take the person out, or merge the two registrations."""
    event, name = event_name(asked), asked.field("player")
    buttons: dict[str, Button] = {
        "remove": (partial(_removal, event, name), removed, PEOPLE),
        "merge": (partial(MergePlayers, asked.field("of"), name), _merged, PEOPLE),
    }
    return press(asked, mistakes, buttons)


def _merged(outcome: Merged) -> Report:
    """Report a merge without the games that move, of which the preview has told."""
    return replace(people_report.merged(outcome), sections=())


PAGES = (
    page(f"{PEOPLE}/{{number}}/mistake", for_event(mistakes), "of"),
    form(f"{PEOPLE}/{{number}}/mistake", for_event(act)),
)
