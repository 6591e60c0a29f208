"""The static site: pages of an event, a pool or a season as files, for any web host, or to be opened from a stick.

It has no script, no clock, no table's sheet and no desk, and nothing in it says when it was made: in one time zone,
one state makes one site, byte for byte.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from tourney import storage
from tourney.domain.club import Club, logo_text
from tourney.domain.rankings import WHOLE_RANKING, RankingChoice
from tourney.service.events.attendance import taking_part
from tourney.service.events.codes import coded, journal_code
from tourney.service.ratings import editions as editions_service
from tourney.service.ratings import player_history as history_service
from tourney.service.ratings import pools as pools_service
from tourney.service.seasons import seasons as seasons_service
from tourney.text.i18n import _, printing
from tourney.web.answers import View
from tourney.web.page import Asked
from tourney.web.pages import hall, next_round, player, players, rankings, seasons
from tourney.web.pages.club import style_text
from tourney.web.render import FONT, STATIC, Frame, Link, html
from tourney.web.server import Server, Settings
from tourney.web.surroundings import hall_links

STYLE: Final = "style.css"
SERVERS_RULES: Final = "/* From here on only pages of a server"
"""The comment of the stylesheet behind which a site needs nothing."""
_OPTIONAL: Final = re.compile(r"</(?:td|th|tr|li|thead|tbody)>(?=<)|(?<=<th) scope=\"(?:col|row)\"|</body></html>\n?$")
"""The tags that HTML does not need where others follow, or at the end, and the scope that a head has by its place."""
_OTHER_LETTERS: Final = re.compile(r"@font-face \{[^}]*latin-ext[^}]*\}\n")
_QUOTED: Final = re.compile(r'(?<= )(?!content=)([a-z-]+)="([\w./-]*[\w.-])"(?=[ >])', re.ASCII)
"""An attribute whose value needs no quotation marks; the mark by which a site is recognised keeps its own."""


@dataclass(frozen=True, slots=True)
class _File:
    """A page of the site: the function that answers, the parts of its path, and its file unless the path has it."""

    answer: Callable[[Asked], View]
    parts: Mapping[str, str] = field(default_factory=dict)
    file: str = ""


def event_site(db: str | None, event: str | None) -> Mapping[str, bytes]:
    """Return the pages of an event by their files: in the language asked for, or the event's, or the system's.

    Raises TourneyError NOT_FOUND for an unknown event.
    """
    with storage.as_published():
        return coded(db, partial(_event_site, db, event), journal_code)[0]


def pool_site(db: str | None, pool: str, ranking: RankingChoice = WHOLE_RANKING) -> Mapping[str, bytes]:
    """Return the pages of a pool by their files; its first page has the ranking chosen.

    Raises TourneyError NOT_FOUND for an unknown pool, and as `ranking_list` does.
    """
    with storage.as_published():
        return coded(db, partial(_pool_site, db, pool, ranking), journal_code)[0]


def season_site(db: str | None, season: str) -> Mapping[str, bytes]:
    """Return the pages of a season by their files. Raises TourneyError NOT_FOUND for an unknown season."""
    with storage.as_published():
        return coded(db, partial(_season_site, db, season), journal_code)[0]


def _event_site(db: str | None, event: str | None) -> Mapping[str, bytes]:
    found = Server(Settings(db, event)).event()
    server = Server(Settings(db, found.settings.name))
    with printing(found.settings.lang):
        links = sorted(hall_links(), key=lambda link: link.path != "/")  # the first link is the site's own
        return _written(server, found.settings.name, tuple(links), dict(_event_pages(Asked(server))))


def _event_pages(asked: Asked) -> Iterator[tuple[str, _File]]:
    yield "/", _File(hall.front)
    yield "/seating", _File(hall.seating)
    yield "/tables", _File(hall.tables)
    yield "/players", _File(players.players)
    event, rounds = asked.server.event(), hall.all_posted(asked).rounds
    if event.state == "open":
        yield "/next", _File(next_round.next_round)
    for round_ in rounds[:-1]:
        number = str(round_.number)
        yield f"/tables/{number}", _File(hall.tables, {"round": number})
        yield f"/standings/{number}", _File(partial(hall.standings_after, linked=False), {"round": number})
    shown = taking_part(event, rounds)
    for at, entrant in enumerate(event.entrants, 1):
        if entrant in shown:
            yield f"/players/{at}", _File(player.player, {"number": str(at)})


def _pool_site(db: str | None, pool: str, ranking: RankingChoice) -> Mapping[str, bytes]:
    server = Server(Settings(db, ranking=ranking))
    with printing(None):
        found = pools_service.pool_called(db, pool)
        start = rankings.path_of(found)
        title = rankings.ratings_title(found.name)
        links = (Link(start, _("Ratings")), Link(f"{start}/editions", _("Published editions")))
        pages = dict(_pool_pages(server, found.name, start))
        return _written(server, title, links, pages)


def _pool_pages(server: Server, pool: str, start: str) -> Iterator[tuple[str, _File]]:
    db, named = server.settings.db, {"pool": pool}
    yield start, _File(rankings.ratings, named)
    yield f"{start}/editions", _File(rankings.editions, named)
    yield f"{start}/fame", _File(rankings.fame, named)
    histories = server.once_for_all(history_service.player_histories, db, pool)
    if rankings.last_edition(Asked(server, path=named), histories):
        yield f"{start}/moved", _File(rankings.moved, named)
    for year in rankings.seasons(histories):
        yield f"{start}/seasons/{year}", _File(rankings.season, {**named, "year": year})
    for each in server.once(editions_service.list_editions, db, pool):
        number = str(each.edition.number)
        yield f"{start}/editions/{number}", _File(rankings.edition, {**named, "number": number})
    for key in sorted(histories):
        name = histories.name(key)
        page = _File(rankings.short_player, {**named, "player": key}, _player_file(name))
        yield rankings.player_path(start, name), page


def _season_site(db: str | None, season: str) -> Mapping[str, bytes]:
    found = seasons_service.show(db, season).season
    server = Server(Settings(db))
    with printing(None):
        start = seasons.path_of(found.id)
        links = (Link(start, _("Standings")), Link(f"{start}/events", _("What counts")))
        return _written(server, found.settings.name, links, dict(_season_pages(server, found.id, start)))


def _season_pages(server: Server, number: int, start: str) -> Iterator[tuple[str, _File]]:
    named = {"season": str(number)}
    yield start, _File(seasons.standings, named)
    yield f"{start}/events", _File(seasons.events, named)
    for row in seasons.table_of(Asked(server, path=named)).rows:
        name = row.player.shown
        yield (
            seasons.player_path(start, row),
            _File(seasons.player, {**named, "player": hall.name_code(name)}, _player_file(name)),
        )


def _player_file(name: str) -> str:
    """Return the file of a player's page, by the name shown: their number would tell who has another name."""
    return f"players/{hall.name_code(name)}.html"


