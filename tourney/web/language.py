"""The language that a visitor asks for: by a link on the page, or by the settings of their browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tourney.text.i18n import known

COOKIE = "tourney_lang"
"""The cookie that keeps the language which a visitor has chosen."""
MOST_ASKED = 20
"""The most languages of a browser's settings that are looked at."""


def asked_language(cookies: Mapping[str, str], accepted: str) -> str:
    """Return the language of the cookie, or the one of ours that the browser accepts first; "" if there is none.

    `accepted` is the header `Accept-Language`, such as `es-MX,es;q=0.9,en;q=0.8`.
    """
    own = known(cookies.get(COOKIE, ""))
    if own:
        return own
    wanted = sorted(_wanted(accepted), key=lambda each: -each[0])
    return next(filter(None, (known(name) for weight, name in wanted if weight > 0)), "")


def _wanted(accepted: str) -> Iterator[tuple[float, str]]:
    for part in accepted.split(",")[:MOST_ASKED]:
        name, _separator, weight = part.strip().partition(";q=")
        try:
            yield float(weight or 1), name
        except ValueError:
            continue
