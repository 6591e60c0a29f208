"""The application: one table of pages, and how a request becomes an answer."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cache, partial
from http import HTTPStatus
from typing import Final, Literal, TypeVar
from urllib.parse import quote, urlencode

from markupsafe import escape
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.web.access import token_hash
from tourney.text.i18n import _, known, speaking
from tourney.web import access
from tourney.web.access import DESK_COOKIE, PLAYER_COOKIE, SEAT_COOKIE
from tourney.web.answers import (
    Answer,
    ClosedLinkError,
    Content,
    ForbiddenError,
    FrameKind,
    Moved,
    View,
    hint_of,
    is_of_files,
    page_hint,
    status_of,
)
from tourney.web.guard import DESK, MOST_BYTES, UNDER_DESK, Guard
from tourney.web.live import Listener, Live
from tourney.web.page import SIGNING_IN, Asked, Page
from tourney.web.pages import PAGES
from tourney.web.pages.player import own_place
from tourney.web.render import FONT, STATIC, Link, html, mark_of
from tourney.web.server import Server
from tourney.web.surroundings import frame_of
from tourney.web.work import Asking, BusyError

Result = TypeVar("Result")

KEEP: Final = "no-cache"
"""Browsers keep a page for everybody, and ask each time whether it has changed."""
NEVER: Final = "no-store"
FOR_GOOD: Final = "public, max-age=31536000, immutable"
MEDIA: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""The media types of our files by the ends of their names."""
COOKIE: Final = "tourney_lang"
"""The cookie that keeps the language which a visitor has chosen."""
MOST_ASKED: Final = 20
"""The most languages of a browser's settings that are looked at."""
LANGUAGE_SECONDS: Final = 365 * 24 * 3600
PRIVATE_SECONDS: Final = 24 * 3600
SEAT_SECONDS: Final = 31 * PRIVATE_SECONDS
"""The time for which a phone keeps its seat: an event of several weekends takes no longer."""
FORWARDED: Final = frozenset(
    {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via", "cf-connecting-ip"}
)
"""The headers by which a proxy says that it asks for somebody else."""
PROXIED: Final = "proxy"
"""The address of a visitor who comes through a proxy: it is not this computer's, and its claim is not trusted."""
URL_MARKS: Final = "/:?#[]@!$&'()*+,;=%"
"""The characters of a location that are not quoted."""
GONE: Final = Content(b"", "text/plain", 499)
"""The answer for a visitor who has left before their turn, which nobody gets."""
_CHOSEN: Final = "tourney.route"
"""The entry of a request's scope that has the route which was found."""
SITE: Final = b'<body class="site">'
MAIN: Final = b'<main id="main" tabindex="-1">\n'
"""The beginnings of a page with the site's head, and of its own part."""
_TO_DESK: Final = re.compile(rb'((?:href|action|formaction)=")/desk(?=["/?#])')
"""The beginning of a link to a page of the desk; texts of people have no quotation mark in a page."""


def application(server: Server, pages: Sequence[Page] = PAGES) -> ASGIApp:
    """Return the application that serves these pages.

    Whoever ends it first calls `server.live.close()`: visitors' streams have no end of their own.
    """

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        watcher = asyncio.create_task(server.live.watch(server.worker.run))
        yield
        server.live.close()
        watcher.cancel()
        with suppress(asyncio.CancelledError):
            await watcher
        server.worker.close()

    live = Route("/live", partial(_live, server))
    # The stream of an answer to HEAD would write nothing: that its reader has left would never be noticed.
    live.methods = {"GET"}
    own = [
        live,
        Route("/version", partial(_version, server)),
        Route("/static/{name}", _static),
    ]
    routes = _RoutesByPart([*own, *(_route(server, page) for page in pages)])
    handlers = {
        TourneyError: partial(_refused, server),
        HTTPException: partial(_no_page, server),
        Exception: partial(_fault, server),
    }
    app = Starlette(routes=[routes], lifespan=lifespan, exception_handlers=handlers)
    longer = {page.path: page.most_bytes for page in pages if page.most_bytes}
    most_bytes = partial(_most_bytes, server, longer)
    return Guard(app, lambda: server.settings.names, partial(_guarded, server), most_bytes, server.settings.desk)


async def _most_bytes(server: Server, longer: Mapping[str, int], request: Request) -> int:
    """Return how long the body of a request may be: only a desk sends long ones, and only to some pages."""
    most = longer.get(request.scope["path"], 0)
    key = _cookies(server, request).get(DESK_COOKIE, "") if most else ""
    if not key:
        return MOST_BYTES
    is_desk = partial(access.is_desk, server.settings.db, key, server.settings.mark)
    return most if await _in_turn(server, request, is_desk, "desk", is_read=False) is True else MOST_BYTES


async def _in_turn(
    server: Server, request: Request, function: Callable[[], Result], kind: str, *, is_read: bool = True
) -> Result | Content:
    """Return what the function makes in its turn, or what is answered where too many requests wait.

    What is asked with a key that is good has a turn and a room of its own, whatever others ask from its address; of
    the other requests, one of each `kind` at a time is in the thread.
    Nothing is made for a visitor who has left, which can be asked once the body `is_read`.
    """
    try:
        async with server.worker.turn(
            _asking(server, request, kind), server.settings.most_in_work(_client(request)), kind
        ):
            if is_read and await request.is_disconnected():
                return GONE
            return await server.worker.run(function)
    except BusyError:
        retry = (("Retry-After", "1"),)
        return Content(server.busy.encode(), "text/plain; charset=utf-8", HTTPStatus.SERVICE_UNAVAILABLE, headers=retry)


def _asking(server: Server, request: Request, kind: str) -> Asking:
    """Return whose turn a request is: its key's, or its address's; the pages that sign in are counted apart.

    Those behind a proxy take turns with one another, and are counted with all that this computer asks.
    """
    invited = token_hash(request.scope["path"].removeprefix(f"{access.SIGN_IN}/"))
    for key in (access.desk_hash(_cookies(server, request)), invited):
        if key in server.desks or key in server.invited:
            return Asking(key, key, has_room=True)
    apart = kind if kind == SIGNING_IN else ""
    return Asking(f"{_address(request)} {apart}", f"{_client(request)} {apart}")


def _route(server: Server, page: Page) -> Route:
    async def endpoint(request: Request) -> Response:
        chosen = _chosen_language(request)
        if chosen is not None:
            return chosen
        asked = await _asked(server, page, request)
        if page.private or page.audience != "everybody" or page.method != "GET":
            content = await _in_turn(server, request, partial(_checked, page, asked), page.kind)
            return _response(request, content, NEVER, server)
        key: tuple[object, ...] = (request.scope["path"], tuple(asked.query.items()), asked.language)
        make = _kept
        live = server.live
        if seat := access.seat_keys(asked.cookies):
            # Seats are taken and given back without another version of everybody's pages.
            key, make = (*key, seat, live.writes), _own
        kept: Content | Moved | None = server.pages.get(live.latest, key) if live.is_known else None
        if kept is None:
            kept = await _in_turn(server, request, partial(make, page, asked, key), page.kind)
        return _response(request, kept, KEEP, server)

    return Route(page.path, endpoint, methods=[page.method], name=f"{page.method} {page.path}")


async def _asked(server: Server, page: Page, request: Request) -> Asked:
    return Asked(
        server,
        page.method,
        path={name: str(value)[:200] for name, value in request.path_params.items()},
        query={name: request.query_params[name][:200] for name in page.query if name in request.query_params},
        cookies=_cookies(server, request),
        body=b"" if page.method == "GET" else await request.body(),
        language=_language_asked(request),
        address=_address(request),
        host=request.headers.get("host", ""),
        url=request.scope["path"],
        content_type=request.headers.get("content-type", ""),
        agent=request.headers.get("user-agent", ""),
    )


def _cookies(server: Server, request: Request) -> Mapping[str, str]:
    """Return the cookies of a request, that of a desk only where it is of this run and asked under its path."""
    cookies, named = _sent_cookies(request), _desk_cookie(server)
    key = cookies.pop(named, "") if UNDER_DESK in request.scope or not server.settings.run else ""
    return {**cookies, DESK_COOKIE: key}


def _sent_cookies(request: Request) -> dict[str, str]:
    """Return the cookies of a request as they were sent: ours are in no quotation marks.

    Python before 3.11.10 and 3.12.6 takes a time with the square of a quoted value to read it (CVE-2024-7592).
    """
    pairs = [pair.partition("=") for header in request.headers.getlist("cookie") for pair in header.split(";")]
    return {name.strip(): value.strip() for name, equals, value in pairs if equals}


def _desk_cookie(server: Server) -> str:
    """Return the name of the cookie of a desk in a browser: cookies of earlier runs have others."""
    return f"{DESK_COOKIE}_{server.settings.mark}" if server.settings.run else DESK_COOKIE


def _address(request: Request) -> str:
    """Return the address of a visitor; PROXIED for all that come through a proxy or a tunnel of this computer."""
    client = _client(request)
    return PROXIED if access.is_local(client) and not FORWARDED.isdisjoint(request.headers) else client


def _client(request: Request) -> str:
    """Return the address from which a connection comes, as `seen_here` has it."""
    return request.client.host if request.client else ""


def _kept(page: Page, asked: Asked, key: tuple[object, ...]) -> Content | Moved:
    """Return the page as somebody else asked for it in the meantime, or render it."""
    server = asked.server
    # Asked before the page is read: a change during the reading makes the next version.
    version = server.live.version
    found = server.pages.get(version, key)
    if found is not None:
        return found
    content = _answered(page, asked)
    if isinstance(content, Content) and content.status == HTTPStatus.OK:
        content = content.packed()
        server.pages.put(version, key, content)
    return content


def _own(page: Page, asked: Asked, key: tuple[object, ...]) -> Content | Moved:
    """Return the page as all have it, with what concerns the player whose seat the phone has; it is kept, too.

    Only their own place is put into it, so that nothing is rendered once more.
    """
    # Asked before the page is read, as for everybody's.
    version = asked.server.live.version
    content = _kept(page, asked, key[:-2])
    if not isinstance(content, Content) or content.status != HTTPStatus.OK or SITE not in content.body:
        return content
    with speaking(asked.server.language(asked.language)), storage.as_published():
        own = own_place(asked)
    if own is None:
        return content
    body = content.body.replace(own.link, own.link + b' aria-current="true"').replace(MAIN, MAIN + own.line, 1)
    made = Content(body, content.media, content.status, content.cookies, content.headers).packed()
    asked.server.pages.put(version, key, made)
    return made


def _checked(page: Page, asked: Asked) -> Content | Moved:
    """Return the answer of a page that is not for everybody, or that changes something."""
    server = asked.server
    may_enter = access.is_local(asked.address) or server.settings.entry
    with speaking(server.language(asked.language)), _reading(page):
        token = asked.path.get("token") if page.audience == "table" else None
        try:
            visitor = access.visitor(asked.db, asked.cookies, token, server.settings.mark)
        except ClosedLinkError as error:
            if page.closed is None:
                raise
            return _content(asked, page.closed(asked, error))
        access.refuse(page.audience, visitor, may_enter=may_enter)
    if visitor.audience == "desk":
        server.desks[access.desk_hash(asked.cookies)] = visitor.name, asked.address
    return _answered(page, asked.by(visitor))


def _answered(page: Page, asked: Asked) -> Content | Moved:
    with speaking(asked.server.language(asked.language)), _reading(page):
        return _content(asked, page.answer(asked))


def _reading(page: Page) -> AbstractContextManager[None]:
    """Let a page read what everybody may see, unless it is the desk's."""
    return nullcontext() if page.audience == "desk" else storage.as_published()


def _content(asked: Asked, answer: Answer) -> Content | Moved:
    if not isinstance(answer, View):
        return answer
    if asked.method == "POST":
        # Loaded again by its address, it would be another page: the empty form.
        answer = replace(answer, live=False)
    text = html(answer, frame_of(asked, answer))
    path = storage.locate(asked.db)
    if path.parent.name and asked.visitor.audience != "desk":
        # Whatever refusal names the database, only the desk learns where it lies.
        text = text.replace(str(escape(path)), str(escape(path.name)))
    return Content(text.encode("utf-8", "xmlcharrefreplace"), "text/html; charset=utf-8", answer.status, answer.cookies)


def _response(request: Request, content: Content | Moved, caching: str, server: Server) -> Response:
    if isinstance(content, Moved):
        response = _moved(_as_asked(request, content.to))
    else:
        response = _sent(request, _with_links(request, content), caching)
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = "Accept-Language, Cookie, Accept-Encoding"
    for name, value in content.cookies:
        path = "/"
        # A link in another app must not find a phone without its seat; forms are protected by their origin.
        samesite: Literal["strict", "lax"] = "strict" if name == DESK_COOKIE else "lax"
        if name == DESK_COOKIE:
            name, path = _desk_cookie(server), server.settings.desk if server.settings.run else "/"
        lasts = SEAT_SECONDS if name.startswith((SEAT_COOKIE, PLAYER_COOKIE)) else PRIVATE_SECONDS
        seconds = lasts if value else 0
        response.set_cookie(name, value, seconds, path=path, httponly=True, samesite=samesite)
    return response


def _as_asked(request: Request, path: str) -> str:
    """Return a path of ours as the visitor asks for it: that of a page of the desk under the path of this run."""
    rest = path.removeprefix(DESK)
    is_desk = rest != path and rest[:1] in ("", "/", "?", "#")
    return request.scope.get(UNDER_DESK, DESK) + rest if is_desk else path


def _with_links(request: Request, content: Content) -> Content:
    """Return a page with its links to pages of the desk as the visitor asks for these.

    A script takes the path of this run out of the pages under it, and leads from the path without it to them.
    """
    desk = request.scope.get(UNDER_DESK, "")
    is_plain = desk == DESK or not request.scope["path"].startswith(DESK)
    if is_plain or not content.media.startswith("text/html"):
        return content
    body = _TO_DESK.sub(rb"\1" + desk.encode(), content.body) if desk else content.body
    script = f'<script src="/static/desk.js?{mark_of("desk.js")}" data-desk="{desk}"></script></head>'
    return replace(content, body=body.replace(b"</head>", script.encode(), 1))


def _moved(to: str) -> Response:
    """Return the way to another page; letters beyond ASCII are quoted."""
    return Response(status_code=HTTPStatus.SEE_OTHER, headers={"Location": quote(to, URL_MARKS)})


def _sent(request: Request, content: Content, caching: str) -> Response:
    """Return the bytes of a content, compressed where they are kept so and can be read; nothing if they are known."""
    if caching != NEVER and request.headers.get("if-none-match", "") == content.tag:
        response = Response(status_code=HTTPStatus.NOT_MODIFIED)
    elif content.zipped and "gzip" in request.headers.get("accept-encoding", "").replace(" ", "").split(","):
        encoded = {"Content-Encoding": "gzip"}
        response = Response(content.zipped, content.status, encoded, content.media)
    else:
        response = Response(content.body, content.status, media_type=content.media)
    response.headers["ETag"] = content.tag
    response.headers.update(dict(content.headers))
    return response


async def _static(request: Request) -> Response:
    """Return a file of ours, which a browser keeps for good under an address that has the mark of its content."""
    name = request.path_params["name"]
    content = _files().get(name)
    if content is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    caching = FOR_GOOD if request.scope["query_string"].decode("latin-1") == mark_of(name) else KEEP
    response = _sent(request, content, caching)
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = "Accept-Encoding"
    return response


@cache
def _files() -> Mapping[str, Content]:
    """Return our styles, scripts and letters by their names; a style names letters by their marks, too."""
    return {file.name: Content(_marked(file.read_bytes()), MEDIA[file.suffix]).packed() for file in STATIC.iterdir()}


def _marked(content: bytes) -> bytes:
    return FONT.sub(lambda found: b"url(%s?%s)" % (found[1], mark_of(found[1].decode()).encode()), content)


def _language_asked(request: Request) -> str:
    """Return the language of the cookie, or the one of ours that the browser accepts first; "" if there is none."""
    own = known(_sent_cookies(request).get(COOKIE, ""))
    if own:
        return own
    wanted = sorted(_wanted(request.headers.get("accept-language", "")), key=lambda each: -each[0])
    return next(filter(None, (known(name) for weight, name in wanted if weight > 0)), "")


def _wanted(accepted: str) -> Iterator[tuple[float, str]]:
    """Yield weight and name of each language of a header such as `es-MX,es;q=0.9,en;q=0.8`."""
    for part in accepted.split(",")[:MOST_ASKED]:
        name, _separator, weight = part.strip().partition(";q=")
        try:
            yield float(weight or 1), name
        except ValueError:
            continue


def _chosen_language(request: Request) -> Response | None:
    """Return the way back to the same page if the visitor chooses its language, which a cookie keeps."""
    language = known(request.query_params.get("lang", ""))
    if language is None or request.method == "POST":
        return None
    rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "lang"])
    path = _as_asked(request, f"/{quote(request.scope['path'].lstrip('/'))}")
    response = _moved(f"{path}?{rest}" if rest else path)
    response.set_cookie(COOKIE, language, LANGUAGE_SECONDS, samesite="lax")
    return response


