"""The list of leagues as a report."""

from collections.abc import Sequence
from operator import attrgetter

from tourney.domain.leagues import ListedLeague, Verdict
from tourney.reports.leagues.fields import figure
from tourney.reports.render.report import Field, Fields, Report, listing
from tourney.text.i18n import _, ngettext
from tourney.text.typed_words import explained


def leagues(listed: Sequence[ListedLeague]) -> Report:
    """Report all leagues, each with its bots, its settings, how many blocks are kept, and its state."""
    fields: Fields[ListedLeague] = (
        Field("league", _("League"), attrgetter("number"), "right", priority=0),
        Field("bots", _("Bots"), _bots, cell=lambda each: ", ".join(_bots(each)), priority=0),
        Field("rules", _("Rules"), attrgetter("league.rules"), priority=3),
        Field("seats", _("Seats"), attrgetter("league.seats"), "right", priority=4),
        Field("design", _("Design"), attrgetter("league.design"), cell=_design, priority=4),
        Field("seed", "seed", attrgetter("seed"), readers="programs"),
        figure("blocks", _("Blocks"), priority=1),
        Field("of_blocks", _("Of"), attrgetter("league.blocks"), "right", priority=2),
        Field("state", _("State"), attrgetter("verdict"), cell=lambda each: _state(each.verdict), priority=1),
    )
    title = ngettext("{number} league", "{number} leagues", len(listed)).format(number=len(listed))
    return listing(title, fields, listed, next_steps=_next_steps(listed))


def _bots(each: ListedLeague) -> list[str]:
    return list(each.league.entrants)


def _design(each: ListedLeague) -> str:
    return explained("design", each.league.design)


def _state(verdict: Verdict) -> str:
    """Return the state of a league in a word or two."""
    states: dict[Verdict, str] = {
        "open": _("not finished"),
        "certain": _("order certain"),
        "not separated": _("not separated"),
        "played": _("finished"),
        "passed": _("passed"),
        "failed": _("failed"),
        "undecided": _("undecided"),
    }
    return states[verdict]


def _next_steps(listed: Sequence[ListedLeague]) -> tuple[str, ...]:
    """Return how to begin a league, or how to see one and continue the newest that is not finished."""
    if not listed:
        return (_("Start one with `tourney league run --bots greedy,random`."),)
    unfinished = [each.number for each in listed if each.verdict == "open"]
    resume = _("Continue an unfinished one with `tourney league resume {number}`.")
    see = _("See the table of one with `tourney league status {number}`.").format(number=listed[-1].number)
    return see, *((resume.format(number=unfinished[-1]),) if unfinished else ())
