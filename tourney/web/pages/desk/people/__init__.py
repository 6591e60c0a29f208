"""People at the desk: enrolled, checked in, kept apart, and put right where they were entered by mistake."""

from tourney.web.page import Page
from tourney.web.pages.desk.people import constraints, enrol, mistakes, people

PAGES: tuple[Page, ...] = (*enrol.PAGES, *constraints.PAGES, *people.PAGES, *mistakes.PAGES)
"""The pages of this chapter."""
