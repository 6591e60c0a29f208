"""The club's look: its logo as a picture, and its colour as a style, for all pages."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from tourney.domain.club import Club
from tourney.web.answers import Content
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import no_page

LOGO: Final = "/club/logo.png"


def logo(asked: Asked) -> Content:
    """Return the logo. Raises TourneyError NOT_FOUND without one."""
    content = asked.server.club().logo
    if not content:
        raise no_page()
    return Content(content, "image/png", kept_tag=f'"{sha256(content).hexdigest()[:24]}"')


def style(asked: Asked) -> Content:
    """Return the style of the club's colour and logo."""
    return Content(style_text(asked.server.club(), LOGO).encode(), "text/css; charset=utf-8")


def style_text(club: Club, address: str) -> str:
    """Return the style of the club's colour, and of its logo at that address; paper stays black."""
    text = ""
    if club.colour:
        light, dark = club.accents
        text = f"@media screen {{ :root {{ --accent: {light}; }} }}\n"
        text += f"@media screen and (prefers-color-scheme: dark) {{ :root {{ --accent: {dark}; }} }}\n"
    if club.logo:
        width, height = club.size
        text += f'.logo {{ aspect-ratio: {width} / {height}; background-image: url("{address}"); }}\n'
    return text


PAGES = (Page(LOGO, logo), Page("/club/style.css", style))
