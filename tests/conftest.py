"""Add to the report of a test run which build it tests, and how many actions random play has taken."""

import os
import signal
import sys
from pathlib import Path

import pytest

from engine.build import build

# Processes that tests start import `tests` too. It is last in the path, so that an installed package comes first.
sys.path.append(str(Path(__file__).resolve().parents[1]))


def pytest_configure() -> None:
    """End a run whose build is not EXPECTED_BUILD, and make Ctrl-C work in programs that the tests start.

    A shell makes background programs ignore Ctrl-C, and the programs that they start inherit this.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    expected = os.environ.get("EXPECTED_BUILD")
    if expected is not None and build().kind != expected:
        pytest.exit(f"these tests are for the build '{expected}', and this is {build()}", 1)


def pytest_report_header() -> str:
    tested = build()
    return f"engine: {tested.kind}, {len(tested.modules)} modules compiled"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("passed", [])
    actions = [number for report in reports for name, number in report.user_properties if name == "actions"]
    if actions:
        terminalreporter.write_line(f"random play: {sum(actions):,} actions")
