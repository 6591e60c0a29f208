"""Check the contents of a wheel, compiled and plain, and what a build without a compiler prints."""

import importlib.util
import json
import pkgutil
import shutil
import sys
import sysconfig
import threading
import tomllib
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import engine
import tourney.ratings
import tourney.seating
from engine.build import Build, build

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("engine", "tourney", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a copy of the sources as a user downloads them."""
    copy = tmp_path / "source"
    copy.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module of the build hook, which is not installed."""
    spec = importlib.util.spec_from_file_location("hook", ROOT / "engine" / "_compile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delenv("TOURNEY_PURE", raising=False)
    return module


def wheel_of(source: Path) -> Path:
    """Return the wheel that hatchling builds with the hook."""
    return Path(next(WheelBuilder(str(source)).build(directory=str(source.parent / "wheels"), versions=["standard"])))


def built_toml(wheel: Path) -> dict[str, object]:
    """Return what the wheel's `built.toml` says of the build."""
    with zipfile.ZipFile(wheel) as archive:
        return tomllib.loads(archive.read("engine/built.toml").decode())


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if "__pycache__" not in path.parts}


def test_without_a_compiler_the_wheel_is_plain_and_the_warning_says_what_it_costs(
    source: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The warning says why, what still works, how much slower it is, and what to install."""
    monkeypatch.delenv("TOURNEY_PURE", raising=False)
    monkeypatch.setenv("CC", "no-such-compiler")
    wheel = wheel_of(source)
    output = "".join(capfd.readouterr())
    for words in (
        "no-such-compiler",
        "same results",
        "3 to 20 times slower",
        "install a C compiler",
        "python3-dev",
        "xcode-select",
    ):
        assert words in output
    assert wheel.name.endswith("-py3-none-any.whl")
    assert built_toml(wheel) == {"reason": "there is no C compiler (no-such-compiler)", "modules": []}


def test_a_build_with_tourney_pure_is_plain_without_a_warning(
    source: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOURNEY_PURE", "1")
    wheel = wheel_of(source)
    assert "".join(capfd.readouterr()) == ""
    assert wheel.name.endswith("-py3-none-any.whl")
    assert built_toml(wheel) == {"reason": "", "modules": []}


def test_a_wheel_has_both_packages_without_the_hook_and_without_files_of_the_compiler(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build also leaves the source tree unchanged."""
    monkeypatch.setenv("TOURNEY_PURE", "1")
    before = files_below(source)
    with zipfile.ZipFile(wheel_of(source)) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {name for name in before if name.startswith(("engine/", "tourney/")) and (source / name).is_file()}
    texts = {name for name in expected if name.endswith((".po", ".pot"))}
    catalogues = {name.replace(".po", ".mo") for name in texts if name.endswith(".po")}
    assert len(catalogues) == 1
    assert names == (expected | catalogues | {"engine/built.toml"}) - texts - {"engine/_compile.py"}
    assert files_below(source) == before


def test_a_wheel_has_an_sbom_of_all_that_the_program_needs(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SBOM lies where PEP 770 wants it, in CycloneDX's form, and has the names of `pyproject.toml`."""
    monkeypatch.setenv("TOURNEY_PURE", "1")
    with zipfile.ZipFile(wheel_of(source)) as archive:
        (name,) = [name for name in archive.namelist() if ".dist-info/sboms/" in name]
        document = json.loads(archive.read(name))
    assert name.endswith(".dist-info/sboms/tourney-continental.cdx.json")
    assert (document["bomFormat"], document["specVersion"], document["version"]) == ("CycloneDX", "1.6", 1)
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    program = document["metadata"]["component"]
    assert program["purl"] == f"pkg:pypi/tourney-continental@{project['version']}"
    assert program["licenses"] == [{"expression": project["license"]}]
    optional = [need for extra in ("xlsx", "wasm", "cluster") for need in project["optional-dependencies"][extra]]
    for scope, needs in (("required", project["dependencies"]), ("optional", optional)):
        found = [part["description"] for part in document["components"] if part["scope"] == scope]
        required = [Requirement(need) for need in needs]
        assert sorted(found) == sorted(f"required as {canonicalize_name(one.name)}{one.specifier}" for one in required)
    references = [part["bom-ref"] for part in document["components"]]
    assert len(set(references)) == len(references)
    assert document["dependencies"][0]["dependsOn"] == references


@pytest.mark.parametrize("version", ["standard", "editable"])
def test_compiled_modules_go_into_a_wheel_and_not_into_an_editable_install(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    """The wheel also has the shared module, beside the packages, and no C sources."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    compiled = [f"continental__mypyc{suffix}", f"engine/solver/__init__{suffix}", f"engine/cards{suffix}"]
    monkeypatch.setattr(hook, "compiled", lambda root, folder: (compiled, ""))
    builder = WheelBuilder(str(ROOT))
    compile_hook = hook.CompileHook(str(ROOT), {}, builder.config, builder.metadata, "", "wheel", builder.app)
    data: dict[str, object] = {"force_include": {}, "sbom_files": [], "pure_python": True, "infer_tag": False}
    monkeypatch.setattr(hook, "version_of", {"mypy": "2.4.1"}.__getitem__)
    compile_hook.initialize(version, data)
    if version == "editable":
        assert data == {"force_include": {}, "sbom_files": [], "pure_python": True, "infer_tag": False}
        return
    includes, (sbom,) = data.pop("force_include"), data.pop("sbom_files")
    parts = json.loads(Path(sbom).read_text(encoding="utf-8"))["components"]
    assert parts[-1]["purl"] == "pkg:pypi/mypy@2.4.1"
    assert data == {"pure_python": False, "infer_tag": True}
    assert set(includes.values()) == {*compiled, "engine/built.toml", "tourney/locale/es/LC_MESSAGES/tourney.mo"}
    (written,) = (Path(path) for path, name in includes.items() if name == "engine/built.toml")
    assert tomllib.loads(written.read_text(encoding="utf-8"))["modules"] == ["engine.solver", "engine.cards"]
    compile_hook.finalize(version, data, "")
    assert not written.parent.exists()


def test_without_headers_or_if_the_compiler_fails_nothing_is_compiled_and_the_reason_is_given(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An error that ends the compiler's program does not end the build."""
    monkeypatch.setattr(hook, "no_compiler", lambda: None)
    monkeypatch.setattr(hook, "__file__", str(tmp_path / "broken.py"))
    (tmp_path / "broken.py").write_text("raise SystemExit('error: command \"cc\" failed')", encoding="utf-8")
    assert hook.compiled(ROOT, tmp_path / "one") == ([], 'the compiler failed (error: command "cc" failed)')
    assert tomllib.loads(hook.built_text([], 'a "quoted" \\ path\x1b'))["reason"] == "a 'quoted' / path"
    monkeypatch.undo()
    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setattr(hook.sysconfig, "get_path", lambda name: str(tmp_path))
    missing = f"Python's headers are missing ({tmp_path / 'Python.h'})"
    assert hook.compiled(ROOT, tmp_path / "two") == ([], missing)


@pytest.mark.parametrize(
    ("variables", "needed"),
    [
        ({"TOURNEY_PURE": "1"}, False),
        ({"CC": "no-such-compiler"}, False),
        ({"CC": sys.executable, "TOURNEY_PURE": "0"}, True),
    ],
    ids=["asked plain", "no compiler", "compiler"],
)
def test_mypyc_is_required_only_where_it_can_be_used(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variables: dict[str, str], needed: bool
) -> None:
    (tmp_path / "Python.h").touch()
    monkeypatch.setattr(hook.sysconfig, "get_path", lambda name: str(tmp_path))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    compile_hook = hook.CompileHook(str(ROOT), {}, None, None, "", "wheel")
    assert compile_hook.dependencies() == (hook.NEEDS if needed else [])


@pytest.mark.parametrize(
    ("written", "origin", "expected"),
    [
        (None, "hand.py", Build("sources")),
        ('reason = ""\nmodules = []', "hand.py", Build("plain")),
        ('reason = "no compiler"\nmodules = []', "hand.py", Build("plain", (), "no compiler")),
        ('reason = ""\nmodules = ["engine.hand"]', "hand.so", Build("compiled", ("engine.hand",))),
        (
            'reason = ""\nmodules = ["engine.hand"]',
            "hand.py",
            Build("plain", (), "the compiled modules are not for this Python"),
        ),
    ],
    ids=["sources", "asked plain", "no compiler", "compiled", "another Python"],
)
def test_the_build_is_read_from_its_file_and_the_modules_that_python_finds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str | None, origin: str, expected: Build
) -> None:
    if written is not None:
        (tmp_path / "built.toml").write_text(written, encoding="utf-8")
    monkeypatch.setattr("engine.build.resources.files", lambda package: tmp_path)
    monkeypatch.setattr("engine.build.find_spec", lambda name: ModuleSpec(name, None, origin=origin))
    assert build() == expected


class Mypyc(ModuleType):
    """Stands for `mypyc.build`: an extension of two C files, and nothing of mypy."""

    def __init__(self) -> None:
        super().__init__("mypyc.build")
        self.options: dict[str, object] = {}

    def mypycify(self, words: list[str], **options: object) -> list[SimpleNamespace]:
        self.options = options
        return [SimpleNamespace(sources=["one.c", "two.c"], extra_compile_args=["-Werror"], extra_link_args=[])]


class Compiler:
    """Stands for setuptools' compiler classes: two files are compiled only if both are begun before one is done."""

    both_begun = threading.Barrier(2)

    def compile(self, sources: list[str], **options: object) -> list[str]:
        for _ in sources:
            self.both_begun.wait(timeout=600)
        return [source.replace(".c", ".o") for source in sources]


def test_the_c_files_of_an_extension_are_compiled_in_parallel_and_their_objects_stay_in_order(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One C file for all modules took three times as long, on one core, and 750 MB; each is in one of the parts."""
    monkeypatch.chdir(tmp_path)
    mypyc, made = Mypyc(), []

    def setup(ext_modules: list[SimpleNamespace], **settings: object) -> None:
        for extension in ext_modules:
            made.append(Compiler().compile(extension.sources, extra_postargs=extension.extra_compile_args))

    for name, module in {
        "mypyc.build": mypyc,
        "setuptools": SimpleNamespace(Extension=object, setup=setup),
        "distutils": ModuleType("distutils"),
        "distutils.ccompiler": SimpleNamespace(CCompiler=Compiler),
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(Compiler, "compile", Compiler.compile)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    hook._make()
    assert mypyc.options["multi_file"] is True
    assert made == [
        [
            file.replace(".c", ".o")
            for file in [*map("quick_{}.c".format, range(3)), *map("other_{}.c".format, range(9))]
        ]
    ]
    included = "".join(file.read_text(encoding="utf-8") for file in tmp_path.glob("*.c"))
    assert sorted(included.split("\n")) == ["", '#include "one.c"', '#include "two.c"']


def test_every_pattern_of_hot_modules_matches_a_file(hook: ModuleType) -> None:
    assert [pattern for pattern in hook.HOT if not list(ROOT.glob(pattern))] == []


def test_the_compiled_modules_are_those_that_the_build_names() -> None:
    """An extension that is missing from this build, or that Python does not import, would go unnoticed otherwise."""
    compiled = set()
    for package in (engine, tourney.ratings, tourney.seating):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            spec = find_spec(module.name)
            if spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES)):
                compiled.add(module.name)
    assert compiled == set(build().modules)
