"""Paper and files at the desk: pages for the printer, files to take along, keys for phones."""

from tourney.web.page import Page
from tourney.web.pages.desk.paper import files, paper, phones

PAGES: tuple[Page, ...] = (*paper.PAGES, *files.PAGES, *phones.PAGES)
"""The pages of this chapter."""
