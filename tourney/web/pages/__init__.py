"""Pages, by what they show, and the table of them all."""

from tourney.web.page import Page
from tourney.web.pages import hall

PAGES: tuple[Page, ...] = (*hall.PAGES,)
"""Every page, in the order in which paths are tried."""
