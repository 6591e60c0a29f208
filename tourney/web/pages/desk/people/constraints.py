"""Constraints on the seating: who is kept apart, who sits together, who has the same table in every round."""

from __future__ import annotations

from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Constraint
from tourney.domain.schedule import Constrained
from tourney.reports import events as report
from tourney.service.change import Change
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.seating.constraint_text import CLUB, name_in_list
from tourney.text.i18n import _
from tourney.text.names import name_order
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, submit, view, whole_number
from tourney.web.pages.desk.people.people import PEOPLE

PATH: Final = f"{PEOPLE}/constraints"


def constraints(asked: Asked, refused: Refused = None) -> View:
    """Show the constraints, each with a button that removes it, and the form of a new one."""
    event = asked.server.event()
    texts = report.constraint_texts(event.constraints)
    values = {
        "constraints": list(zip(texts, map(_words, event.constraints), strict=True)),
        "kinds": [(kind, text, kind == asked.field("kind")) for kind, text in _kinds().items()],
        "players": sorted((player.shown for player in event.entrants), key=name_order),
    }
    title = _("Who is kept apart, who sits together")
    return view(asked, "constraints.html", title, values, refused, about=("constraints",))


def _kinds() -> dict[str, str]:
    return {
        "apart": _("keep apart, if that does not cost too much"),
        "never": _("never at one table"),
        "together": _("seat together"),
        "table": _("the same table in every round"),
    }


def _words(constraint: Constraint) -> str:
    """Return the names of a constraint as the change that removes it takes them."""
    if constraint.kind == "clubs apart":
        return CLUB
    return ",".join(name_in_list(player.shown) for player in constraint.players)


def constrain(asked: Asked) -> Answer:
    """Add a constraint, or remove one."""
    return submit(asked, lambda: _change(asked), report.constrained, PATH, constraints)


def _change(asked: Asked) -> Change[Constrained]:
    event = event_name(asked)
    if asked.field("remove"):
        return ConstrainSeating(event, remove=[asked.field("remove")])
    if asked.field("do") == "clubs":
        return ConstrainSeating(event, apart=[CLUB])
    first, second = (name_in_list(asked.field(name)) for name in ("first", "second"))
    if asked.field("kind") == "table":
        return ConstrainSeating(event, tables=[f"{first}={whole_number(asked, 'table') or ''}"])
    pairs = {asked.field("kind"): [f"{first},{second}"]}
    if pairs.keys().isdisjoint(("apart", "never", "together")):
        raise TourneyError(ExitCode.USAGE, _("no constraint is given"), _("choose what holds for the players"))
    apart, never, together = (pairs.get(kind, ()) for kind in ("apart", "never", "together"))
    return ConstrainSeating(event, apart=apart, never=never, together=together)


PAGES = (
    page(PATH, for_event(constraints)),
    form(PATH, for_event(constrain)),
)
