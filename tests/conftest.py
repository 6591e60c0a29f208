"""Keep the files of tests in memory, and report which build is tested and how many actions random play has taken."""

import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.build import build

ROOT = Path(__file__).resolve().parents[1]

# Processes that tests start import `tests` too. It is last in the path, so that an installed package comes first.
sys.path.append(str(ROOT))

NOWHERE = Path(__file__) / "nowhere"
"""A folder that no program can make, since it would lie in a file."""
MEMORY = Path("/dev/shm")
"""The folder that Linux keeps in memory."""
MEMORY_NEEDED = 2 * 10**9
"""The free bytes with which MEMORY is used; a test run takes a tenth of them."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """End a run whose build is not EXPECTED_BUILD, and make Ctrl-C work in programs that the tests start.

    A shell makes background programs ignore Ctrl-C, and the programs that they start inherit this.
    """
    compile_catalogues()
    # A test does not fail because the machine is busy.
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
    os.environ.pop("COLUMNS", None)  # xdist sets it; tests of widths set their own
    os.environ["TOURNEY_LANG"] = "en"  # and no output on their language
    os.environ["BROWSER"] = "true"  # so that no test opens a window
    os.environ["TOURNEY_BY"] = "desk"  # so that no output depends on who runs the tests
    if not hasattr(config, "workerinput"):  # the workers of a run have its folder
        keep_files_together(config)
    keep_out_of_the_users_data()
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    expected = os.environ.get("EXPECTED_BUILD")
    if expected is not None and build().kind != expected:
        pytest.exit(f"these tests are for the build '{expected}', and this is {build()}", 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that take long, before pytest leaves out tests by their markers."""
    from tests.harness.long_tests import listed

    long = listed()
    for item in items:
        if item.nodeid.partition("[")[0] in long:
            item.add_marker("long")


def compile_catalogues() -> None:
    """Compile the translations of this tree that are newer than their compiled catalogues."""
    for source in (ROOT / "tourney" / "locale").glob("*/LC_MESSAGES/*.po"):
        made = source.with_suffix(".mo")
        if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
            from tests.harness.pages.catalogue import hook

            hook().write_catalogues(ROOT, ROOT)


def keep_out_of_the_users_data() -> None:
    """Let a test that names no database fail where it writes: the default one is that of whoever runs the tests."""
    os.environ["TOURNEY_DB"] = str(NOWHERE / "tourney.db")
    data = tempfile.mkdtemp(prefix="data-")
    Path(data, "tourney", "tourney.db").mkdir(parents=True)  # a folder, so that no database can be there
    os.environ["XDG_DATA_HOME"] = data


def keep_files_together(config: pytest.Config) -> None:
    """Put the temporary files of this run into one folder, which ends with it; `--basetemp` keeps those of tests."""
    from tests.leftovers import temporary_folder

    folder = temporary_folder(str(MEMORY) if has_memory() else None)
    config.option.basetemp = config.option.basetemp or Path(folder, "own")


def has_memory() -> bool:
    """Return whether files go into memory, unless TMPDIR names a folder: a database waits for a disk at each change."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return False
    memory = os.statvfs(MEMORY)
    return memory.f_bavail * memory.f_frsize > MEMORY_NEEDED and not memory.f_flag & os.ST_NOEXEC


def pytest_report_header() -> str:
    tested = build()
    return f"engine: {tested.kind}, {len(tested.modules)} modules compiled"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("passed", [])
    actions = [number for report in reports for name, number in report.user_properties if name == "actions"]
    if actions:
        terminalreporter.write_line(f"random play: {sum(actions):,} actions")
