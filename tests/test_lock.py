"""Tests of the supply chain: the lock names every dependency with hashes and no address; bounds stand on both sides."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import thousand_hands

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / ".ci" / "lock.txt"
BUILD = ROOT / ".ci" / "build.txt"
FOLDER = ROOT / ".ci" / "folder.txt"
WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("xlsx", "web", "wasm", "cluster", "test", "lint")


def locked(lock: Path = LOCK) -> dict[str, str]:
    """Return the version of each package of the lock."""
    lines = lock.read_text(encoding="utf-8").splitlines()
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


@pytest.mark.parametrize("lock", [LOCK, BUILD], ids=["everything", "builds"])
def test_the_lock_has_what_a_compiled_build_needs(lock: Path) -> None:
    versions = locked(lock)
    text = (ROOT / "engine" / "_compile.py").read_text(encoding="utf-8")
    needs = ast.literal_eval(re.search(r"^NEEDS = (\[.*\])$", text, re.MULTILINE)[1])
    system = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    for need in map(Requirement, (*needs, *system)):
        assert versions[canonicalize_name(need.name)] in need.specifier, need


@pytest.mark.parametrize("lock", [BUILD, FOLDER], ids=["builds", "folders"])
def test_wheels_and_folders_are_made_of_the_versions_of_the_lock(lock: Path) -> None:
    everything = locked()
    assert {name: everything[name] for name in locked(lock) if name in everything} == {
        name: version for name, version in locked(lock).items() if name in everything
    }


def test_a_folder_has_what_the_program_needs_with_workbooks_and_modules() -> None:
    extras = PROJECT["optional-dependencies"]
    needs = map(Requirement, (*PROJECT["dependencies"], *extras["xlsx"], *extras["wasm"]))
    assert {canonicalize_name(need.name) for need in needs} <= locked(FOLDER).keys()
    assert locked(FOLDER).keys() <= locked().keys()


@pytest.mark.parametrize("lock", [LOCK, BUILD, FOLDER], ids=["everything", "builds", "folders"])
def test_the_lock_has_names_versions_and_hashes_and_nothing_else(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    for line in text.splitlines():
        assert re.fullmatch(r"[a-z0-9.-]+==[^ ]+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
    assert text.count("==") - text.count(" == ") >= len(locked(lock))
    assert all(f"{name}=={version}" in text for name, version in locked(lock).items())


def test_an_action_of_a_workflow_is_a_commit_with_its_version() -> None:
    """A tag can be moved to another commit; the hash of a commit has 40 digits."""
    used = [line for text in WORKFLOWS.values() for line in text.splitlines() if "uses:" in line]
    assert len(used) >= 10
    for line in used:
        assert re.fullmatch(r" +- uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+", line), line


def test_the_workflow_of_wheels_installs_by_hash_and_lets_no_build_resolve() -> None:
    text = WORKFLOWS["wheels.yml"]
    installs = [line.strip() for line in text.splitlines() if "pip install" in line]
    assert len(installs) == 5
    for line in installs:
        assert re.search(
            r"--require-hashes -r (\{project\}/)?\.ci/(lock|build)\.txt|--no-deps --no-build-isolation", line
        )
    assert re.findall("^ +CIBW_(?:BUILD_FRONTEND|BEFORE_BUILD): (.*)$", text, re.MULTILINE) == [
        '"pip; args: --no-build-isolation"',
        '"python -m pip install --require-hashes -r {project}/.ci/build.txt"',
    ]
    assert "python -m build --no-isolation" in text


OWN = ("engine", "tourney", "tests")


def private_uses(path: Path) -> Iterator[str]:
    """Yield the private names of other people's packages that a module imports or reaches through an import."""
    tree, modules = ast.parse(path.read_bytes()), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
            modules |= {alias.asname or alias.name.partition(".")[0] for alias in node.names if foreign(alias.name)}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in found if foreign(name) and any(map(private, name.split("."))))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and private(node.attr) and getattr(node.value, "id", "") in modules:
            yield ast.unparse(node)


def foreign(name: str) -> bool:
    return name.partition(".")[0] not in {*OWN, *sys.stdlib_module_names}


def private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def test_no_private_part_of_a_dependency_is_used() -> None:
    """A name that begins with an underscore may go with any version, whatever bound the version has."""
    paths = [path for folder in OWN for path in (ROOT / folder).rglob("*.py")]
    assert len(paths) > 1_000
    assert [(str(path), name) for path in paths for name in private_uses(path)] == []


def test_a_private_use_is_seen_in_each_form(tmp_path: Path) -> None:
    (tmp_path / "seen.py").write_text(
        "import typer\nimport click._compat\nfrom rich._wrap import divide\nfrom rich import _wrap, box\n"
        "from typer.main import _x as y\ntyper._click.echo()\nimport _thread\nimport os\nos._exit(0)\n"
    )
    assert [*private_uses(tmp_path / "seen.py")] == [
        *("click._compat", "rich._wrap.divide", "rich._wrap", "typer.main._x", "typer._click")
    ]


def test_what_the_program_needs_has_a_lower_and_an_upper_bound() -> None:
    for line in PROJECT["dependencies"]:
        operators = {each.operator for each in Requirement(line).specifier}
        assert operators == {">=", "<"}, line


def test_the_workflows_name_files_that_are_there() -> None:
    named = [name for text in WORKFLOWS.values() for name in re.findall(r"(?<![\w])(?:tests|\.ci)/[\w./-]+", text)]
    assert {".ci/lock.txt", ".ci/build.txt", ".ci/folder.py", "tests/check_sbom.py", "tests/thousand_hands.py"} <= {
        *named
    }
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_a_wheel_that_plays_other_hands_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Two games here; the wheels' workflow plays 143, which is 1,001 hands."""
    found = thousand_hands.played(2)
    assert thousand_hands.main([found], 2) == 0
    assert thousand_hands.main(["0" * 64], 2) == 1
    assert "another hash" in capsys.readouterr().err
    assert thousand_hands.GAMES * 7 >= 1000
