"""The seating of a round to be posted: lists for a wall, and a sign for each table."""

from dataclasses import replace

from tourney.domain.schedule import Schedule
from tourney.reports.render.report import Report
from tourney.reports.rounds.rounds import posted_list


def wall(drawn: Schedule) -> Report:
    """Report who sits where, by name and then by table; CSV has the list by name."""
    lists = posted_list(drawn, "name"), posted_list(drawn, "table")
    sections = tuple(section for each in lists for section in each.as_sections(each.title))
    return replace(lists[0], sections=sections, layout="wall")


def signs(drawn: Schedule) -> Report:
    """Report who sits at each table, for a sign on it."""
    return replace(posted_list(drawn, "table"), lines=(), layout="signs")
