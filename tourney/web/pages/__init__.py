"""Pages, by what they show, and the table of them all."""

from tourney.web.page import Page
from tourney.web.pages import (
    clock,
    club,
    desk,
    hall,
    next_round,
    player,
    players,
    rankings,
    screen,
    seasons,
    sign_in,
    table,
)

PAGES: tuple[Page, ...] = (
    *hall.PAGES,
    *clock.PAGES,
    *club.PAGES,
    *screen.PAGES,
    *next_round.PAGES,
    *players.PAGES,
    *player.PAGES,
    *rankings.PAGES,
    *seasons.PAGES,
    *sign_in.PAGES,
    *desk.PAGES,
    *table.PAGES,
)
"""Every page, in the order in which paths are tried."""
