"""Measure the installed build, or parts of it, beside other programs: `python -m tests.benchmarks [PART]…`."""

import argparse
import importlib
import shlex
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "engine",
    "bots",
    "designs",
    "league",
    "machines",
    "programs",
    "isolation",
    "ratings",
    "forecasts",
    "seating",
    "storage",
    "startup",
    "install",
)


def main(words: Sequence[str] | None = None) -> int:
    """Measure the parts that the options name and print a table of each.

    Returns the exit code: 0, 1 for a wrong answer, 2 for a wrong build or option, 130 when interrupted.
    """
    prefer_installed()
    from tests.benchmarks.harness import machine, report
    from tests.benchmarks.harness.timing import Effort, WrongAnswer
    from tourney.domain.errors import DoubtWarning

    warnings.simplefilter("ignore", DoubtWarning)  # sheets of chance are doubted
    parser = _parser(get_args(machine.Build), get_args(report.Format))
    options = parser.parse_args(words)
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; the parts are {', '.join(PARTS)}")
    if options.sweep:
        from tests.benchmarks import sweep

        sys.stdout.write(f"{sweep.write()}\n")
        return 0
    build = machine.build()
    if options.build not in (None, build):
        sys.stderr.write(f"error: the {build} build is installed, not the {options.build} one\n")
        return 2
    effort: Effort = "quick" if options.quick else "full"
    command = shlex.join(["python", "-m", "tests.benchmarks", *(sys.argv[1:] if words is None else words)])
    for part in ["peers.versions"] if options.against else options.parts or PARTS:
        if sys.stderr.isatty():
            sys.stderr.write(f"measuring {part}…\n")
        try:
            rows = importlib.import_module(f"tests.benchmarks.{part}").measure(options.against or build, effort)
        except WrongAnswer as wrong:
            sys.stderr.write(f"error: {part}: {wrong}\n")
            return 1
        except KeyboardInterrupt:
            sys.stderr.write(f"interrupted: {part} is not measured\n")
            return 130
        sys.stdout.write(
            report.render(report.Report(part.rpartition(".")[2], machine.facts(command), effort, rows), options.format)
            + "\n"
        )
        sys.stdout.flush()
    return 0


def prefer_installed() -> None:
    """Move the checkout to the end of the path: its `engine` is never compiled and would hide the installed one."""
    others = [folder for folder in sys.path if Path(folder or ".").resolve() != ROOT]
    sys.path[:] = [*others, str(ROOT)]


def _parser(builds: Sequence[str], formats: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all of them if none is named")
    parser.add_argument("--build", choices=builds, help="refuse to measure any other build")
    parser.add_argument("--format", choices=formats, default="text", help="text (default), or markdown for the README")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="run a few seconds, to see that everything works; the numbers say little",
    )
    parser.add_argument(
        "--sweep", action="store_true", help="write the page of seatings, seating.md, and do nothing else"
    )
    parser.add_argument(
        "--against",
        metavar="PYTHON",
        help="measure ratings and imports beside the tourney that another Python has installed, and nothing else",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
