"""The desk: the pages of those who run the event, by chapter."""

from tourney.web.page import Page
from tourney.web.pages.desk import home, undo

PAGES: tuple[Page, ...] = (*home.PAGES, *undo.PAGES)
"""The pages of all chapters."""