def _written(server: Server, name: str, links: tuple[Link, ...], pages: Mapping[str, _File]) -> Mapping[str, bytes]:
    """Return the files of the pages, by path, and the stylesheet, each page before those that it leads to."""
    start, club = links[0].path, server.club()
    files = {
        path: page.file or f"{path.removeprefix(start).strip('/') or 'index'}.html" for path, page in pages.items()
    }
    written = {
        files[path]: _page(Asked(server, path=page.parts, url=path), page, Frame(path, name, links, files, club))
        for path, page in pages.items()
    }
    return {**written, STYLE: b'/* content="tourney" */\n' + _style() + _style_of(club)}


def _style() -> bytes:
    """Return the stylesheet with our letters in it. The rarest letters of names come from the reader's system."""
    style = (STATIC / STYLE).read_text(encoding="utf-8").partition(SERVERS_RULES)[0]
    return FONT.sub(_inside, _OTHER_LETTERS.sub("", style).encode())


def _style_of(club: Club) -> bytes:
    """Return the style of the club, with its logo in it: a picture has no place for the mark of a site."""
    return style_text(club, f"data:image/png;base64,{logo_text(club.logo)}").encode()


def _inside(found: re.Match[bytes]) -> bytes:
    return b"url(data:font/woff2;base64,%s)" % b64encode((STATIC / found[1].decode()).read_bytes())


def _page(asked: Asked, page: _File, frame: Frame) -> bytes:
    text = html(page.answer(asked), frame)
    return compact(text).encode("utf-8", "xmlcharrefreplace")


def compact(text: str) -> str:
    """Return the page without the line ends between tags, and without what HTML or our stylesheet says anyway.

    No name can be changed by that: in a text, also of a picture, `<` and `"` are escaped.
    """
    short = _OPTIONAL.sub("", re.sub(r"(?<!\n)\n+(?=<)", "", text)).replace(' dir="auto"', "")
    return _QUOTED.sub(r"\1=\2", short)
