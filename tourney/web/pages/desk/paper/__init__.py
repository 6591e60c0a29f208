"""Paper and files at the desk: pages for the printer, files to take along, keys for phones, mirrors."""

from tourney.web.page import Page
from tourney.web.pages.desk.paper import files, mirrors, paper, phones

PAGES: tuple[Page, ...] = (*paper.PAGES, *files.PAGES, *phones.PAGES, *mirrors.PAGES)
"""The pages of this chapter."""