async def _live(server: Server, request: Request) -> Response:
    """Return the stream of events, unless the address has too many: then a page asks for the version instead."""
    address = _client(request)
    if not server.live.has_room(address):
        return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Cache-Control": NEVER})
    return _Stream(server.live, Listener(address, _pages_of(request)))


def _pages_of(request: Request) -> str:
    """Return whose pages a visitor asks about: the token of a table, "desk", or "" for everybody's."""
    return request.query_params.get("of", "")[:64]


class _RoutesByPart(BaseRoute):
    """Routes under the first part of their path, which has no parameter."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._by_part = defaultdict[str, list[Route]](list)
        for route in routes:
            self._by_part[_first_part(route.path)].append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return the first route of the path that allows the method, or else one of that path."""
        found: tuple[Match, Scope] = Match.NONE, {}
        for route in self._by_part.get(_first_part(scope["path"]), ()):
            match, child = route.matches(scope)
            if match is Match.FULL:
                return match, {**child, _CHOSEN: route}
            if match is Match.PARTIAL:
                found = match, {**child, _CHOSEN: route}
        return found

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by the route that was found."""
        await scope[_CHOSEN].handle(scope, receive, send)


def _first_part(path: str) -> str:
    return path.lstrip("/").partition("/")[0]


class _Stream(StreamingResponse):
    """The stream of events to one listener, which is counted as long as it lasts."""

    def __init__(self, live: Live, to: Listener) -> None:
        headers = {"Cache-Control": NEVER, "X-Accel-Buffering": "no"}
        self._live, self._to = live, to
        super().__init__(live.stream(self._to), media_type="text/event-stream", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until the visitor leaves."""
        with self._live.listening(self._to):
            await super().__call__(scope, receive, send)


