"""The desk: the pages of those who run the event, by chapter."""

from tourney.web.page import Page
from tourney.web.pages.desk import (
    club,
    copies,
    desks,
    entering,
    events,
    home,
    paper,
    people,
    projector,
    results,
    rounds,
    rulings,
    seasons,
    settings,
    stages,
)

PAGES: tuple[Page, ...] = (
    *home.PAGES,
    *desks.PAGES,
    *copies.PAGES,
    *projector.PAGES,
    *people.PAGES,
    *rounds.PAGES,
    *stages.PAGES,
    *results.PAGES,
    *entering.PAGES,
    *rulings.PAGES,
    *paper.PAGES,
    *events.PAGES,
    *settings.PAGES,
    *club.PAGES,
    *seasons.PAGES,
)
"""The pages of all chapters."""
