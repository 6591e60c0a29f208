"""Tests of the supply chain: the lock names every dependency with hashes and no address; bounds stand on both sides."""

import ast
import re
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import thousand_hands

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / ".ci" / "lock.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("xlsx", "web", "wasm", "cluster", "test", "lint")


def locked() -> dict[str, str]:
    """Return the version of each package of the lock."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", "\n".join(lines), re.MULTILINE))


def required() -> list[Requirement]:
    """Return what the program, its extras, its tests and its linters need."""
    extras = PROJECT["optional-dependencies"]
    return [
        Requirement(line) for line in (*PROJECT["dependencies"], *(each for extra in EXTRAS for each in extras[extra]))
    ]


def test_every_dependency_is_locked_within_its_bounds() -> None:
    versions = locked()
    for need in required():
        assert versions[canonicalize_name(need.name)] in need.specifier, need


def test_what_the_locked_packages_need_is_locked_too() -> None:
    """The second source is what the installed packages of the locked versions say of themselves."""
    versions, checked = locked(), 0
    for name, locked_version in versions.items():
        with suppress(PackageNotFoundError):
            same = version(name) == locked_version
            for need in map(Requirement, (requires(name) or ()) if same else ()):
                if need.marker is None or need.marker.evaluate({"extra": ""}):
                    assert versions.get(canonicalize_name(need.name), "") in need.specifier, (name, need)
                    checked += 1
    assert checked >= 40


def test_the_lock_has_what_a_compiled_build_needs() -> None:
    versions = locked()
    text = (ROOT / "engine" / "_compile.py").read_text(encoding="utf-8")
    for need in map(Requirement, ast.literal_eval(re.search(r"^NEEDS = (\[.*\])$", text, re.MULTILINE)[1])):
        assert versions[canonicalize_name(need.name)] in need.specifier, need


def test_the_lock_has_names_versions_and_hashes_and_nothing_else() -> None:
    text = LOCK.read_text(encoding="utf-8")
    for line in text.splitlines():
        assert re.fullmatch(r"[a-z0-9.-]+==[^ ]+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
    assert text.count("==") - text.count(" == ") >= len(locked())
    assert all(f"{name}=={version}" in text for name, version in locked().items())


def test_what_the_program_needs_has_a_lower_and_an_upper_bound() -> None:
    for line in PROJECT["dependencies"]:
        operators = {each.operator for each in Requirement(line).specifier}
        assert operators == {">=", "<"}, line


def test_the_workflows_name_files_that_are_there() -> None:
    named = [
        name
        for workflow in (ROOT / ".github" / "workflows").glob("*.yml")
        for name in re.findall(r"(?<![\w])(?:tests|\.ci)/[\w./-]+", workflow.read_text(encoding="utf-8"))
    ]
    assert {".ci/lock.txt", "tests/check_sbom.py", "tests/thousand_hands.py"} <= {*named}
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_a_wheel_that_plays_other_hands_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Two games here; the wheels' workflow plays 143, which is 1,001 hands."""
    found = thousand_hands.played(2)
    assert thousand_hands.main([found], 2) == 0
    assert thousand_hands.main(["0" * 64], 2) == 1
    assert "another hash" in capsys.readouterr().err
    assert thousand_hands.GAMES * 7 >= 1000
