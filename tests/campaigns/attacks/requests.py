"""Requests that a browser would not send: hosts, origins, paths, bodies, heads, and slow or many connections."""
# ruff: noqa: E501 - a case is a line of its table

import atexit
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final

from tests.campaigns.attacks.attack import SECRET, Attack
from tests.campaigns.attacks.served import Visitor, serving
from tests.harness.web.process import Program

REFUSED: Final = frozenset({0, 400, 403, 404, 405, 408, 411, 413, 414, 415, 417, 421, 422, 426, 431, 501, 505})
"""Answers to what is not taken; 0 for a connection that is closed."""
HOST: Final = "Host: 127.0.0.1:{port}\r\n"
ORIGIN: Final = "Origin: http://127.0.0.1:{port}\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@cache
def _shared() -> Program:
    """Start the server that all attacks ask that leave nothing behind."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    (folder / "key.txt").write_text(SECRET, "utf-8")
    return stack.enter_context(serving(folder))[1]


def _request(
    row: str, tried: str, request: str, allowed: Iterable[int] = REFUSED, absent: str = "", most: int = 1
) -> Attack:
    """Return an attack by bytes that are `most` requests: which statuses may come, and a text that may not."""

    def act(_folder: Path) -> Iterator[str]:
        server = _shared()
        visitor = Visitor(server.port)
        got = visitor.raw(request.replace("{port}", str(server.port)).encode("utf-8", "surrogateescape"))
        if not {got.status, *got.statuses} <= {*allowed}:
            yield f"answered {got.status} {got.statuses}"
        if len(got.statuses) > most:
            yield f"{len(got.statuses)} answers to {most} requests"
        if (absent and absent.lower() in got.text.lower()) or SECRET in got.text:
            yield f"the answer has {absent or 'the secret'}"
        if visitor.ask("GET", "/").status != 200:
            yield "the server does not answer afterwards"

    return Attack(row, tried, act)


def _get(row: str, tried: str, path: str, head: str = HOST, **more: object) -> Attack:
    return _request(row, tried, f"GET {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n", **more)  # type: ignore[arg-type]


def _post(row: str, tried: str, head: str, body: str = "code=123456", host: str = HOST) -> Attack:
    return _request(row, tried, f"POST /code HTTP/1.1\r\n{host}{head}Connection: close\r\n\r\n{body}")


HOSTS: Final = (
    *("evil.example", "127.0.0.1.nip.io:{port}"),
    *("localhost:1/../x", "127.0.0.1:{port}@evil", "localhost:{port}/seating?", "evil@127.0.0.1:{port}"),
    *("127.0.0.1:{port}#x", "127.0.0.1:{port}:80", "127.0.0.1:port", "127.0.0.1:99999999", "", " ", "localhost:-1"),
    *(
        "127.0.0.1,evil",
        "127.0.0.1:{port}\tx",
        "localhost.evil.example:{port}",
        "[::1]evil",
        "[::1",
        "ⅼocalhost:{port}",
    ),
    *("xn--localhost:{port}", "localhost%00.evil", "127.0.0.1:{port}\\@evil", "evil:{port}"),
)
ORIGINS: Final = (
    *("", "Origin: null\r\n", "Origin: http://evil.example\r\n", "Origin: http://127.0.0.1:1\r\n"),
    *(
        "Origin: http://127.0.0.1\r\n",
        "Origin: http://127.0.0.1:{port}.evil\r\n",
        "Origin: http://127.0.0.1:{port}@evil\r\n",
    ),
    *(
        "Origin: http://localhost:{port}\r\n",
        "Origin: file://\r\n",
        "Origin: \r\n",
        "Origin: http://evil http://127.0.0.1:{port}\r\n",
    ),
    "Origin: http://evil.example\r\nOrigin: http://127.0.0.1:{port}\r\n",
    "Origin: http://evil.example\r\nReferer: http://127.0.0.1:{port}/code\r\n",
)
PATHS: Final = (
    *("/static/../../key.txt", "/static/%2e%2e/%2e%2e/key.txt", "/static/..%2f..%2fkey.txt", "/static//etc/passwd"),
    *("/static/%00", "/static/..\\..\\key.txt", "/static/%c0%ae%c0%ae/key.txt", "/desk/paper/../../key.txt"),
    *("/static/live.js%00.css", "/static/%252e%252e/key.txt", "/%2e%2e/evening.db", "/evening.db"),
    *("http://evil.example/", "//evil.example/%2e%2e", "*", "/tables/1%2f1", "/players/%00", "/players/9999999999999999999999"),
    *("/tables/-1/1", "/tables/1e3/1", "/tables/١/١", "/pools/..%2f..%2f/fame", "/seasons/%ff%fe"),
)  # fmt: skip
LONG: Final = "a" * 70_000
BODIES: Final = (
    ("row 16", "a body of 64 kB and one byte", ORIGIN + "Content-Length: 65537\r\n", "a" * 65_537),
    ("row 16", "a length of -1", ORIGIN + "Content-Length: -1\r\n", ""),
    ("row 16", "a length of 1e3", ORIGIN + "Content-Length: 1e3\r\n", ""),
    ("row 16", "a length of 10^20", ORIGIN + "Content-Length: 100000000000000000000\r\n", ""),
    ("new", "two lengths that differ", ORIGIN + "Content-Length: 5\r\nContent-Length: 50\r\n", "code="),
    ("new", "two lengths in one", ORIGIN + "Content-Length: 5, 50\r\n", "code="),
    ("new", "a length with a sign", ORIGIN + "Content-Length: +5\r\n", "code="),
    ("new", "a length and chunks with a request behind", ORIGIN + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
     "0\r\n\r\nGET /seating HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
    ("new", "chunks twice", ORIGIN + "Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"),
    ("new", "chunks under an obscured name", ORIGIN + "Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
    ("new", "chunks with a blank before the colon", ORIGIN + "Transfer-Encoding : chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n"),
    ("new", "a chunk of a negative size", ORIGIN + "Transfer-Encoding: chunked\r\n", "-1\r\n\r\n0\r\n\r\n"),
    ("new", "a chunk of 2^64 bytes", ORIGIN + "Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n"),
    ("new", "an extension of a chunk of 70 kB", ORIGIN + "Transfer-Encoding: chunked\r\n", f"1;x={LONG}\r\na\r\n0\r\n\r\n"),
    ("new", "a trailer of 70 kB", ORIGIN + "Transfer-Encoding: chunked\r\n", f"0\r\nX: {LONG}\r\n\r\n"),
    ("row 16", "chunks beyond 64 kB", ORIGIN + "Transfer-Encoding: chunked\r\n", "8000\r\n" + "a" * 0x8000 + "\r\n" + "8000\r\n" + "a" * 0x8000 + "\r\n8000\r\n" + "a" * 0x8000 + "\r\n0\r\n\r\n"),
)  # fmt: skip
HEADS: Final = (
    ("a header of 1 MB", "GET / HTTP/1.1\r\n" + HOST + f"X: {'a' * 1_000_000}\r\n\r\n"),
    ("a path of 1 MB", f"GET /{'a' * 1_000_000} HTTP/1.1\r\n{HOST}\r\n"),
    ("two hosts", f"GET / HTTP/1.1\r\n{HOST}Host: evil.example\r\n\r\n"),
    ("no host", "GET / HTTP/1.1\r\n\r\n"),
    ("a folded header", f"GET / HTTP/1.1\r\n{HOST}X: a\r\n  b\r\n evil\0: c\r\n\r\n"),
    ("a zero in a header", f"GET / HTTP/1.1\r\n{HOST}X: a\0b\r\n\r\n"),
    ("line ends alone", "GET / HTTP/1.1\nHost: evil\n\n"),
    ("HTTP 0.9", "GET /\r\n"),
    ("a greeting of TLS", "\x16\x03\x01\x02\x00\x01\x00"),
)
VERBS: Final = (
    *("PROPFIND", "MKCOL", "MOVE", "COPY", "LOCK", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "OPTIONS", "X"),
)
COOKIES: Final = ("' OR 1=1 --", "A" * 22, "%00", "../../key", '"; Path=/', "a" * 6000)


def _cookie(text: str) -> Attack:
    names = ("desk", "tourney-desk", "tourney_desk", "device", "tourney-device", "token", "key")
    line = "; ".join(f"{name}={text}" for name in names)
    tried, head = f"the desk's pages with a cookie {text[:12]}", f"{HOST}Cookie: {line}\r\n"
    return _get("row 5", tried, "/desk", head, allowed=REFUSED | {302, 303, 401})


# Slow and many connections


def _slow(_folder: Path) -> Iterator[str]:
    """Nobody holds a connection for longer than a deadline by half a head, half a body, or a byte now and then."""
    begun = {
        "half a head": b"GET / HTTP/1.1\r\nHost: 127.0",
        "half a body": b"POST /code HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nContent-Length: 999\r\n\r\na",
        "a head a byte at a time": b"GET / HTTP/1.1\r\nX: ",
        "a body a byte at a time": b"POST /code HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nContent-Length: 999\r\n\r\na",
        "nothing": b"",
    }
    server = _shared()
    lines = {name: Visitor(server.port, f"127.0.0.{20 + n}").connect() for n, name in enumerate(begun)}
    for name, text in begun.items():
        lines[name].sendall(text % (server.port, server.port) if b"%d" in text else text)
        lines[name].settimeout(0.01)
    until, closed = time.monotonic() + 35, set[str]()
    while time.monotonic() < until and len(closed) < len(lines):
        time.sleep(1)
        for name, line in lines.items():
            try:
                if "a time" in name:
                    line.sendall(b"a")
                if line.recv(65536) == b"":
                    closed.add(name)
            except TimeoutError:
                continue
            except OSError:
                closed.add(name)
    for line in lines.values():
        line.close()
    yield from (f"{name} holds a connection for 35 s" for name in lines.keys() - closed)


def _many(folder: Path, start: bytes, number: int, files: int) -> Iterator[str]:
    """One visitor opens many connections to a server that may open few files; another is answered all the same.

    All addresses of this computer are one visitor. `test_limits.py` holds the limit of another computer.
    """
    with serving(folder, files=files) as (_db, server):
        lines = []
        for _ in range(number):
            try:
                lines.append(Visitor(server.port, "127.0.0.1").connect())
                lines[-1].sendall(start.replace(b"{port}", str(server.port).encode()))
            except OSError:
                break
        honest, until, answered = Visitor(server.port, "127.0.0.9"), time.monotonic() + 40, False
        while time.monotonic() < until and not answered:
            answered = (
                honest.raw(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % server.port, 5).status
                == 200
            )
        for line in lines:
            line.close()
    if not answered:
        yield "another visitor is not answered in 40 s"


def _letters(_folder: Path) -> Iterator[str]:
    """`?lang=` on a page whose path has letters beyond Latin-1 is answered, not with an error of ours."""
    visitor = Visitor(_shared().port)
    for name in (
        "%C5%81ukasz",
        "%C5%9Fahin",
        "%D0%90%D0%BD%D0%BD%D0%B0",
        "%E7%8E%8B",
        "%F0%9F%83%8F",
        "Be%C3%B1at",
        "%0d%0aX: y",
    ):
        got = visitor.ask("GET", f"/pools/people/players/{name}?lang=es")
        if got.status >= 500 or not got.status:
            yield f"{name}: {got.status}"
        if any(byte > 126 for byte in got.head):
            yield f"{name}: a header with letters that are not ASCII"


def _address(name: str, act: Callable[[Visitor], Iterator[str]]) -> Attack:
    return Attack("row 18", name, lambda _folder: act(Visitor(_shared().port)))


def _languages(visitor: Visitor) -> Iterator[str]:
    for path in (
        "/?lang=%0d%0aSet-Cookie:%20a=b",
        "//evil.example?lang=es",
        "/\\evil.example?lang=es",
        "/%5cevil.example/?lang=es",
    ):
        head = visitor.ask("GET", path).head.lower()
        if b"a=b" in head or b"location: //" in head or b"location: http://evil" in head or b"location: /\\" in head:
            yield f"{path}: {head.splitlines()[0].decode()}"


ATTACKS: Final = (
    *(_get("rows 1-3", f"Host {ascii(h)[1:-1]}", "/seating", f"Host: {h}\r\n") for h in HOSTS),
    *(_post("row 4", f"a form with {o.strip()[:70] or 'no origin'}", o + "Content-Length: 11\r\n") for o in ORIGINS),
    *(_get("row 14", f"the path {p}", p, allowed=REFUSED | {307, 308, 200} if p.startswith(("http", "//")) else REFUSED, absent="evil.example") for p in PATHS),
    *(_post(row, tried, head, body) for row, tried, head, body in BODIES),
    *(_request("new", tried, request) for tried, request in HEADS),
    _request("new", "10,000 header lines", "GET / HTTP/1.1\r\n" + HOST + "X: y\r\n" * 10_000 + "\r\n", allowed=REFUSED | {200}),
    _request("new", "HTTP 2 without agreement, which is two requests of HTTP 1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", most=2),
    *(_request("new", f"the verb {v}", f"{v} / HTTP/1.1\r\n{HOST}Content-Length: 0\r\nConnection: close\r\n\r\n") for v in VERBS),
    *map(_cookie, COOKIES),
    _get("new", "a page of the desk by X-Original-URL", "/", f"{HOST}X-Original-URL: /desk\r\nX-Rewrite-URL: /desk\r\n", allowed={200}, absent="sign-out"),
    _get("new", "another host by X-Forwarded-Host", "/", f"{HOST}X-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n", allowed={200}, absent="evil.example"),
    _address("?lang= with a line end or another host", _languages),
    Attack("row 19", "?lang= with letters beyond Latin-1", _letters),
    Attack("row 21", "half requests, slow ones, silent ones", _slow),
    Attack("row 21", "300 half requests at a server of 256 files", lambda f: _many(f, b"GET / HTTP/1.1\r\nHost: ", 300, 256)),
    Attack("row 21", "300 connections that say nothing", lambda f: _many(f, b"", 300, 256)),
    Attack("row 22", "300 streams of one visitor", lambda f: _many(f, b"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", 300, 1024)),
    Attack("row 21", "300 half requests at a server of 1,024 files", lambda f: _many(f, b"GET / HTTP/1.1\r\nHost: ", 300, 1024)),
)  # fmt: skip
