"""What the end of a test run says besides the usual: how many acts random play has done."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("passed", [])
    acts = [number for report in reports for name, number in report.user_properties if name == "acts"]
    if acts:
        terminalreporter.write_line(f"random play: {sum(acts):,} acts")
