"""The tests that take long: `python -m tests.harness.long_tests report.xml` takes them from a run with `--junitxml`.

Their list is `tests/long_tests.txt`, a test in each line. They have the marker `long`, and run only when asked for.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import parse

LIST = Path(__file__).resolve().parents[1] / "long_tests.txt"
SECONDS = 0.55
"""The mean of a test's cases from which it takes long, on the machine of `tests/README.md`."""
PREPARED = 1.5
"""The seconds of one case from which a test of few cases takes long: the others use what that case has made."""
FEW = 4


def listed() -> frozenset[str]:
    """Return the tests that take long, as pytest names them without their cases."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def long_tests(report: Path) -> Iterable[str]:
    """Return the tests of a report that take long."""
    seconds = defaultdict[str, list[float]](list)
    for case in parse(report).getroot().iter("testcase"):
        module, name = case.attrib["classname"], case.attrib["name"].partition("[")[0]
        seconds[f"{module.replace('.', '/')}.py::{name}"].append(float(case.attrib["time"]))
    return [test for test, each in seconds.items() if _is_long(each)]


def _is_long(seconds: list[float]) -> bool:
    return sum(seconds) >= SECONDS * len(seconds) or (len(seconds) <= FEW and max(seconds) >= PREPARED)


if __name__ == "__main__":
    LIST.write_text("".join(f"{test}\n" for test in sorted(long_tests(Path(sys.argv[1])))), encoding="utf-8")
