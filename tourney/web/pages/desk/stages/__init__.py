"""Stages at the desk: the plan of the event, who goes through, and what must be decided."""

from tourney.web.page import Page
from tourney.web.pages.desk.stages import cuts

PAGES: tuple[Page, ...] = cuts.PAGES
"""The pages of this chapter."""
