"""Tests of `tourney serve`: a real server that is asked, ended, killed and started again, and what it refuses."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service.web import access
from tourney.web.qr import terminal_code
from tourney.web.serve import network, serving
from tourney.web.serve.addresses import Addresses
from tourney.web.serve.network import answers
from tourney.web.serve.serving import open_browser
from tourney.web.server import Server

ADDRESS = re.compile(r"http://(?:127\.0\.0\.1|[0-9a-f]{16}\.localhost):(\d+)/")


@contextmanager
def server(db: str, *words: str, command: str = "serve") -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a server in a process of its own, wait until it shows its address, and return its port."""
    line = [sys.executable, "-m", "tourney", command, "--db", db, *words]
    env = {**os.environ, "TOURNEY_LANG": "en"}
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout
        found = ADDRESS.search(process.stdout.readline())
        assert found
        assert any("Ctrl-C" in line for line in iter(process.stdout.readline, ""))
        yield process, int(found[1])
    finally:
        process.kill()
        process.communicate()


def get(port: int, path: str, status: int = 200) -> str:
    with closing(HTTPConnection("127.0.0.1", port, timeout=300)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == status
        return answer.read().decode()


def test_a_server_shows_the_event_survives_kill_9_and_ends_with_ctrl_c_though_a_visitor_listens(
    evening: str, run: Runner
) -> None:
    with server(evening, "Friday", "--port", "0") as (killed, port):
        assert "Friday" in get(port, "/")
        taken = run("serve", "--db", evening, "--port", str(port))
        assert taken.code == ExitCode.CONFLICT
        assert taken.err == (
            f"error: port {port} is taken by another program\n"
            f"hint: `tourney serve --port {port + 1 if port < 65535 else 8000}` takes another one\n"
        )
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
    assert run("db", "check", "--db", evening).code == 0
    with server(evening, "--port", str(port)) as (process, again), socket.create_connection(("127.0.0.1", again)) as on:
        assert again == port
        on.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert on.recv(100).startswith(b"HTTP/1.1 200")
        process.send_signal(signal.SIGINT)
        # A stream would hold the server for ever: this limit only ends a hang.
        out, err = process.communicate(timeout=300)
        assert (process.returncode, out, err) == (0, "The server has ended.\n", "")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("Nonsense",), ExitCode.NOT_FOUND, "Nonsense"),
        (("--host", "192.0.2.77"), ExitCode.NOT_FOUND, "this computer has no address “192.0.2.77”"),
        (("--host", "a" * 70), ExitCode.NOT_FOUND, "this computer has no address “aaa"),
        (("--port", "65536"), ExitCode.USAGE, "65536"),
        (("--port", "x"), ExitCode.USAGE, "x"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_served_is_refused_in_one_line_with_a_hint(
    evening: str, run: Runner, words: tuple[str, ...], code: ExitCode, message: str
) -> None:
    refused = run("serve", "--db", evening, *words)
    assert refused.code == code
    assert message in refused.err.splitlines()[0]
    assert refused.out == ""
    assert len(refused.err.splitlines()) == 2


def test_a_missing_database_is_refused_as_elsewhere(tmp_path, run: Runner) -> None:
    missing = str(tmp_path / "none.db")
    assert run("serve", "--db", missing).code == run("event", "list", "--db", missing).code != 0


class Taken:
    """A port that is taken at an address without a network."""

    def __init__(self, address: str) -> None:
        self._address = address

    def getsockname(self) -> tuple[str, int]:
        return self._address, 8000


def taken_alone(host: str, _port: int, _command: str, *, and_here: bool) -> list[Taken]:
    """Take the port at the host, and not really."""
    return [Taken(host)]


def said(
    monkeypatch: pytest.MonkeyPatch,
    db: str,
    host: str,
    phones: tuple[str, ...] = (),
    *,
    heard: bool = True,
    desk: Callable[[str], bool] | None = None,
) -> list[str]:
    """Return what a server says at a terminal: its networks are as given, and so is its test of itself."""
    lines = list[str]()
    monkeypatch.setattr(serving, "addresses", lambda _host: Addresses(phones, frozenset()))
    monkeypatch.setattr(serving, "listen_all", taken_alone)
    monkeypatch.setattr(serving, "answers", lambda _host, _port: heard)
    monkeypatch.setattr(serving, "run", lambda _server, _taken, ready: ready())
    serving.serve(serving.Serving(db, None, host, 8000, desk=desk), lines.append, with_code=True)
    return lines


def test_phones_are_told_every_address_and_get_a_code_of_the_first(
    evening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, code, *rest = said(monkeypatch, evening, "0.0.0.0", ("192.168.1.5", "10.0.0.2"))
    assert first == "Phones in the same network open http://192.168.1.5:8000/"
    assert second == "If that fails: http://10.0.0.2:8000/"
    assert code == terminal_code("http://192.168.1.5:8000/").rstrip("\n")
    assert rest == ["Ctrl-C ends the server.", "The server has ended."]


def test_this_computer_alone_is_told_how_phones_are_let_in(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, evening, "127.0.0.1")[:2] == [
        "On this computer: http://127.0.0.1:8000/",
        "With `--host 0.0.0.0` phones in the same network can read the pages, too.",
    ]


def test_a_computer_without_a_network_is_told_to_join_one(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = said(monkeypatch, evening, "0.0.0.0")
    assert lines[0] == "On this computer: http://127.0.0.1:8000/"
    assert lines[1].startswith("No network was found")


@pytest.mark.parametrize(("platform", "todo"), [("linux", "`sudo ufw allow 8000/tcp`"), ("darwin", "let Python")])
def test_an_address_that_does_not_answer_is_one_line_about_the_firewall(
    evening: str, monkeypatch: pytest.MonkeyPatch, platform: str, todo: str
) -> None:
    monkeypatch.setattr(network.sys, "platform", platform)
    line = said(monkeypatch, evening, "0.0.0.0", ("192.168.1.5",), heard=False)[-2]
    assert line.startswith("http://192.168.1.5:8000/ does not answer")
    assert todo in line


def test_a_port_on_which_nobody_answers_fails_the_test_of_itself() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        assert not answers("127.0.0.1", free.getsockname()[1])


def test_a_desk_signs_in_by_the_address_that_is_opened(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()

    def opens(address: str) -> bool:
        opened.append(address)
        return True

    lines = said(monkeypatch, evening, "0.0.0.0", ("192.168.1.5",), desk=opens)
    (address,) = opened
    found = re.fullmatch(r"http://[0-9a-f]{16}\.localhost:8000/sign-in/([\w-]{22})", address)
    assert found
    token = found[1]
    assert lines[:3] == [
        f"The desk opens in the browser. If it does not, open {address} there.",
        f"If the browser does not find it, open http://127.0.0.1:8000/sign-in/{token} there. "
        "Close its pages when you end the program.",
        "Phones in the same network open http://192.168.1.5:8000/",
    ]
    assert access.sign_in(evening, token) is None, "it belongs to the run of that program"


def test_a_new_address_that_a_page_asks_for_opens_no_window(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: every user of the computer may ask, and a window opened each time while all others waited."""
    opened, servers = list[str](), list[Server]()
    monkeypatch.setattr(serving, "listen_all", taken_alone)
    monkeypatch.setattr(serving, "run", lambda server, _taken, _ready: servers.append(server))
    lines = list[str]()
    asked = serving.Serving(evening, None, "127.0.0.1", 8000, desk=lambda address: bool(opened.append(address)))
    serving.serve(asked, lines.append, with_code=False)
    assert servers[0].remind is not None
    servers[0].remind()
    assert opened == []
    assert "/sign-in/" in lines[-2]


def test_without_a_browser_the_address_of_the_desk_is_shown(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = said(monkeypatch, evening, "127.0.0.1", desk=lambda _address: False)
    assert re.fullmatch(
        r"Open the desk in a browser of this computer: http://\w+\.localhost:8000/sign-in/[\w-]{22}", lines[0]
    )
    assert lines[2] == "With `--host 0.0.0.0` phones and other desks in the same network take part, too."


def test_a_desk_needs_no_database_and_an_event_that_is_named_must_be_there(tmp_path, run: Runner) -> None:
    db = str(tmp_path / "new.db")
    assert run("desk", "Friday", "--db", db, "--no-open").code == ExitCode.NOT_FOUND
    with server(db, "--port", "0", "--no-open", command="desk") as (_process, port):
        taken = run("desk", "--db", db, "--no-open", "--port", str(port))
        assert taken.code == ExitCode.CONFLICT
        assert "hint: `tourney desk --port" in taken.err
        assert "no event" in get(port, "/", status=404)
    assert run("event", "list", "--db", db).code == 0


def test_no_browser_is_opened_within_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not open_browser("http://127.0.0.1/")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("DISPLAY", ":0")
    assert open_browser("http://127.0.0.1/")
    assert len(opened) == 1


def test_the_address_that_signs_in_is_not_among_the_words_that_start_the_browser(tmp_path: Path) -> None:
    """Every user reads these in the list of processes; the file that leads on can be read by its owner alone."""
    words = tmp_path / "words"
    program = tmp_path / "browser"
    program.write_text(
        f'#!/bin/sh\necho "$@" > {words}.draft; cp "${{1#file://}}" {tmp_path}/page; mv {words}.draft {words}\n'
    )
    program.chmod(0o755)
    address = "http://127.0.0.1:8000/sign-in/secret"
    code = (
        "import os, sys, time, pathlib, webbrowser; from tourney.web.serve.serving import open_browser; os.umask(0);"
        f"open_browser({address!r});"
        f"[time.sleep(0.02) for _ in iter(pathlib.Path({str(words)!r}).exists, True)];"
        "print(*(oct(path.stat().st_mode & 0o777) for path in pathlib.Path.home().glob('tourney-sign-in-*')))"
    )
    home = tmp_path / "home"
    home.mkdir()
    env = {**os.environ, "HOME": str(home), "BROWSER": f"{program} %s"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=300, check=True)
    assert ran.stdout == "0o600\n"
    assert "secret" not in words.read_text()
    assert f'content="0; url={address}"' in (tmp_path / "page").read_text()
    assert list(home.iterdir()) == []
