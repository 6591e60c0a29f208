"""The desk: the pages of those who run the event, by chapter."""

from tourney.web.page import Page
from tourney.web.pages.desk import (
    backup,
    desks,
    entering,
    events,
    home,
    moving,
    network,
    paper,
    people,
    projector,
    results,
    rounds,
    rulings,
    seasons,
    settings,
    stages,
    taking_in,
    undo,
)

PAGES: tuple[Page, ...] = (
    *home.PAGES,
    *undo.PAGES,
    *desks.PAGES,
    *network.PAGES,
    *backup.PAGES,
    *projector.PAGES,
    *people.PAGES,
    *moving.PAGES,
    *rounds.PAGES,
    *stages.PAGES,
    *results.PAGES,
    *entering.PAGES,
    *rulings.PAGES,
    *paper.PAGES,
    *events.PAGES,
    *taking_in.PAGES,
    *settings.PAGES,
    *seasons.PAGES,
)
"""The pages of all chapters."""
