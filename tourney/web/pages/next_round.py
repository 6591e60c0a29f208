"""The page of the next round: who sits where once it is published, and until then what it waits for.

Only the number of open flags is shown: their words are for the desk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import Schedule
from tourney.reports.render.report import Field, Fields, Report, listing
from tourney.reports.rounds import rounds as rounds_report
from tourney.service.results import flags as flags_service
from tourney.text.dates import local
from tourney.text.i18n import _, ngettext
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import all_posted, by_name
from tourney.web.render import report_view


def next_round(asked: Asked) -> View:
    """Show who sits where in the round that is published and has no result yet, or what the next one waits for."""
    drawn = all_posted(asked)
    ahead = _ahead(drawn)
    earlier = tuple(round_ for round_ in drawn.rounds if round_ is not ahead)
    flags = tuple(_flags(asked, drawn))
    waiting = [table for round_ in earlier for table in rounds_report.unfinished(drawn, round_)]
    values = {
        "said": (*_state(drawn, ahead, waiting), *flags),
        "waiting": report_view(_tables(waiting)) if waiting else None,
        "seats": by_name(replace(drawn, rounds=(ahead,))) if ahead else None,
    }
    return View("next.html", _("Next round"), values)


def _ahead(drawn: Schedule) -> Round | None:
    """Return the newest round if it is published and has no result yet."""
    newest = drawn.rounds[-1] if drawn.rounds else None
    begun = newest is None or any((table.round, table.number) in drawn.done for table in newest.tables)
    return None if begun else newest


def _state(drawn: Schedule, ahead: Round | None, waiting: Sequence[Table]) -> Iterator[str]:
    """Yield what is known of the next round, and of the one before it."""
    settings, number = drawn.event.settings, len(drawn.rounds) if ahead is None else ahead.number - 1
    if drawn.event.state == "finished":
        yield _("The event is finished.")
    elif ahead is not None:
        yield _("Round {round} is drawn: find your table.").format(round=ahead.number)
        yield from _begun(ahead)
    elif number == settings.rounds and not waiting:
        yield _("All rounds are played.")
    elif number == settings.rounds:
        yield _("Round {round} is the last.").format(round=number)
    elif waiting:
        yield _("Round {round} follows once these tables have a result.").format(round=number + 1)
        yield from _ends(drawn.rounds[-1])
    elif number:
        yield _("Every table of round {round} has its result.").format(round=number)
        yield _("Who sits where in round {round} is not published yet.").format(round=number + 1)
    else:
        yield _("No round is drawn yet.")


def _begun(ahead: Round) -> Iterator[str]:
    if ahead.clock is not None:
        yield _("It began at {time}.").format(time=f"{local(ahead.clock.started):%H:%M}")


def _ends(playing: Round) -> Iterator[str]:
    if playing.clock is not None:
        # The date is that of the round's own day, not of the reader's: a page in a file is read later.
        begun = local(playing.clock.started)
        end = rounds_report.time_of_day(rounds_report.clock_end(playing.clock, begun), begun)
        yield _("The time of round {round} ends at {end}.").format(round=playing.number, end=end)


def _tables(waiting: Sequence[Table]) -> Report:
    several = len({table.round for table in waiting}) > 1
    fields: Fields[Table] = (
        *((Field("round", _("Round"), lambda table: table.round, "right", priority=0),) if several else ()),
        Field("table", _("Table"), lambda table: table.number, "right", priority=0),
        Field("players", _("Players"), lambda table: ", ".join(each.shown for each in table.players), priority=0),
    )
    return listing(_("Tables without a result"), fields, waiting)


def _flags(asked: Asked, drawn: Schedule) -> Iterator[str]:
    flags = asked.server.once(flags_service.listing, asked.db, drawn.event.settings.name).flags
    opened = sum(not flag.answer for flag in flags)
    if opened:
        text = ngettext(
            "{number} call of a table has no answer yet.",
            "{number} calls of tables have no answer yet.",
            opened,
        )
        yield text.format(number=opened)


PAGES = (Page("/next", next_round),)