async def _version(server: Server, request: Request) -> Response:
    """Return one message, for visitors whose stream is silent."""
    message = server.live.message(_pages_of(request))
    return Response(message, media_type="application/json", headers={"Cache-Control": NEVER})


async def _refused(server: Server, request: Request, error: Exception) -> Response:
    assert isinstance(error, TourneyError)
    return await _sorry(server, request, error, status_of(error))


async def _no_page(server: Server, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    is_of_a_run = request.scope["path"].startswith(f"{DESK}-")
    status = HTTPStatus.GONE if is_of_a_run else HTTPStatus(error.status_code)
    return await _sorry(server, request, status, status)


async def _fault(server: Server, request: Request, error: Exception) -> Response:
    """Answer a fault of ours; the error itself is logged by whoever runs the application."""
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return await _sorry(server, request, status, status)


async def _guarded(server: Server, status: HTTPStatus, request: Request) -> Response:
    """Answer a request that the guard refuses; it learns nothing of the event."""
    return await _sorry(server, request, status, status, "bare")


async def _sorry(
    server: Server, request: Request, why: TourneyError | HTTPStatus, status: int, frame: FrameKind = "site"
) -> Response:
    asked = Asked(server, language=_language_asked(request), url=request.scope["path"])
    is_desk = UNDER_DESK in request.scope or (not server.settings.run and request.scope["path"].startswith(DESK))
    if not is_desk and is_of_files(why):
        why = HTTPStatus.INTERNAL_SERVER_ERROR
    made = await _in_turn(server, request, partial(_apology, asked, why, status, frame), "refusal", is_read=False)
    content = _with_links(request, made)
    return Response(content.body, content.status, headers={"Cache-Control": NEVER}, media_type=content.media)


def _apology(asked: Asked, why: TourneyError | HTTPStatus, status: int, frame: FrameKind) -> Content:
    with speaking(asked.server.language(asked.language)):
        error = why if isinstance(why, TourneyError) else _sentence(why)
        # Visitors of a page have no terminal; only who may not open a page learns which command opens it.
        message, hint = error.message, hint_of(error) if status == HTTPStatus.FORBIDDEN else page_hint(error)
        way = Link(error.way, _("Sign in as the desk")) if isinstance(error, ForbiddenError) and error.way else None
        view = View("refusal.html", message, {"message": message, "hint": hint, "way": way}, status, frame, live=False)
        content = _content(asked, view)
        assert isinstance(content, Content)
        return content


def _sentence(status: HTTPStatus) -> TourneyError:
    """Return what a status means, in a sentence and a hint."""
    match status:
        case HTTPStatus.NOT_FOUND:
            return TourneyError(ExitCode.NOT_FOUND, _("there is no such page"), _("go to the standings"))
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return TourneyError(ExitCode.USAGE, _("this page cannot be used in this way"), _("go to the standings"))
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            message = _("this is too much at once: at most 64 kB can be sent")
            return TourneyError(ExitCode.USAGE, message, _("send it in parts"))
        case HTTPStatus.GONE:
            message = _("this run of the desk has ended")
            hint = _("close this page, and sign in at the desk that runs now")
            return TourneyError(ExitCode.NOT_FOUND, message, hint)
        case HTTPStatus.MISDIRECTED_REQUEST:
            message = _("the server was asked under an address that is not its own")
            return ForbiddenError(message, _("use the address that it shows"))
        case HTTPStatus.FORBIDDEN:
            return ForbiddenError(_("this was not sent by a page of this server"), _("load the page again"))
        case _other:
            return TourneyError(ExitCode.STORAGE, _("something went wrong here"), _("try again, or ask the desk"))
