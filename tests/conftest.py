"""Add to the report of a test run which build it tests, and how many actions random play has taken."""

import os
import signal
import sys
from pathlib import Path

import pytest

from engine.build import build

# Processes that tests start import `tests` too. The last place, so that what is installed goes before the sources.
sys.path.append(str(Path(__file__).resolve().parents[1]))


def pytest_configure() -> None:
    """EXPECTED_BUILD ends a run that would test another build than it is meant to; Ctrl-C is heard in any case.

    A shell has what it starts in the background ignore it, and so would every program that the tests start.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    expected = os.environ.get("EXPECTED_BUILD")
    if expected is not None and build().kind != expected:
        pytest.exit(f"these tests are for the build '{expected}', and this is {build()}", 1)


def pytest_report_header() -> str:
    found = build()
    return f"engine: {found.kind}, {len(found.modules)} modules compiled"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("passed", [])
    acts = [number for report in reports for name, number in report.user_properties if name == "acts"]
    if acts:
        terminalreporter.write_line(f"random play: {sum(acts):,} acts")
