"""Tests of `.ci/audit`: answers in the format of OSV's `POST /v1/query`, from a service on loopback."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import pytest

AUDIT: Final = Path(__file__).resolve().parents[1] / ".ci" / "audit"
UNREACHED: Final = "the advisories were not reached: nothing was compared\n"
ASKED_FIRST: Final = ("starlette", "1.0.0")
LOWEST: Final = ("jinja2", "3.1.6")


def advisory(name: str, version: str) -> dict[str, object]:
    """Return an answer with one hole of a version, with the fields that the schema of OSV (1.7) requires."""
    package = {"ecosystem": "PyPI", "name": name, "purl": f"pkg:pypi/{name}"}
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.1"}]}]
    hole = {
        "schema_version": "1.7.0",
        "id": "GHSA-2222-3333-4444",
        "aliases": ["CVE-2026-99999"],
        "modified": "2026-11-01T00:00:00Z",
        "published": "2026-11-01T00:00:00Z",
        "summary": "A hole",
        "affected": [{"package": package, "ranges": ranges, "versions": [version]}],
    }
    return {"vulns": [hole]}


@contextmanager
def service(holes: set[tuple[str, str]], answered: int) -> Iterator[str]:
    """Yield the address of a service that knows these holes, and fails after so many answers."""
    left = [answered]

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            version = (asked["package"]["name"], asked["version"])
            left[0] -= 1
            self.send_response(200 if left[0] >= 0 else 503)
            self.end_headers()
            self.wfile.write(json.dumps(advisory(*version) if version in holes else {}).encode())

        def log_message(self, *_words: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()


def audited(address: str, ci: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OSV_URL": address, "CI": ci, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return subprocess.run([AUDIT], env=environment, capture_output=True, text=True, check=False)


CASES: Final = {
    "silent": (set(), 1_000, ""),
    "silent, where it must answer": (set(), 1_000, "1"),
    "fails at once": ({ASKED_FIRST}, 0, "1"),
    "fails later": ({ASKED_FIRST}, 9, "1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_service_that_does_not_answer_is_one_line_and_no_comparison(case: str) -> None:
    holes, answered, ci = CASES[case]
    with service(holes, answered) as address:
        done = audited(address, ci)
    lines = [line for line in done.stderr.splitlines(keepends=True) if not line.startswith("WARNING: ")]
    assert (done.returncode, "".join(lines)) == (bool(ci), UNREACHED)


@pytest.mark.slow
def test_a_service_that_knows_no_hole_of_ours_lets_the_versions_pass() -> None:
    with service({ASKED_FIRST}, 10_000) as address:
        done = audited(address, "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("No known vulnerabilities found") == 3


@pytest.mark.slow
def test_a_hole_of_a_lowest_version_is_named_with_what_corrects_it() -> None:
    with service({ASKED_FIRST, LOWEST}, 10_000) as address:
        done = audited(address, "")
    assert done.returncode == 1
    found = next(line.split() for line in done.stdout.splitlines() if line.startswith("jinja2"))
    assert found == [*LOWEST, "CVE-2026-99999", "99.1"]
