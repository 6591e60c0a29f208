"""Texts that would change a page, a query, a template or a file if they were not treated as text."""

import random
from itertools import islice, product

from tests.harness.web.markup import MARK, SUM

SHORT = (
    f"<{MARK}>",
    f"<script>{MARK}()</script>",
    f'"><{MARK} onload={MARK}()>',
    f"'><{MARK}>",
    f"' onfocus='{MARK}()' x='",
    f'" onfocus="{MARK}()',
    f"</title><{MARK}>",
    f"</textarea><{MARK}>",
    f"--><{MARK}>",
    f"]]><{MARK}>",
    f"&lt;{MARK}&gt;",
    f"javascript:{MARK}()",
    "//evil.example/",
    "http://evil.example/",
    SUM[0],
    "{% raw %}",
    "${1337*7331}",
    "#{1337*7331}",
    "%(name)s {0} {name}",
    "x'; DROP TABLE act; --",
    '" OR ""="',
    "../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "%0d%0aSet-Cookie: a=b",
    "?lang=es#main",
    "שלום עולם",
    "مرحبا",
    "王小明",
    "e\u0301\u0327 n\u0303",
    "👩🏽 🃏",
    "1e999",
    "-1",
    "0x10",
    "٣",
    "NaN",
    "None",
    "true",
    "Ana & Beñat",
    "a,b;c\td",
    "=1+1",
    "`id` $(id)",
    "\\u003cb\\u003e",
)
"""Texts that may be a player's name."""
WILD = (
    "",
    " ",
    "\x00",
    "a\x00b",
    "\n",
    "a\r\nb",
    "\u202eevil",
    "\u2066\u2069",
    "\u200b",
    "\ufeff",
    "\x1b[31m",
    "\x7f",
    "\ud800",
    "\uffff",
    "\U0010ffff",
    "a" * 81,
    "a" * 20_000,
    "9" * 5_000,
    f"<{MARK}>" * 500,
    "\n" * 2_000,
    "," * 10_000,
    "e\u0301" * 3_000,
    "(" * 5_000,
)
"""Texts that no name may be, and that a field may get all the same."""


def names(number: int) -> tuple[str, ...]:
    """Return that many different texts that may be names: single ones, then two joined."""
    joined = (f"{first} {second}"[:78].strip() for first, second in product(SHORT, SHORT))
    different = dict.fromkeys((*SHORT, *joined))
    return tuple(islice(different, number))


def texts(number: int, seed: int = 7) -> list[str]:
    """Return that many different texts for fields and addresses, in a random order that the seed decides."""
    rng = random.Random(seed)
    every = [*WILD, *names(max(0, number - len(WILD)))]
    return rng.sample(every, min(number, len(every)))
