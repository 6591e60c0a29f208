"""The desk: the pages of those who run the event, by chapter."""

from tourney.web.page import Page
from tourney.web.pages.desk import entering, home, results, sheets, undo

PAGES: tuple[Page, ...] = (*home.PAGES, *undo.PAGES, *results.PAGES, *entering.PAGES, *sheets.PAGES)
"""The pages of all chapters."""
