"""Phones at the tables and desks: seats of others, codes that are guessed, keys that are read, sheets without end."""
# ruff: noqa: E501 - a case is a line of its table

import hashlib
import re
import sqlite3
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import product
from math import log2
from pathlib import Path
from typing import Final
from unittest.mock import patch
from urllib.parse import urlsplit

from httpx import Client

from tests.campaigns.attacks.attack import PROGRAM, each, environment, family, kill, script, tourney
from tests.campaigns.attacks.served import Visitor, evening, serving
from tests.harness import desk
from tests.harness.web.asking import client
from tests.harness.web.phone import Phone, hand_fields
from tests.harness.web.process import Program
from tourney.service.change import apply
from tourney.service.players import RenamePlayer
from tourney.service.rounds import rounds
from tourney.service.web import access
from tourney.web.access import DESK_COOKIE

ADDRESSES: Final = tuple(f"127.0.0.{number}" for number in range(2, 62))


def _names(db: str, table: int = 1) -> list[str]:
    return [player.name for player in rounds.show(db).rounds[0].tables[table - 1].players]


def _players(db: str) -> str:
    """Return the players of table 1 as its forms name them."""
    return ",".join(str(player.id) for player in rounds.show(db).rounds[0].tables[0].players)


def _client(server: Program) -> Client:
    return Client(base_url=server.here, headers={"Accept-Language": "en"}, timeout=60)


