"""Routes that are found by the first part of their path, so that a path is compared with few of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

CHOSEN: Final = "tourney.route"
"""The entry of a request's scope that has the route which was found."""


class RoutesByPart(BaseRoute):
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
                return match, {**child, CHOSEN: route}
            if match is Match.PARTIAL:
                found = match, {**child, CHOSEN: route}
        return found

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by the route that was found."""
        await scope[CHOSEN].handle(scope, receive, send)


def _first_part(path: str) -> str:
    return path.lstrip("/").partition("/")[0]
