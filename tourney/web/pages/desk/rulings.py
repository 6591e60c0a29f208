"""Calls and decisions at the desk: what tables ask, what to do when something went wrong, penalties and others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final, get_args
from urllib.parse import urlencode

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import RulingKind
from tourney.files.sheet_toml import read_points
from tourney.reports import rules as rules_report
from tourney.reports.render.report import Report, Section
from tourney.reports.results import flags as flags_report
from tourney.reports.results import rulings as report
from tourney.service import rules as rules_service
from tourney.service.events.attendance import taking_part
from tourney.service.results import flags, rulings
from tourney.service.results.flags import AnswerFlag, RaiseFlag
from tourney.service.results.rulings import AddRuling, CancelRuling, Decision
from tourney.service.rounds import rounds as rounds_service
from tourney.text.i18n import _
from tourney.text.names import name_order
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import (
    Refused,
    event_name,
    for_event,
    form,
    page,
    submit,
    view,
    whole_number,
)
from tourney.web.pages.hall import number_in
from tourney.web.render import Link, Shown, report_view

RULINGS: Final = "/desk/rulings"
COMMAND: Final = re.compile(r"`(tourney [^`]+)`")
"""A command in a sentence of the rulebook, in which no name is."""
MOST_STEPS: Final = 3
"""The kinds of irregularities whose steps are shown beside a call."""


# --- the page -------------------------------------------------------------------------------------------------------


def overview(asked: Asked, refused: Refused = None) -> View:
    """Show the flags, the way to the steps of a ruling, and the rulings with forms for new ones."""
    event = asked.server.event()
    name = event.settings.name
    found = flags.listing(asked.db, name).flags
    made = rulings.listing(asked.db, name).rulings
    drawn = rounds_service.show(asked.db, name).rounds
    values = {
        "open_flags": [flag for flag in found if flag.state == "open"],
        "answered": [flag for flag in reversed(found) if flag.state == "answered"],
        "flag_text": flags_report.flag_text,
        "steps_of": {flag.number: list(_steps_for(asked, name, flag.text)) for flag in found if flag.state == "open"},
        "rulings": list(reversed(made)),
        "ruling_text": report.ruling_text,
        "number": asked.path.get("number"),
        "players": sorted((player.shown for player in taking_part(event, drawn)), key=name_order),
        "typed": _typed(asked),
    }
    about = [*(f"flag {flag.number}" for flag in found), *(f"ruling {ruling.number}" for ruling in made)]
    return view(asked, "rulings.html", _("Calls and decisions"), values, refused, about=about)


def _typed(asked: Asked) -> dict[str, dict[str, str]]:
    """Return what was typed into the forms of this page, by the form; a link may begin a note."""
    names = ("player", "points", "reason", "round", "table", "hand", "text")
    blank = dict.fromkeys(names, "")
    sent = {name: asked.field(name) for name in names}
    kinds = ("penalty", "note", "redeal", "flag")
    typed = {kind: sent if asked.field("kind") == kind else blank for kind in kinds}
    if asked.query.get("note"):
        typed["note"] = {**blank, "reason": asked.query["note"]}
    return typed


# --- flags ----------------------------------------------------------------------------------------------------------


def raise_flag(asked: Asked) -> Answer:
    """Write down a flag of a table."""

    def change() -> RaiseFlag:
        round_number, table = whole_number(asked, "round"), whole_number(asked, "table")
        if round_number is None or table is None:
            message = _("a call is of one table of one round")
            raise TourneyError(ExitCode.USAGE, message, _("write the numbers of both"))
        return RaiseFlag(event_name(asked), round_number, table, asked.field("text"))

    return submit(asked, change, flags_report.raised, RULINGS, overview)


def answer_flag(asked: Asked) -> Answer:
    """Answer a flag."""
    change = AnswerFlag(event_name(asked), number_in(asked.path["number"]), asked.field("answer"))
    return submit(asked, lambda: change, flags_report.answered, RULINGS, overview)


# --- rulings --------------------------------------------------------------------------------------------------------


def add(asked: Asked) -> Answer:
    """Add a penalty, a note, or that a hand was dealt again."""
    return submit(asked, lambda: AddRuling(event_name(asked), _decision(asked)), report.added, RULINGS, overview)


def _decision(asked: Asked) -> Decision:
    """Return the decision that a form says. Raises TourneyError USAGE for numbers that are none, or another kind."""
    kind: RulingKind | None = next((each for each in get_args(RulingKind) if each == asked.field("kind")), None)
    if kind is None or kind == "correction":
        raise TourneyError(ExitCode.USAGE, _("there is no such form"), _("load the page again"))
    player = asked.field("player") or None
    hand = asked.field("hand").strip() or None
    places = (whole_number(asked, "round"), whole_number(asked, "table"))
    decision = Decision(kind, asked.field("reason"), *places, player, hand)
    return replace(decision, points=_points(asked)) if kind == "penalty" else decision


def _points(asked: Asked) -> int | None:
    text = asked.field("points").strip()
    points = read_points(text)
    if points is None and text:
        message = _("“{text}” is not a whole number").format(text=text[:40])
        raise TourneyError(ExitCode.USAGE, message, _("write it in digits, such as 20"))
    return points


def cancel(asked: Asked) -> Answer:
    """Cancel a ruling with a reason."""
    change = CancelRuling(event_name(asked), number_in(asked.path["number"]), asked.field("why"))
    return submit(asked, lambda: change, report.cancelled, RULINGS, overview)


# --- the steps ------------------------------------------------------------------------------------------------------


def steps(asked: Asked) -> View:
    """Show the steps for what happened, or the kinds of irregularity that it may be."""
    words = " ".join(asked.query.get("words", "").split())
    values = {"given": words, "shown": None, "kinds": (), "note": "", "nothing": ""}
    title = _("What to do")
    try:
        kinds = rules_service.irregularities(words)
    except TourneyError as error:
        return view(asked, "steps.html", title, {**values, "nothing": error.message, "kinds": list(_all_kinds())})
    if not words or len(kinds) > 1:
        return view(asked, "steps.html", title, {**values, "kinds": [_kind(kind.kind, kind.title) for kind in kinds]})
    found = rules_service.ruling_in_event(asked.db, asked.server.event().settings.name, kinds[0].kind)
    shown = _steps(rules_report.ruling(*found, sources=False))
    note = Link(f"{RULINGS}?{urlencode({'note': shown.title})}#note", _("Write down what was decided"))
    return view(asked, "steps.html", shown.title, {**values, "shown": shown, "note": note})


def _steps_for(asked: Asked, event: str, text: str) -> Iterator[tuple[str, Shown]]:
    """Yield the steps of what the words of a call may mean, each with its kind."""
    with suppress(TourneyError):  # where they mean nothing that the rules know
        for kind in rules_service.irregularities(" ".join(text.split()) or "-")[:MOST_STEPS]:
            found = rules_service.ruling_in_event(asked.db, event, kind.kind)
            yield kind.kind, _steps(rules_report.ruling(*found, sources=False))


def _all_kinds() -> Iterator[Link]:
    yield from (_kind(kind.kind, kind.title) for kind in rules_service.irregularities())


def _kind(kind: str, title: str) -> Link:
    return Link(f"{RULINGS}/steps?words={kind}", _(title))


def _steps(found: Report) -> Shown:
    """Return the steps with the names of forms in place of the commands that do the same."""
    return report_view(replace(found, sections=tuple(map(_with_forms, found.sections))))


def _with_forms(section: Section) -> Section:
    forms = {
        "tourney ruling penalty": _("Penalty"),
        "tourney ruling add --kind note": _("Note"),
        "tourney ruling add --kind redeal": _("A hand was dealt again"),
        "tourney ruling add --kind correction": _("Correct the result"),
    }

    def named(found: re.Match[str]) -> str:
        return f"“{forms[found[1]]}”" if found[1] in forms else found[0]

    titles = {kind.kind: _(kind.title) for kind in rules_service.irregularities()}
    kinds = re.compile(rf"\b({'|'.join(map(re.escape, sorted(titles, key=len, reverse=True)))})\b")

    def called(bullet: str) -> str:
        return kinds.sub(lambda found: f"“{titles[found[1]]}”", COMMAND.sub(named, bullet))

    return replace(section, bullets=tuple(map(called, section.bullets)))


PAGES = (
    page(RULINGS, for_event(overview), "note"),
    page(f"{RULINGS}/steps", for_event(steps), "words"),
    form(f"{RULINGS}/flags", for_event(raise_flag)),
    form(f"{RULINGS}/flags/{{number}}", for_event(answer_flag)),
    form(RULINGS, for_event(add)),
    form(f"{RULINGS}/{{number}}/cancel", for_event(cancel)),
)