def _results(db: str) -> int:
    return int(desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'")[0][0])


def _sent(pages: Client, token: str, names: list[str], seat: int = 1) -> Phone:
    phone = Phone(pages, token, seat)
    for number, hand in enumerate(desk.hands(names), 1):
        phone.type_hand(number, hand_fields(names, hand))
    phone.send()
    return phone


def _confirms(phone: Phone, sender: Phone) -> None:
    """Press what confirms; a phone that is not shown the button takes the sheet's fields from the sender's page."""
    shown = phone.get().text + sender.get().text
    found = dict(re.findall(r'name="(id|digest)"[^>]*value="([^"]+)"', shown))
    if found:
        phone.post("/confirm", **found)


def _second_seat(folder: Path, kind: str) -> Iterator[str]:
    """Whoever types a sheet does not confirm it for a player whose seat another phone has claimed."""
    with serving(folder) as (db, server), _client(server) as pages:
        token, names = access.grant_tables(db, "Friday")[0].token, _names(db)
        honest = Phone(pages, token, 2)
        attacker = _sent(pages, token, names)
        second = Phone(pages, token)
        if kind == "the same cookies":
            second.cookies = dict(attacker.cookies)
        elif kind == "a cookie of the seat that it wrote itself":
            second.cookies = dict(attacker.cookies)
            second.cookies["tourney_player"] = honest.cookies.get("tourney_player", "2")
            second.cookies["tourney_device"] = "f" * 32
        if "wrote" not in kind:
            second.post("/who", seat="2")
        _confirms(second, honest)
        if _results(db):
            yield "the first player's phone has confirmed for the second"


def _honest(folder: Path, _given: str) -> Iterator[str]:
    """Two honest phones do confirm a sheet: the attacks before this one are stopped for what they do."""
    with serving(folder) as (db, server), _client(server) as pages:
        token, names = access.grant_tables(db, "Friday")[0].token, _names(db)
        other = Phone(pages, token, 2)
        _sent(pages, token, names)
        _confirms(other, other)
        if _results(db) != 1:
            yield "two honest phones do not confirm a sheet"


def _sheets(folder: Path, _given: str) -> Iterator[str]:
    """One phone that claims a seat again and again leaves room for the others' sheets."""
    with serving(folder) as (db, server), _client(server) as pages:
        token, names = access.grant_tables(db, "Friday")[0].token, _names(db)
        fields = hand_fields(names, desk.hands(names)[0])
        for _turn in range(42):
            phone = Phone(pages, token, 1)
            phone.type_hand(1, fields)
            phone.post("/stop")
            phone.post("/send", **dict(re.findall(r'name="(sheet)"[^>]*value="([^"]+)"', phone.get().text)))
        answer = Phone(pages, token, 3).type_hand(1, fields)
        if answer.status_code != 303:
            yield f"an honest phone cannot type any more: {answer.status_code}"


def _parsing(folder: Path, _given: str) -> Iterator[str]:
    """A form with as many fields as fit takes no longer than a few pages (figures of the same run)."""
    with serving(folder) as (db, server):
        visitor = Visitor(server.port)
        home = f"/t/{access.grant_tables(db, 'Friday')[0].token}"
        visitor.ask("POST", f"{home}/who", {"players": _players(db), "seat": "1"})
        times = []
        for method, fields in (("GET", []), ("POST", [("a", "")] * 16_000)):
            before = server.processor_seconds
            for _turn in range(4):
                visitor.ask(method, f"{home}/hands/1", fields)
            times.append((server.processor_seconds - before) / 4)
    if times[1] > max(0.1, 8 * times[0]):
        yield f"a form takes {times[1]:.2f} s, a page {times[0]:.2f} s"


def _flags(folder: Path, _given: str) -> Iterator[str]:
    with serving(folder) as (db, server), _client(server) as pages:
        phone = Phone(pages, access.grant_tables(db, "Friday")[0].token, 1)
        for number in range(15):
            phone.post("/flags", text=f"help {number}", flag=str(number))
        phone.post("/flags", text="x" * 5000, flag="long")
        kept = desk.query(db, "SELECT text FROM act WHERE kind LIKE '%flag%'")
        if len(kept) > 10 or any(len(text) > 3000 for (text,) in kept):
            yield f"{len(kept)} flags of one table are kept"


def _other_table(folder: Path, _given: str) -> Iterator[str]:
    """A phone of table 2 reads and changes nothing of table 1."""
    with serving(folder) as (db, server), _client(server) as pages:
        first, second = (key.token for key in access.grant_tables(db, "Friday"))
        sender, names = _sent(pages, first, _names(db)), _names(db)
        foreign = Phone(pages, second, 1)
        found = dict(re.findall(r'name="(id|digest|sheet)"[^>]*value="([^"]+)"', Phone(pages, first, 2).get().text))
        for path in ("/confirm", "/copy", "/send"):
            foreign.post(path, **found)
        shown = foreign.get(f"/sheets/{found.get('id', 'x')}").text
        foreign.post("/hands/5", **hand_fields(names, desk.hands(names)[0]))
        odd = foreign.post("/who", seat="99").status_code
        if _results(db) or (names[0] in shown and names[0] not in _names(db, 2)) or odd not in (303, 400, 403, 409):
            yield "a phone of another table has reached the sheet"
        assert "Sent" in sender.get().text or "sent" in sender.get().text


def _guesses(folder: Path, header: str) -> Iterator[str]:
    """Codes of tables are counted for all together, however many addresses a visitor has or claims."""
    with serving(folder) as (db, server):
        access.grant_tables(db, "Friday")
        tried, begun = 0, time.monotonic()
        for turn, address in product(range(5), ADDRESSES):
            more = {header: f"10.1.{turn}.{address.rpartition('.')[2]}"} if header else {}
            visitor = Visitor(server.port, "127.0.0.1" if header else address)
            tried += visitor.ask("POST", "/code", {"code": f"{turn}{address[-2:]}001"[-6:]}, **more).status != 429
        # After 30 of all, each address pauses for a second, then two, then four.
        most = 30 + len(ADDRESSES) * (1 + int(log2(1 + time.monotonic() - begun)))
    if tried > (10 if header else most):
        yield f"{tried} of 300 codes were tried"


def _desk_code(folder: Path, _given: str) -> Iterator[str]:
    """Wrong codes of strangers do not lock out the person who has the right one, and cannot be tried for ever."""
    with serving(folder, "desk", "--no-open") as (_db, server):
        organiser = _organiser(server)
        for wrong, is_good in ((4, True), (5, False), (0, True)):
            made = organiser.ask("POST", f"{_home(organiser)}/desks").text
            code = "".join(re.findall(r"the code (\d{3})\s(\d{3})", made)[0])
            for number in range(wrong):
                Visitor(server.port, ADDRESSES[number]).ask("POST", "/sign-in", {"code": f"00000{number}"})
            got = Visitor(server.port, "127.0.0.99").ask("POST", "/sign-in", {"code": code})
            if (got.status == 303) is not is_good:
                yield f"{wrong} wrong tries of others, and the right code gets {got.status}"


def _organiser(server: Program) -> Visitor:
    """Return a visitor who is signed in as a desk of the program."""
    visitor = Visitor(server.port)
    visitor.ask("POST", urlsplit(server.sign_in).path)
    return visitor


def _home(visitor: Visitor) -> str:
    """Return the path of the desk's pages, which the cookie of a desk names."""
    return visitor.paths[next(name for name in visitor.cookies if name.startswith(DESK_COOKIE))]


def _foreign_keys(folder: Path, _given: str) -> Iterator[str]:
    """A key of a table, of a phone or of nobody does not open the desk, and neither does the desk's elsewhere."""
    with serving(folder, "desk", "--no-open") as (db, server):
        organiser = _organiser(server)
        ((name, key),) = organiser.cookies.items()
        token = access.grant_tables(db, "Friday")[0].token
        for cookie in (token, token.upper(), f"{token} ", "x", "' OR 1=1 --", key):
            for home, path in product(("/desk", _home(organiser)), ("", "/people", "/undo", "/paper/phones")):
                got = Visitor(server.port, cookies={name: cookie}).ask("GET", home + path)
                if (got.status == 200) is not (cookie == key and home != "/desk"):
                    yield f"{home[:5]}{path} with {cookie[:6]}: {got.status}"


def _head(folder: Path, method: str) -> Iterator[str]:
    """A look at a sign-in address by a preloader does not use it up, and gets no cookie."""
    with serving(folder, "desk", "--no-open") as (_db, server):
        place = urlsplit(server.sign_in).path
        got = Visitor(server.port, "127.0.0.50").ask(method, place, Purpose="prefetch", Sec_Purpose="prefetch")
        if b"set-cookie: " + DESK_COOKIE.encode() in got.head.lower():
            yield f"{method} gets the desk's cookie"
        visitor = Visitor(server.port)
        first = visitor.ask("GET", place)
        if not visitor.cookies:
            action = re.search(r'<form[^>]*action="([^"]*sign-in[^"]*)"', first.text)
            fields = dict(re.findall(r'name="([^"]+)"[^>]*value="([^"]*)"', first.text))
            visitor.ask("POST", action[1] if action else place, {"token": place.rpartition("/")[2], **fields})
        if not any(name.startswith(DESK_COOKIE) for name in visitor.cookies):
            yield f"after {method} nobody can sign in: {first.status}"


def _argument(folder: Path, _given: str) -> Iterator[str]:
    """The address that signs in is in no process's arguments, and a file that has it belongs to its owner alone."""
    log = folder / "opened"
    browser = script(folder / "browser", f'echo "$@" >> {log}; sleep 5')
    db = str(folder / "club.db")
    desk.event(db, 4)
    env = environment(folder, {"BROWSER": f"{browser} %s", "DISPLAY": ":9"})
    with subprocess.Popen(
        [*PROGRAM, "desk", "Friday", "--port", "0", "--db", db],
        env=env, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        until = time.monotonic() + 30
        while not log.exists() and time.monotonic() < until:
            time.sleep(0.1)
        words = b"".join(Path(f"/proc/{one}/cmdline").read_bytes() for one in family(process.pid)).decode()
        words += log.read_text("utf-8") if log.exists() else ""
        files = [Path(name) for name in re.findall(r"(?:file://)?(/[^\s\0]+)", words) if Path(name).is_file()]
        opened = [
            file
            for file in files
            if file.stat().st_mode & 0o077
            and b"/sign-in" in file.read_bytes()[:4096]
            and file.suffix in (".html", ".htm")
        ]
        for one in family(process.pid):
            kill(one)
    assert log.exists(), "no browser was opened"
    if re.search(r"/sign-in/[\w-]{16,}", words):
        yield "the address with its token is an argument of the browser"
    yield from (f"everybody reads {file.name}" for file in opened)


def _modes(folder: Path, _given: str) -> Iterator[str]:
    """Databases, backups and mirrors are their owner's alone under a umask of 022."""
    for words in (
        ("player", "add", "Ana"),
        ("db", "backup"),
        ("db", "mirror", str(folder / "mirror")),
        ("event", "new", "Friday"),
    ):
        if words[-1].endswith("mirror"):
            (folder / "mirror").mkdir()
        tourney(folder, *words)
    for file in folder.rglob("*"):
        ours = file.is_file() and file.name not in ("out.txt", "err.txt") and file.suffix != ".toml"
        if ours and stat.S_IMODE(file.stat().st_mode) & 0o077:
            yield f"{file.name} has the mode {stat.S_IMODE(file.stat().st_mode):o}"


def _brute_force(folder: Path, _given: str) -> Iterator[str]:
    """No short key is a fast hash of what the database keeps: a guess costs as much as 1,000 of those, and memory."""
    db = evening(folder)
    codes = [key.code for key in access.grant_tables(db, "Friday")]
    keys = [*codes, access.sign_in_code(db), access.grant_pin(db, "Friday", _names(db)[0]).pin]
    with closing(sqlite3.connect(db)) as base:
        rows = base.execute("SELECT salt, hash FROM access WHERE salt <> ''").fetchall()
    assert len(rows) == len(keys)
    fast = [
        hashlib.new(kind, f"{before}{key}{after}".encode()).hexdigest()
        for kind in ("sha256", "sha512", "sha1", "md5", "blake2b", "sha3_256")
        for salt, _kept in rows
        for key in keys
        for before, after in (
            ("", ""),
            (salt, ""),
            ("", salt),
            (salt.rpartition(":")[2], ""),
            ("", salt.rpartition(":")[2]),
        )
    ]
    if {kept for _salt, kept in rows} & {*fast}:
        yield "a short key is kept under a fast hash"
    begun = time.process_time()
    for number in range(20_000):
        hashlib.sha256(f"{number}".encode()).hexdigest()
    one, begun = (time.process_time() - begun) / 20_000, time.process_time()
    for number in range(5):
        access.enter_sign_in_code(db, f"{number:06}", "127.0.0.1")
    if (time.process_time() - begun) / 5 < 1000 * one:
        yield "a guess costs less than 1,000 fast hashes"


def _pins(folder: Path, way: str) -> Iterator[str]:
    """A PIN of four digits is guessed neither from many phones nor over an evening: wrong ones end it."""
    with serving(folder) as (db, server):
        token, names = access.grant_tables(db, "Friday")[0].token, _names(db)
        Visitor(server.port).ask("POST", f"/t/{token}/who", {"players": _players(db), "seat": "1"})
        right = access.grant_pin(db, "Friday", names[0]).pin
        guesses = [f"{number:04}" for number in range(300) if f"{number:04}" != right]
        tried, players = 0, _players(db)
        for number, guess in enumerate(guesses):
            address = ADDRESSES[number % len(ADDRESSES)] if way == "from 60 addresses" else "127.0.0.70"
            more = {"X-Forwarded-For": f"10.0.0.{number % 250}"} if way == "with X-Forwarded-For" else {}
            fields = {"players": players, "seat": "1", "pin": guess}
            tried += Visitor(server.port, address).ask("POST", f"/t/{token}/who", fields, **more).status != 429
        if tried > 10:
            yield f"{tried} of {len(guesses)} PINs were tried in a minute"
        assert tried, "none was tried"


def _pins_of_an_evening(folder: Path, _given: str) -> Iterator[str]:
    """Five PINs a minute for an hour would be 300: the tenth wrong one has ended the PIN."""
    db = evening(folder)
    token, names = access.grant_tables(db, "Friday")[0].token, _names(db)
    right = access.grant_pin(db, "Friday", names[0]).pin
    wrong = "0000" if right != "0000" else "1111"
    now = datetime(2026, 1, 1, 12, tzinfo=UTC)
    with client(db, entry=True) as pages, patch("tourney.service.web.guesses._now", lambda: now):
        Phone(pages, token, 1)
        for _minute in range(60):
            now += timedelta(seconds=61)
            Phone(pages, token).post("/who", seat="1", pin=wrong)
        if Phone(pages, token).post("/who", seat="1", pin=right).status_code == 303:
            yield "after 60 wrong ones the right PIN still opens the seat"


MARKUP: Final = ("<img src=x onerror=alert(1)>", "{0.__class__} %s {{7*7}}", "[red]x[/red]", "\"'><svg onload=x>")


def _markup(folder: Path, name: str) -> Iterator[str]:
    """A name is text on every page that has it."""
    db = str(folder / "club.db")
    desk.event(db, 4)
    apply(db, RenamePlayer("Ana", name))
    tourney(folder, "round", "draw", "--db", db)
    from tests.harness.web.process import program

    with program(db, "serve", "Friday", "--entry") as server:
        shown = ""
        for path in ("/", "/seating", "/tables", "/tables/1/1", "/players", "/screen", "/next", "/pools", "/players/1"):
            text = Visitor(server.port).ask("GET", path).text
            shown += text
            if "<" in name and name in text:
                yield f"{path} has it as markup"
            if "49" in re.sub(r"[^4-9]", "", text) and "{{7*7}}" in name and "{{7*7}}" not in text and "%s 49" in text:
                yield f"{path} has computed it"
        if (
            name not in shown
            and escape(name) not in shown
            and escape(name, quote=False) not in shown
            and "&#" not in shown
        ):
            yield "no page shows the name"


UPLOADS: Final = ("../../../evil.db", "a\r\nX: y", "\u202egpj.exe", "/etc/cron.d/x", "C:\\evil", "a" * 5000, "")


def _upload(folder: Path, name: str) -> Iterator[str]:
    """A file that a desk sends is kept under no name of its own, and one that is too long is not read."""
    with serving(folder, "desk", "--no-open") as (_db, server):
        organiser = _organiser(server)
        ((name_of_cookie, cookie),) = organiser.cookies.items()
        before = set(folder.rglob("*"))
        boundary = "----x"
        for size, path in product((10, 3_000_000), ("/events/import", "/people/enrol")):
            body = (
                f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n{"x" * size}\r\n'
                f"--{boundary}--\r\n"
            ).encode()
            head = (
                f"POST {_home(organiser)}{path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.here}\r\n"
                f"Cookie: {name_of_cookie}={cookie}\r\nContent-Type: multipart/form-data; boundary={boundary}\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            got = Visitor(server.port).raw(head.encode() + body)
            if got.status >= 500 or (size > 2_000_000 and got.status == 200):
                yield f"{path} of {size} bytes: {got.status}"
        new = [file.name for file in folder.rglob("*") if file not in before and "evening.db" not in file.name]
        if new or Path("/etc/cron.d/x").exists():
            yield f"files written: {new}"


PIN_WAYS: Final = ("of one phone", "from 60 addresses", "with X-Forwarded-For")
SEATS: Final = ("another phone's cookies", "the same cookies", "a cookie of the seat that it wrote itself")
ATTACKS: Final = (
    *each(tuple((f"the second player's confirmation with {kind}", kind) for kind in SEATS), "row 9", _second_seat),
    *each((("two honest phones", ""),), "row 9", _honest),
    *each((("42 sheets of one phone", ""),), "row 10", _sheets),
    *each((("a form of 16,000 fields", ""),), "row 23", _parsing),
    *each((("15 flags, one of 5,000 characters", ""),), "row 11", _flags),
    *each((("the sheet of another table", ""),), "row 13", _other_table),
    *each((("codes of tables from 60 addresses", ""), ("codes of tables with X-Forwarded-For", "X-Forwarded-For"),
           ("codes of tables with Forwarded", "Forwarded")), "rows 6-7", _guesses),
    *each((("the desk's code", ""),), "row 8", _desk_code),
    *each((("the desk by keys of tables", ""),), "row 5", _foreign_keys),
    *each((("HEAD of a sign-in address", "HEAD"), ("OPTIONS of a sign-in address", "OPTIONS")), "row 20", _head),
    *each((("the sign-in address in the list of processes", ""),), "row 24", _argument),
    *each((("files that everybody reads", ""),), "row 25", _modes),
    *each((("codes and PINs from their hashes", ""),), "row 25", _brute_force),
    *each(tuple((f"PINs of a seat {way}", way) for way in PIN_WAYS), "row 12", _pins),
    *each((("PINs of a seat over an hour", ""),), "row 12", _pins_of_an_evening),
    *each(tuple((f"the name {name}", name) for name in MARKUP), "row 17", _markup),
    *each(tuple((f"an upload called {ascii(name)[:20]}", name) for name in UPLOADS), "row 15", _upload),
)  # fmt: skip
